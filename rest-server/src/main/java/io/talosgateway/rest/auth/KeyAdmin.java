package io.talosgateway.rest.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.auth.SharedKeys.Opened;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * Makes, lists, changes and deletes the keys that all hosts share, and lists those of this host's key file. Safe for use by any
 * thread; does not block.
 */
public final class KeyAdmin {

    /** All are in the memory of every host. */
    private static final int MAX_KEYS = 10_000;
    /** How often others may be faster with a change of the same key. */
    private static final int ATTEMPTS = 5;

    private static final Duration LONGEST_ROTATION = Duration.ofDays(366);

    private final KeyFile file;
    private final SharedKeys shared;
    private final LastUse lastUse;
    private final Runnable beforeChange;
    private final Executor changes;
    private final InstantSource clock;

    /**
     * @param beforeChange makes sure that the coordination can be trusted; blocks, and throws if not
     * @param changes runs changes, which block; may reject
     */
    public KeyAdmin(
            KeyFile file,
            SharedKeys shared,
            LastUse lastUse,
            Runnable beforeChange,
            Executor changes,
            InstantSource clock) {
        this.file = file;
        this.shared = shared;
        this.lastUse = lastUse;
        this.beforeChange = beforeChange;
        this.changes = changes;
        this.clock = clock;
    }

    /** Where a key is. */
    public enum Source {
        /** In the key file of this host. */
        FILE,
        /** In ZooKeeper. */
        CLUSTER
    }

    /**
     * A key as it is shown.
     *
     * @param key null if it cannot be read on this host
     * @param problem why; null if it can
     * @param lastUsedAtMs when it was last used on this host since that started, to the minute; null if it was not
     */
    public record Listed(
            String id,
            Source source,
            @Nullable AccessKey key,
            @Nullable String problem,
            @Nullable Long lastUsedAtMs) {}

    /** All keys: first those of the file, each part by time of creation. */
    public List<Listed> list() {
        List<Listed> all = new ArrayList<>();
        file.all().forEach(key -> all.add(new Listed(key.id(), Source.FILE, key, null, lastUse.of(key.id()))));
        shared.all().forEach((id, opened) -> all.add(listed(id, opened)));
        all.sort(Comparator.comparing(Listed::source)
                .thenComparing(listed -> listed.key == null ? 0 : listed.key.createdAtMs())
                .thenComparing(Listed::id));
        return all;
    }

    private Listed listed(String id, Opened opened) {
        return new Listed(id, Source.CLUSTER, opened.key(), opened.problem(), lastUse.of(id));
    }

    /** @throws GatewayException {@code KEY_NOT_FOUND} */
    public Listed get(String id) {
        Opened opened = shared.get(id);
        if (opened != null) {
            return listed(id, opened);
        }
        return list().stream()
                .filter(listed -> listed.id.equals(id))
                .findFirst()
                .orElseThrow(() -> notFound(id));
    }

    public CompletableFuture<AccessKey> create(NewKey wanted) {
        return submit(() -> {
            if (shared.all().size() >= MAX_KEYS) {
                throw new GatewayException(
                        ErrorCode.TOO_MANY_KEYS,
                        "There are %d keys already; delete some that are not used.".formatted(MAX_KEYS));
            }
            AccessKey key = wanted.make(clock.millis());
            shared.create(key);
            return key;
        });
    }

    public CompletableFuture<Listed> change(String id, UnaryOperator<KeySettings> change) {
        return update(id, key -> key.with(change.apply(key.settings())))
                .thenApply(key -> new Listed(id, Source.CLUSTER, key, null, lastUse.of(id)));
    }

    /**
     * Gives a key another secret.
     *
     * @param keepOldFor how long the secret that it has now stays valid
     */
    public CompletableFuture<AccessKey> rotate(String id, Duration keepOldFor) {
        if (keepOldFor.isNegative() || keepOldFor.compareTo(LONGEST_ROTATION) > 0) {
            throw new GatewayException(
                    ErrorCode.INVALID_KEY_PARAMETERS,
                    "An old secret stays valid for 0 to %d ms, not %d."
                            .formatted(LONGEST_ROTATION.toMillis(), keepOldFor.toMillis()));
        }
        return update(id, key -> key.rotated(NewKey.newSecret(), clock.millis() + keepOldFor.toMillis()));
    }

    public CompletableFuture<Void> delete(String id) {
        if (shared.get(id) == null) {
            throw notShared(id);
        }
        return submit(() -> {
            shared.delete(id);
            return null;
        });
    }

    private CompletableFuture<AccessKey> update(String id, UnaryOperator<AccessKey> change) {
        if (shared.get(id) == null) {
            throw notShared(id);
        }
        return submit(() -> {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Opened before = shared.get(id);
                if (before == null) {
                    throw notFound(id);
                }
                if (before.key() == null) {
                    throw new GatewayException(
                            ErrorCode.KEY_READ_ONLY,
                            "The key '%s' cannot be read on this host: %s.".formatted(id, before.problem()));
                }
                AccessKey changed = change.apply(before.key());
                if (shared.replace(changed, before.version())) {
                    return changed;
                }
            }
            throw new GatewayException(
                    ErrorCode.OVERLOADED,
                    "The key '%s' was changed by others at the same time; try again.".formatted(id));
        });
    }

    private GatewayException notShared(String id) {
        return file.all().stream().anyMatch(key -> key.id().equals(id))
                ? new GatewayException(
                        ErrorCode.KEY_READ_ONLY,
                        ("The key '%s' is in the key file of a host: change it there with 'talos-gateway key', or where that file "
                                        + "comes from.")
                                .formatted(id))
                : notFound(id);
    }

    private static GatewayException notFound(String id) {
        return new GatewayException(ErrorCode.KEY_NOT_FOUND, "There is no key '%s'.".formatted(id));
    }

    private <T> CompletableFuture<T> submit(Supplier<T> change) {
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        beforeChange.run();
                        return change.get();
                    },
                    changes);
        } catch (RejectedExecutionException e) {
            throw new GatewayException(ErrorCode.OVERLOADED, "Too many changes of keys wait; try again.", e);
        }
    }
}
