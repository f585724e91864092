package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.talosgateway.rest.SourceTree;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.Permission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/permissions.md} is made from the table of operations: run {@link #main} after a change of that. */
final class PermissionsDocumentTest {

    private static final String PLACE = "docs/permissions.md";

    @Test
    void documentIsThatOfTheTable() throws IOException {
        assertThat(Files.readString(SourceTree.file(PLACE)))
                .as("run PermissionsDocumentTest.main to write " + PLACE)
                .isEqualTo(text());
    }

    public static void main(String[] arguments) throws IOException {
        Files.writeString(SourceTree.file(PLACE), text());
    }

    private static String text() {
        StringBuilder text = new StringBuilder("""
                # Permissions

                <!-- Written by PermissionsDocumentTest from the table in auth/Operation.java. Do not edit. -->

                `docs/decisions/0032-authorization.md` says why it is so.

                ## Who has which permission on a topic

                """);
        text.append("| permission | bit | owner, its organization, administrators | can be granted | allows |\n");
        text.append("|---|---|---|---|---|\n");
        for (Permission permission : Permission.values()) {
            text.append("| `%s` | %d | yes | %s | %s |\n"
                    .formatted(
                            permission.text(),
                            permission.bit(),
                            permission.isIn(Grants.GRANTABLE_BITS) ? "yes" : "no",
                            allows(permission)));
        }
        text.append(String.format(Locale.ROOT, """

                - The owner of a topic is the organization of the key that created it, or the key's owner if that belongs to none.
                - `addSubResourceName` hands a topic to an organization (`CL...`) and a team (`CI...`). The team, as the owner of keys or
                  as their organization, has every permission on the topic from then on; so has the owner, as before. The topic
                  can also be called by the organization's resource name. `revokePermission` of the team takes that back.
                - `getBindTopics` lists the topics that the caller owns or on which it was granted anything. `listTopics` lists those that
                  it may describe, which are all for an administrator.
                - A topic group belongs to the organization of the key that created it, or to the key's owner if that belongs to none.
                  Everybody with a key may describe a group and look its topics up, and finds those that he may describe.
                  `listTopicGroup` lists the caller's groups, and all for an administrator. A key with a scope changes only groups on
                  whose names the scope holds `change-topic`.
                - A quota of all topics of an owner is set by administrators. The owner sees it and applies for more partitions; so does
                  everybody who belongs to the organization that it is. A key with a scope can do neither.
                - A grant names a principal: the owner of keys (`key create --owner`) or an organization. A topic has grants for at
                  most %,d principals, whose names have at most %d characters.
                - The scope of a key limits all of this, also for administrators. A key with a scope creates only topics on which the
                  scope holds `change-topic`.
                - A caller without any permission on a topic gets the same answer as for a topic that does not exist. Names are unique
                  in a cluster, so that creating a topic tells whether its name is taken.
                - A change of the grants has effect on other hosts as soon as ZooKeeper tells them, usually within a second. A get that
                  waits for messages is answered by the grants that it began with. A stream of messages is checked again every 5 seconds.

                """, Grants.MAX_GRANTS, Grants.MAX_PRINCIPAL_LENGTH));
        text.append("## What each operation needs\n\n");
        for (Operation.Api api : Operation.Api.values()) {
            List<Operation> operations = Arrays.stream(Operation.values())
                    .filter(operation -> operation.api() == api && !operation.reserved())
                    .toList();
            if (!operations.isEmpty()) {
                text.append("### ").append(api.title()).append("\n\n| operation | needs |\n|---|---|\n");
                for (Operation operation : operations) {
                    text.append("| `%s` | %s |\n".formatted(operation.operationName(), needs(operation.need())));
                }
                text.append('\n');
            }
        }
        text.append("## Refused on purpose\n\n");
        for (Operation operation : Operation.values()) {
            String reason = operation.whyRefused();
            if (reason != null) {
                text.append("- `%s.%s`: %s\n".formatted(operation.api().title(), operation.operationName(), reason));
            }
        }
        return text.toString();
    }

    private static String allows(Permission permission) {
        return switch (permission) {
            case PUT -> "to put messages";
            case GET -> "to get messages";
            case DESCRIBE -> "to see the topic, its settings, offsets and grants";
            case CHANGE_TOPIC -> "to change its settings, to delete its messages and the topic";
            case CHANGE_PERMISSION -> "to grant and revoke";
        };
    }

    private static String needs(Need need) {
        Permission permission = need.permission();
        if (permission != null) {
            return "`" + permission.text() + "`";
        }
        return switch (need) {
            case NOTHING -> "nothing";
            case KEY -> "any key";
            case ADMIN -> "an administrator's key without a scope";
            case OWNER -> "the owner of the topic group or quota, or an administrator's key";
            default -> throw new IllegalStateException("no permission for " + need);
        };
    }
}
