package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

import io.talosgateway.rest.coordination.OwnerQuotas;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerQuota;
import org.jspecify.annotations.Nullable;

/** Quotas of owners as nodes, of those about whom something was said. */
record CuratorOwnerQuotas(CuratorRecords<OwnerQuota> records) implements OwnerQuotas {

    private static final String PREFIX = "of-";

    static final CuratorRecords.Kind<OwnerQuota> KIND = new CuratorRecords.Kind<>() {

        @Override
        public String title() {
            return "a quota";
        }

        @Override
        public String name(OwnerQuota quota) {
            return quota.ownerId();
        }

        /** The names of nodes must not be a dot or have slashes; those of owners may. */
        @Override
        public String nodeName(String ownerId) {
            return PREFIX + URLEncoder.encode(ownerId, StandardCharsets.UTF_8);
        }

        @Override
        public String nameAt(String nodeName) {
            try {
                return URLDecoder.decode(
                        nodeName.substring(Math.min(nodeName.length(), PREFIX.length())), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return nodeName;
            }
        }

        @Override
        public byte[] encode(OwnerQuota quota) {
            return RecordJson.encode(quota);
        }

        @Override
        public OwnerQuota decode(byte[] bytes) throws IOException {
            return RecordJson.ownerQuota(bytes);
        }

        @Override
        public GatewayException exists(OwnerQuota quota) {
            return changedByOther(quota);
        }

        @Override
        public GatewayException gone(OwnerQuota quota) {
            return changedByOther(quota);
        }
    };

    private static GatewayException changedByOther(OwnerQuota quota) {
        return new GatewayException(
                ErrorCode.OVERLOADED,
                "The quota of '" + quota.ownerId() + "' was changed by somebody else at the same time; try again.");
    }

    @Override
    public @Nullable OwnerQuota find(String ownerId) {
        return records.find(ownerId);
    }

    @Override
    public Collection<OwnerQuota> all() {
        return records.all();
    }

    @Override
    public void replace(OwnerQuota expected, OwnerQuota changed) {
        if (expected.isNothing()) {
            if (!changed.isNothing()) {
                records.create(changed);
            }
        } else if (changed.isNothing()) {
            records.delete(expected);
        } else {
            records.update(expected, changed);
        }
    }
}
