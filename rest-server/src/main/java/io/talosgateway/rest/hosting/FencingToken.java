package io.talosgateway.rest.hosting;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * Which writer may put to a partition with its token. While the token changes, no put with a token is taken; it changes when what
 * became of those taken before is certain. Safe for use by any thread.
 */
public final class FencingToken {

    private final Runnable requireOwned;

    // Guarded by this.
    private @Nullable String current;
    private int undecided;
    private @Nullable CompletableFuture<Void> change;

    /**
     * @param current as recorded; null if there is none
     * @param requireOwned throws if another host may have changed the token
     */
    FencingToken(@Nullable String current, Runnable requireOwned) {
        this.current = current;
        this.requireOwned = requireOwned;
    }

    public synchronized @Nullable String current() {
        return current;
    }

    /**
     * Takes a put; {@link #decided} is to be called when its outcome is certain.
     *
     * @throws GatewayException {@code FENCED} if the partition has another token, {@code PARTITION_MOVING} while it changes
     */
    public synchronized void begin(String token) {
        if (change != null) {
            throw changing();
        }
        if (!token.equals(current)) {
            requireOwned.run();
            throw GatewayException.fenced(current);
        }
        undecided++;
    }

    /** The outcome of a put that was taken is certain. */
    public void decided() {
        CompletableFuture<Void> settled;
        synchronized (this) {
            undecided--;
            settled = undecided == 0 ? change : null;
        }
        if (settled != null) {
            settled.complete(null);
        }
    }

    /**
     * Begins to change the token, which {@link #changed} ends.
     *
     * @return completed when the change can be recorded; null if the partition has this token
     * @throws GatewayException {@code FENCED} if it has another one than is to be replaced, {@code PARTITION_MOVING} while it changes
     */
    synchronized @Nullable CompletableFuture<Void> beginChange(String token, @Nullable String replaces) {
        requireOwned.run();
        if (change != null) {
            throw changing();
        }
        if (token.equals(current)) {
            return null;
        }
        if (!Objects.equals(replaces, current)) {
            throw GatewayException.fenced(current);
        }
        change = new CompletableFuture<>();
        if (undecided == 0) {
            change.complete(null);
        }
        return change;
    }

    /** The change is recorded. */
    synchronized void changed(String token) {
        current = token;
        change = null;
    }

    private static GatewayException changing() {
        return new GatewayException(
                ErrorCode.PARTITION_MOVING, "The fencing token of the partition is being changed; try again shortly.");
    }
}
