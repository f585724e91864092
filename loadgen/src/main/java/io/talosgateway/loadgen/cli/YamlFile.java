package io.talosgateway.loadgen.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Files of the jar's folder {@code experiments}, each read once. Safe for use by any thread. */
public final class YamlFile {

    /** Makes records of what is read. Texts, lists and maps that are not there are empty. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .withConfigOverride(
                    String.class, text -> text.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(List.class, list -> list.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(Map.class, map -> map.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();

    private static final Map<String, ObjectNode> FILES = new ConcurrentHashMap<>();

    private YamlFile() {}

    /**
     * What a file says, to be changed at will.
     *
     * @param name without its ending
     */
    public static ObjectNode read(String name) {
        return FILES.computeIfAbsent(name, YamlFile::parse).deepCopy();
    }

    private static ObjectNode parse(String name) {
        String file = "/experiments/" + name + ".yaml";
        try (InputStream stream = YamlFile.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("the jar has no " + file);
            }
            Map<String, Object> fields = new Yaml(new SafeConstructor(new LoaderOptions())).load(stream);
            return MAPPER.valueToTree(fields);
        } catch (IOException e) {
            throw new IllegalStateException("the jar's " + file + " cannot be read", e);
        }
    }
}
