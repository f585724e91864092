package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class TalosMethodsTest {

    /** All methods, without what is behind them. */
    @SuppressWarnings("NullAway")
    static TalosMethods methods() {
        TalosMethods methods = new TalosMethods();
        new BaseCalls().register(methods);
        new TopicCalls(null, null, null).register(methods);
        new PermissionCalls(null, null).register(methods);
        new TopicQuotaCalls(null, null, null).register(methods);
        new TopicOwnerCalls(null, null).register(methods);
        new TopicGroupCalls(null, null, null).register(methods);
        new MessageCalls(null, null, null, null).register(methods);
        new TransactionCalls(null, null, null).register(methods);
        new QuotaCalls(null, null).register(methods);
        new ConsumerCalls(null, null).register(methods);
        new TopicsConsumerCalls(null, null).register(methods);
        new DataPreviewCalls(null, null).register(methods);
        new GroupLagCalls(null, null, null).register(methods);
        return methods;
    }

    @Test
    void thereIsWhatTheTableOfOperationsSays() {
        TalosMethods methods = methods();
        for (ThriftService service : ThriftService.values()) {
            for (ThriftMethod<?, ?> method : service.methods()) {
                Operation operation = Operation.ofTalos(service.idlName(), method.name());
                TalosMethods.Registered registered = methods.find(service, method.name());
                assertThat(registered == null).as("%s", operation).isEqualTo(operation.reserved());
                if (registered != null) {
                    assertThat(registered.operation()).isEqualTo(operation);
                }
            }
        }
    }

    @Test
    void whatTheTableSaysIsMissingCannotBeRegistered() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TalosMethods()
                        .add(ThriftService.TOPIC, TopicMethods.CREATE_REPLICATION_TOPIC, (call, request) -> null));
    }
}
