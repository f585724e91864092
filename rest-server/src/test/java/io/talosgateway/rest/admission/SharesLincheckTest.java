package io.talosgateway.rest.admission;

import io.talosgateway.rest.config.DataSize;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three requests of a client that may have two join and leave at the same time: no more are inside, and nothing stays of those that left. */
public class SharesLincheckTest {

    private final Shares shares = new Shares(new AdmissionConfig(new DataSize(100), 2, 1, 100, 100), 100);
    /** By request; each for its own operations. */
    private final Shares.@Nullable Share[] joined = new Shares.Share[3];

    @Operation(nonParallelGroup = "request 0")
    public boolean join0() {
        return join(0);
    }

    @Operation(nonParallelGroup = "request 1")
    public boolean join1() {
        return join(1);
    }

    @Operation(nonParallelGroup = "request 2")
    public boolean join2() {
        return join(2);
    }

    private boolean join(int request) {
        if (joined[request] == null) {
            joined[request] = shares.join("client");
        }
        return joined[request] != null;
    }

    @Operation(nonParallelGroup = "request 0")
    public void leave0() {
        leave(0);
    }

    @Operation(nonParallelGroup = "request 1")
    public void leave1() {
        leave(1);
    }

    @Operation(nonParallelGroup = "request 2")
    public void leave2() {
        leave(2);
    }

    private void leave(int request) {
        Shares.Share share = joined[request];
        if (share != null) {
            joined[request] = null;
            share.leave();
        }
    }

    @Validate
    public void shareIsThereForThoseInsideOnly() {
        boolean isInside = joined[0] != null || joined[1] != null || joined[2] != null;
        if (shares.clients() != (isInside ? 1 : 0)) {
            throw new IllegalStateException(shares.clients() + " clients, and somebody inside: " + isInside);
        }
    }

    @Test
    void everyInterleavingIsLikeSomeOrder() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(10)
                .invocationsPerIteration(500)
                .check(SharesLincheckTest.class);
    }
}
