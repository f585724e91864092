package io.talosgateway.rest.forwarding.thrift;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import javax.net.ssl.SSLEngine;

import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What the links to all hosts share. Nothing here can fill up or block because of one of them.
 *
 * @param incarnation under which this host is registered, at present
 * @param answers completes futures; must not reject
 * @param random for nonces and for spreading back-off
 * @param tls makes the TLS of a connection; null for clear text
 */
record LinkParts(
        ForwardConfig config,
        HostIdentity self,
        LongSupplier incarnation,
        IoLoop loop,
        DeadlineTimer timer,
        Executor answers,
        NanoClock clock,
        RandomGenerator random,
        @Nullable Supplier<SSLEngine> tls) {}
