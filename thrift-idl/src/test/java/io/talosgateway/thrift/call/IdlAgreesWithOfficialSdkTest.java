package io.talosgateway.thrift.call;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.apache.thrift.TBase;
import org.apache.thrift.TEnum;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares our structs and enums with those inside the official SDK 2.0.2: every field it has, ours must have with the
 * same id, name, wire type and requiredness. (Fields that only newer SDKs have are ours alone.)
 */
final class IdlAgreesWithOfficialSdkTest {

    private static final String SDK_PACKAGE = "com.xiaomi.infra.galaxy.talos.thrift.";
    private static final Path GENERATED = Path.of("src/main/java-generated/io/talosgateway/thrift");

    @Test
    void structsOfTheSdkAreOurs() throws Exception {
        int compared = 0;
        for (String name : ourTypes()) {
            Class<?> ours = Class.forName("io.talosgateway.thrift." + name);
            Class<?> theirs = sdkClass(name);
            if (theirs != null && TBase.class.isAssignableFrom(ours)) {
                assertThat(fields(ours)).as(name).containsAll(fields(theirs));
                compared++;
            }
        }
        assertThat(compared).as("structs compared").isGreaterThan(60);
    }

    @Test
    void enumsOfTheSdkAreOurs() throws Exception {
        int compared = 0;
        for (String name : ourTypes()) {
            Class<?> ours = Class.forName("io.talosgateway.thrift." + name);
            Class<?> theirs = sdkClass(name);
            if (theirs != null && TEnum.class.isAssignableFrom(ours)) {
                assertThat(values(ours)).as(name).containsAll(values(theirs));
                compared++;
            }
        }
        assertThat(compared).as("enums compared").isGreaterThanOrEqualTo(6);
    }

    private static List<String> ourTypes() throws IOException {
        try (Stream<Path> files = Files.list(GENERATED)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .sorted()
                    .collect(toList());
        }
    }

    private static @Nullable Class<?> sdkClass(String name) {
        try {
            return Class.forName(SDK_PACKAGE + name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Both generations of Thrift keep a public static map of field metadata; the SDK's is a relocated older one. */
    private static List<String> fields(Class<?> struct) throws ReflectiveOperationException {
        List<String> fields = new ArrayList<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) struct.getField("metaDataMap").get(null)).entrySet()) {
            Object metadata = entry.getValue();
            Object value = get(metadata, "valueMetaData");
            fields.add("%s: %s %s requirement %s binary %s"
                    .formatted(
                            entry.getKey()
                                    .getClass()
                                    .getMethod("getThriftFieldId")
                                    .invoke(entry.getKey()),
                            get(metadata, "fieldName"),
                            // Metadata of an enum has a type of its own, which newer versions renumbered.
                            value.getClass().getSimpleName().equals("EnumMetaData") ? "enum" : get(value, "type"),
                            get(metadata, "requirementType"),
                            value.getClass().getMethod("isBinary").invoke(value)));
        }
        return fields;
    }

    private static Object get(Object object, String field) throws ReflectiveOperationException {
        Field reflected = object.getClass().getField(field);
        return reflected.get(object);
    }

    private static List<String> values(Class<?> enumeration) throws ReflectiveOperationException {
        List<String> values = new ArrayList<>();
        for (Object constant : enumeration.getEnumConstants()) {
            // INVALID_TOPIC_NAME was renamed to INVALID_NAME_ERROR after 2.0.2; the number is what travels.
            String name = constant.toString().replace("INVALID_TOPIC_NAME", "INVALID_NAME_ERROR");
            values.add(name + " = " + constant.getClass().getMethod("getValue").invoke(constant));
        }
        return values;
    }
}
