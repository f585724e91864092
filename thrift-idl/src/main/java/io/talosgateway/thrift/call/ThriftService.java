package io.talosgateway.thrift.call;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The services that the Talos SDKs call over HTTP. Each answers {@code POST /v1/api/<name>} and has, besides its own
 * methods, those of {@link BaseMethods}.
 */
public enum ThriftService {
    TOPIC("TopicService", "topic", TopicMethods.ALL),
    MESSAGE("MessageService", "message", MessageMethods.ALL),
    CONSUMER("ConsumerService", "consumer", ConsumerMethods.ALL),
    QUOTA("QuotaService", "quota", QuotaMethods.ALL),
    METRIC("MetricService", "metric", MetricMethods.ALL);

    private static final String PREFIX = "/v1/api/";
    private static final Map<String, ThriftService> BY_PATH =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ThriftService::path, Function.identity()));

    private final String idlName;
    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable
    private final Map<String, ThriftMethod<?, ?>> methods;

    ThriftService(String idlName, String name, List<ThriftMethod<?, ?>> ownMethods) {
        this.idlName = idlName;
        this.path = PREFIX + name;
        Map<String, ThriftMethod<?, ?>> byName = new LinkedHashMap<>();
        ownMethods.forEach(method -> byName.put(method.name(), method));
        BaseMethods.ALL.forEach(method -> byName.put(method.name(), method));
        this.methods = Collections.unmodifiableMap(byName);
    }

    /** The name in the IDL. */
    public String idlName() {
        return idlName;
    }

    /** The HTTP path, without a trailing slash. */
    public String path() {
        return path;
    }

    /** The method with this name on the wire, or null if the service has none. */
    public @Nullable ThriftMethod<?, ?> method(String name) {
        return methods.get(name);
    }

    /** All methods, those of the base service included. */
    public Iterable<ThriftMethod<?, ?>> methods() {
        return methods.values();
    }

    /** The service that answers under {@code path}, or null. */
    public static @Nullable ThriftService atPath(String path) {
        // Most requests are none of these: their path need not be hashed.
        return path.startsWith(PREFIX) ? BY_PATH.get(path) : null;
    }
}
