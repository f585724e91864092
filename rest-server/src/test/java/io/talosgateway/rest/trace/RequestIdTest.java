package io.talosgateway.rest.trace;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestIdTest {

    private static final String OWN = "[0-9a-f]{16}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "6f1c2a0e-1b5f-4a53-9d5a-2f2b5f6a7c8d",
                "Root=1-67891233-abcdef012345678912345678",
                "dGVzdA+/==",
                "svc:order@eu~7_1.2"
            })
    void safeIdOfTheClientIsKept(String sent) {
        assertThat(RequestId.of(sent)).isEqualTo(sent);
    }

    @Test
    void idMayHave128Characters() {
        assertThat(RequestId.of("r".repeat(128))).hasSize(128);
        assertThat(RequestId.of("r".repeat(129))).matches(OWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\r\nSet-Cookie: x=1",
                "a\nERROR forged line",
                "a\u0000b",
                "a\u001b[2J",
                "a\u009b2J",
                "a\u2028b",
                "\"quoted\"",
                "back\\slash",
                "<script>",
                "a;b",
                "a,b",
                "a%0d%0ab",
                "${jndi:ldap://x}",
                "{}",
                "h\u00e4"
            })
    void hostileIdIsReplaced(String sent) {
        assertThat(RequestId.of(sent)).matches(OWN);
    }

    @Test
    void ownIdsDiffer() {
        Set<String> ids = new HashSet<>();
        for (int request = 0; request < 1_000; request++) {
            ids.add(RequestId.of(null));
        }

        assertThat(ids).hasSize(1_000).allMatch(id -> id.matches(OWN));
    }
}
