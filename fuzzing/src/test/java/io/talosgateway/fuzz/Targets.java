package io.talosgateway.fuzz;

import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.talosgateway.client.ClientTargets;
import io.talosgateway.rest.auth.KeyFileTargets;
import io.talosgateway.rest.coordination.zookeeper.RecordTargets;
import io.talosgateway.rest.hostprotocol.HostTargets;
import io.talosgateway.rest.http.rest.RestTargets;
import io.talosgateway.rest.http.talos.TalosTargets;
import io.talosgateway.rest.journal.file.JournalTargets;
import io.talosgateway.rest.peer.PeerTargets;
import io.talosgateway.rest.tls.PemTargets;
import io.talosgateway.wire.message.format.BlockTargets;

/** All decoders. */
final class Targets {

    /** Names of those that are wanted. */
    private static final Pattern WANTED = Pattern.compile(System.getProperty("fuzz.target", ".*"));

    private Targets() {}

    static List<FuzzTarget<?>> all() {
        return Stream.<Supplier<List<FuzzTarget<?>>>>of(
                        BlockTargets::all,
                        TalosTargets::all,
                        RestTargets::all,
                        JournalTargets::all,
                        HostTargets::all,
                        PeerTargets::all,
                        RecordTargets::all,
                        KeyFileTargets::all,
                        PemTargets::all,
                        ClientTargets::all)
                .flatMap(targets -> targets.get().stream())
                .<FuzzTarget<?>>map(target -> target)
                .filter(target -> WANTED.matcher(target.name()).matches())
                .toList();
    }
}
