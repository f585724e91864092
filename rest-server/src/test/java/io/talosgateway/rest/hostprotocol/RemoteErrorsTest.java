package io.talosgateway.rest.hostprotocol;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.thrift.GalaxyTalosException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

final class RemoteErrorsTest {

    @ParameterizedTest
    @EnumSource
    void everyErrorComesBackAsItWas(ErrorCode code) {
        GatewayException back = RemoteErrors.toGateway(RemoteErrors.toThrift(new GatewayException(code, "Détail.")));

        assertThat(back.code()).isEqualTo(code);
        assertThat(back.retry()).isEqualTo(code.retry());
        assertThat(back.detail()).isEqualTo("Détail.");
    }

    @Test
    void unknownOutcomeWithKeyStaysSafeToRepeat() {
        GatewayException unknown = new GatewayException(ErrorCode.OUTCOME_UNKNOWN, "Unknown.").withIdempotencyKey();

        assertThat(RemoteErrors.toGateway(RemoteErrors.toThrift(unknown)).retry())
                .isEqualTo(RetryAdvice.SAME_KEY);
    }

    @ParameterizedTest
    @CsvSource({
        "new-error never,                INTERNAL,              NEVER",
        "new-error after-backoff,        PARTITION_NOT_SERVING, AFTER_BACKOFF",
        "new-error outcome-unknown,      OUTCOME_UNKNOWN,       OUTCOME_UNKNOWN",
        "new-error same-key,             OUTCOME_UNKNOWN,       SAME_KEY",
        "new-error something-newer,      OUTCOME_UNKNOWN,       OUTCOME_UNKNOWN",
        "new-error never more words,     INTERNAL,              NEVER",
        "'',                             OUTCOME_UNKNOWN,       OUTCOME_UNKNOWN",
    })
    void errorOfNewerVersionSaysTheSameOfRepeats(String message, ErrorCode code, RetryAdvice retry) {
        GatewayException error = RemoteErrors.toGateway(new GalaxyTalosException().setErrMsg(message));

        assertThat(error.code()).isEqualTo(code);
        assertThat(error.retry()).isEqualTo(retry);
    }
}
