package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.nio.file.Files;

import io.talosgateway.rest.SourceTree;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/compatibility.md} is made from the methods that the gateway has: run {@link #main} after a change of them. */
final class CompatibilityDocumentTest {

    private static final String PLACE = "docs/compatibility.md";

    @Test
    void documentTellsWhichMethodsThereAre() throws IOException {
        assertThat(Files.readString(SourceTree.file(PLACE)))
                .as("run CompatibilityDocumentTest.main to write " + PLACE)
                .isEqualTo(text());
    }

    public static void main(String[] arguments) throws IOException {
        Files.writeString(SourceTree.file(PLACE), text());
    }

    private static String text() {
        TalosMethods methods = TalosMethodsTest.methods();
        StringBuilder tables = new StringBuilder();
        int all = 0;
        int there = 0;
        for (ThriftService service : ThriftService.values()) {
            tables.append("\n## ").append(service.idlName()).append("\n\n| method | |\n|---|---|\n");
            for (ThriftMethod<?, ?> method : service.methods()) {
                Operation operation = Operation.ofTalos(service.idlName(), method.name());
                boolean works = methods.find(service, method.name()) != null;
                // What every service has is counted once.
                if (operation.api() != Operation.Api.BASE || service == ThriftService.TOPIC) {
                    all++;
                    there += works ? 1 : 0;
                }
                tables.append("| `%s` | %s |\n"
                        .formatted(method.name(), works ? "works" : "refused: " + operation.whyRefused()));
            }
        }
        return """
                # What of the Talos services works

                <!-- Written by CompatibilityDocumentTest from the methods of the gateway. Do not edit. -->

                %d of %d methods work. `AuthorizationMatrixIT` calls each of them, as every kind of caller; `TalosInterfaceIT`,
                `ConsumerServiceIT`, `TopicGroupsIT`, `TopicOwnershipIT`, `TransactionsIT` and the tests of the official SDK 2.0.2 (`OfficialSdk*IT`,
                `ConsumerGroupIT`) check what they do. A method that does not work answers with an exception of the Thrift protocol that
                says so.
                """.formatted(there, all) + tables;
    }
}
