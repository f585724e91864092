package io.talosgateway.rest.peer;

import java.nio.file.Path;

import io.talosgateway.rest.tls.HostTls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same between hosts that speak TLS. */
final class ForwardRoundTripOverTlsTest extends ForwardRoundTripTest {

    @TempDir
    static Path directory;

    private static HostTls owner;
    private static HostTls caller;

    @BeforeAll
    static void issue() throws Exception {
        HostCertificates certificates = new HostCertificates(directory, "authority");
        owner = certificates.issue("owner");
        caller = certificates.issue("caller");
    }

    ForwardRoundTripOverTlsTest() throws Exception {}

    @Override
    ForwardFixture hosts() throws Exception {
        return new ForwardFixture(owner::accepting, caller::connecting);
    }
}
