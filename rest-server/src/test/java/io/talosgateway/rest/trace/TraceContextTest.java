package io.talosgateway.rest.trace;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The examples of W3C Trace Context, and of its test suite. */
final class TraceContextTest {

    private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static TraceContext of(String parent, String... states) {
        return TraceContext.of("r", List.of(parent), List.of(states));
    }

    @Test
    void parentIsReadAndWritten() {
        TraceParent parent = TraceParent.parse(VALID);

        assertThat(parent).isEqualTo(new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", 1));
        assertThat(parent.isSampled()).isTrue();
        assertThat(parent.text()).isEqualTo(VALID);
    }

    @Test
    void flagsAreKeptAndTheLowestSaysWhetherItIsSampled() {
        for (String flags : List.of("00", "02", "fe")) {
            TraceParent parent = TraceParent.parse(VALID.substring(0, 53) + flags);
            assertThat(parent.isSampled()).as(flags).isFalse();
            assertThat(parent.text()).endsWith("-" + flags);
        }
        assertThat(TraceParent.parse(VALID.substring(0, 53) + "ff").isSampled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cc-12345678901234567890123456789012-1234567890123456-01",
                "cc-12345678901234567890123456789012-1234567890123456-01-what-the-future-will-be-like",
                "fe-12345678901234567890123456789012-1234567890123456-01-"
            })
    void laterVersionIsReadAsThisOne(String header) {
        assertThat(TraceParent.parse(header).text())
                .isEqualTo("00-12345678901234567890123456789012-1234567890123456-01");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-extra",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0X",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319.-b7ad6b7169203331-01",
                "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                ".0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x",
                "cc-12345678901234567890123456789012-1234567890123456-01.what-the-future-will-be-like",
                " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n"
            })
    void parentThatIsNotValidCountsAsNone(String header) {
        assertThat(TraceParent.parse(header)).isNull();
        assertThat(of(header, "vendor=1")).isEqualTo(new TraceContext("r", null, null));
    }

    @Test
    void twoParentsAreNone() {
        assertThat(TraceContext.of("r", List.of(VALID, VALID), List.of()).parent())
                .isNull();
    }

    @Test
    void stateGoesOnUnchangedInTheOrderOfItsHeaders() {
        assertThat(of(VALID, "rojo=00f067aa0ba902b7", "congo=t61rcWkgMzE , x@y=1")
                        .state())
                .isEqualTo("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE , x@y=1");
    }

    @Test
    void stateBeyondTheLimitsIsLeftOutAndTheParentKept() {
        String most = "k=" + "v".repeat(510);
        assertThat(of(VALID, most).state()).isEqualTo(most);
        assertThat(of(VALID, most + "v")).isEqualTo(of(VALID));
        assertThat(of(VALID, "k=1,".repeat(31) + "k=1").state()).isNotNull();
        assertThat(of(VALID, "k=1,".repeat(32) + "k=1").state()).isNull();
        assertThat(of(VALID, "k=\u0007").state()).isNull();
        assertThat(of(VALID, "k=\u00e4").state()).isNull();
        assertThat(of(VALID, "").state()).isNull();
    }
}
