package io.talosgateway.rest.auth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class OperationTest {

    @Test
    void everyMethodOfTheTalosServicesIsInTheTableOnceAndNothingElse() {
        List<Operation> found = new ArrayList<>();
        for (ThriftService service : ThriftService.values()) {
            for (ThriftMethod<?, ?> method : service.methods()) {
                Operation operation = Operation.ofTalos(service.idlName(), method.name());
                assertThat(operation.operationName()).isEqualTo(method.name());
                found.add(operation);
            }
        }
        assertThat(found)
                .hasSameElementsAs(Arrays.stream(Operation.values())
                        .filter(operation -> operation.api() != Operation.Api.REST)
                        .toList());
    }

    @Test
    void operationThatIsNotInTheTableIsRefused() {
        assertThatThrownBy(() -> Operation.ofTalos("TopicService", "dropEverything"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TopicService.dropEverything");
    }
}
