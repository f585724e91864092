package io.talosgateway.rest.peer;

import java.util.Locale;

import io.talosgateway.rest.hostprotocol.Handshake;

/** Why this host ends a connection to its peer port. */
enum CloseReason {
    NOT_A_HOST("it does not speak the language of the hosts; is this port meant for clients?"),
    NO_TLS("it does not speak TLS; do all hosts have peer.tls.certificate?"),
    TLS_FAILED("TLS with it failed; do this host and it trust the authority of each other's certificates (peer.tls)?"),
    TOO_LARGE("it announces a larger frame than is allowed"),
    NO_PROOF("it asked for something before it proved that it belongs to the cluster"),
    OUT_OF_TURN("it repeated or left out a step of the handshake"),
    WRONG_PROOF("its handshake failed; do all hosts have the same peer.secret?"),
    NOT_REGISTERED(Handshake.NOT_REGISTERED),
    OTHER_CLUSTER("it belongs to another cluster"),
    OTHER_VERSION("it runs a version that this one does not understand"),
    SILENT("it did not prove in time that it belongs to the cluster"),
    BROKEN_OFF("it ended in the middle of a request"),
    TOO_SLOW("it took too long to send a request or to take an answer"),
    TOO_MANY("there are too many connections");

    private final String sentence;

    CloseReason(String sentence) {
        this.sentence = sentence;
    }

    /** The reason for the operator. */
    String sentence() {
        return sentence;
    }

    /** The name in metrics. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
