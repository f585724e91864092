package io.talosgateway.doctor;

import java.io.IOException;

/** Looks at one thing that a gateway depends on. */
interface DoctorCheck {

    /** Such as {@code ZooKeeper}. */
    String name();

    /**
     * Adds what it finds as soon as it is found. May be interrupted, when it takes too long: it cleans up then, too.
     *
     * @throws IOException with a sentence for the operator if the rest cannot be looked at
     */
    void run(Findings findings) throws IOException, InterruptedException;
}
