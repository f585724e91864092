package io.talosgateway.rest.auth;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.auth.KeyCipher.SealException;
import io.talosgateway.rest.coordination.KeyRecords;
import io.talosgateway.rest.coordination.KeyRecords.Known;
import io.talosgateway.rest.coordination.KeyRecords.Sealed;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys that all hosts of the cluster share, opened. A record that cannot be opened is no key. Safe for use by any thread. */
public final class SharedKeys implements KeyStore {

    private static final Logger log = LoggerFactory.getLogger(SharedKeys.class);

    private final KeyRecords records;
    private final @Nullable KeyCipher cipher;
    private final Map<String, Opened> opened = new ConcurrentHashMap<>();

    /**
     * @param key null if it cannot be opened
     * @param problem why; null if it can
     * @param version of the record, for the next change
     */
    record Opened(@Nullable AccessKey key, @Nullable String problem, int version) {}

    /** @param cipher null if this host has no secret */
    public SharedKeys(KeyRecords records, @Nullable KeyCipher cipher) {
        this.records = records;
        this.cipher = cipher;
        records.onChange(this::refresh);
        records.all().keySet().forEach(this::refresh);
    }

    /** One after another: the last call for an id sees its newest record. */
    private synchronized void refresh(String id) {
        Known known = records.find(id);
        if (known == null) {
            opened.remove(id);
            return;
        }
        Opened now = open(id, known);
        opened.put(id, now);
        if (now.problem != null) {
            log.error("The key {} in ZooKeeper cannot be used: {}", id, now.problem);
        }
    }

    private Opened open(String id, Known known) {
        Sealed sealed = known.sealed();
        if (sealed == null) {
            return new Opened(null, known.problem(), known.version());
        }
        if (cipher == null) {
            return new Opened(null, "this host has no auth.key-encryption-secret", known.version());
        }
        try {
            return new Opened(cipher.open(id, sealed), null, known.version());
        } catch (SealException e) {
            return new Opened(null, e.getMessage(), known.version());
        }
    }

    @Override
    public @Nullable AccessKey find(String id) {
        Opened found = opened.get(id);
        return found == null ? null : found.key;
    }

    @Nullable
    Opened get(String id) {
        return opened.get(id);
    }

    Map<String, Opened> all() {
        return opened;
    }

    /** How many keys cannot be used on this host because their records cannot be read. */
    public long unreadable() {
        return opened.values().stream().filter(key -> key.key == null).count();
    }

    /**
     * Changes block.
     *
     * @throws GatewayException {@code KEY_READ_ONLY} if this host cannot change keys
     */
    void create(AccessKey key) {
        records.create(key.id(), writing().seal(key));
    }

    /** False if the record has another version by now. Throws what {@link #create} throws. */
    boolean replace(AccessKey key, int version) {
        return records.replace(key.id(), version, writing().seal(key));
    }

    void delete(String id) {
        records.delete(id);
    }

    private KeyCipher writing() {
        KeyCipher own = cipher;
        if (own == null) {
            throw readOnly(
                    "Keys can be made and changed like this only if auth.key-encryption-secret is set, to the same at all hosts; "
                            + "without it there is the key file ('talos-gateway key').");
        }
        if (records.all().values().stream()
                .map(Known::sealed)
                .anyMatch(known -> known != null && !own.hasSealed(known))) {
            throw readOnly(
                    "Keys in ZooKeeper are encrypted with another auth.key-encryption-secret than this host's: give all hosts "
                            + "the same one, or delete those keys.");
        }
        String reason = records.whyReadOnly();
        if (reason != null) {
            throw readOnly(reason);
        }
        return own;
    }

    private static GatewayException readOnly(String reason) {
        return new GatewayException(ErrorCode.KEY_READ_ONLY, reason);
    }
}
