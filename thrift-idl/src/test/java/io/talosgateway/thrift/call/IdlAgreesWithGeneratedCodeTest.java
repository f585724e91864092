package io.talosgateway.thrift.call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.facebook.swift.parser.ThriftIdlParser;
import com.facebook.swift.parser.model.AbstractStruct;
import com.facebook.swift.parser.model.BaseType;
import com.facebook.swift.parser.model.Definition;
import com.facebook.swift.parser.model.IdentifierType;
import com.facebook.swift.parser.model.IntegerEnum;
import com.facebook.swift.parser.model.ListType;
import com.facebook.swift.parser.model.MapType;
import com.facebook.swift.parser.model.Service;
import com.facebook.swift.parser.model.SetType;
import com.facebook.swift.parser.model.ThriftField;
import com.facebook.swift.parser.model.ThriftType;
import com.google.common.io.MoreFiles;
import org.apache.thrift.TBase;
import org.apache.thrift.TEnum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads the {@code .thrift} files with a parser in Java and compares them with the generated classes and the method
 * tables, so that a change of one without the other fails the build on a machine without a Thrift compiler.
 */
final class IdlAgreesWithGeneratedCodeTest {

    private static final Path IDL = Path.of("src/main/thrift");
    private static final Path GENERATED = Path.of("src/main/java-generated");

    static List<Path> idlFiles() throws IOException {
        try (Stream<Path> files = Files.list(IDL)) {
            return files.filter(file -> file.toString().endsWith(".thrift"))
                    .sorted()
                    .collect(toList());
        }
    }

    @ParameterizedTest
    @MethodSource("idlFiles")
    void structsHaveTheFieldsOfTheIdl(Path file) throws Exception {
        for (AbstractStruct struct : definitions(file, AbstractStruct.class)) {
            assertThat(StructDescription.of(structClass(file, struct.getName())))
                    .as("%s in %s", struct.getName(), file)
                    .isEqualTo(struct.getFields().stream()
                            .map(IdlAgreesWithGeneratedCodeTest::describe)
                            .collect(toList()));
        }
    }

    @ParameterizedTest
    @MethodSource("idlFiles")
    void enumsHaveTheValuesOfTheIdl(Path file) throws Exception {
        for (IntegerEnum enumeration : definitions(file, IntegerEnum.class)) {
            Class<?> generated = Class.forName(packageOf(file) + "." + enumeration.getName());
            assertThat(Arrays.stream(generated.getEnumConstants())
                            .map(constant -> constant + " = " + ((TEnum) constant).getValue())
                            .collect(toList()))
                    .as("%s in %s", enumeration.getName(), file)
                    .isEqualTo(enumeration.getFields().stream()
                            .map(value -> value.getName() + " = " + value.getValue())
                            .collect(toList()));
        }
    }

    @Test
    void everyGeneratedClassHasADefinition() throws Exception {
        TreeSet<String> defined = new TreeSet<>();
        for (Path file : idlFiles()) {
            for (Definition definition : ThriftIdlParser.parseThriftIdl(
                            MoreFiles.asCharSource(file, StandardCharsets.UTF_8))
                    .getDefinitions()) {
                if (!(definition instanceof Service)) {
                    defined.add((packageOf(file) + "." + nameOf(definition)).replace('.', '/') + ".java");
                }
            }
        }
        TreeSet<String> generated = new TreeSet<>();
        try (Stream<Path> files = Files.walk(GENERATED)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> generated.add(GENERATED.relativize(file).toString()));
        }
        assertThat(generated).isEqualTo(defined);
    }

    @Test
    void methodTablesHaveTheMethodsOfTheIdl() throws Exception {
        for (ThriftService service : ThriftService.values()) {
            Path file = IDL.resolve(service.name().toLowerCase(Locale.ROOT) + ".thrift");
            Service idl = definitions(file, Service.class).get(0);
            assertThat(idl.getName()).isEqualTo(service.idlName());
            assertThat(idl.getParent().orNull()).isEqualTo("common.TalosBaseService");
            List<String> expected = describe(idl);
            expected.addAll(describe(
                    definitions(IDL.resolve("common.thrift"), Service.class).get(0)));
            assertThat(service.methods())
                    .extracting(IdlAgreesWithGeneratedCodeTest::describe)
                    .isEqualTo(expected);
        }
        assertThat(HostMethods.ALL)
                .extracting(IdlAgreesWithGeneratedCodeTest::describe)
                .isEqualTo(describe(
                        definitions(IDL.resolve("host.thrift"), Service.class).get(0)));
    }

    @ParameterizedTest
    @MethodSource("idlFiles")
    void everyFieldAndMethodIsDocumented(Path file) throws IOException {
        String previous = "";
        for (String line : Files.readAllLines(file)) {
            if (line.matches("  \\d+: .*|  \\S+ \\w+\\(.*")) {
                assertThat(previous)
                        .as("the line before '%s' in %s", line, file)
                        .endsWith("*/");
            }
            previous = line;
        }
    }

    private static <T> List<T> definitions(Path file, Class<T> kind) throws IOException {
        return ThriftIdlParser.parseThriftIdl(MoreFiles.asCharSource(file, StandardCharsets.UTF_8))
                .getDefinitions()
                .stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .collect(toList());
    }

    private static String nameOf(Definition definition) {
        if (definition instanceof AbstractStruct struct) {
            return struct.getName();
        }
        if (definition instanceof IntegerEnum enumeration) {
            return enumeration.getName();
        }
        throw new AssertionError("a kind of definition the IDL does not use: " + definition);
    }

    private static String packageOf(Path file) {
        return file.endsWith("rpc.thrift") ? "io.talosgateway.thrift.rpc" : "io.talosgateway.thrift";
    }

    @SuppressWarnings("unchecked")
    private static Class<? extends TBase<?, ?>> structClass(Path file, String name) throws ClassNotFoundException {
        return (Class<? extends TBase<?, ?>>) Class.forName(packageOf(file) + "." + name);
    }

    private static String describe(ThriftField field) {
        String requiredness = switch (field.getRequiredness()) {
            case REQUIRED -> "required ";
            case OPTIONAL -> "optional ";
            case NONE -> "";
        };
        String value = field.getValue().isPresent()
                ? " = " + field.getValue().get().value().toString().replaceFirst("^[A-Z]\\w+\\.", "")
                : "";
        return "%d: %s%s %s%s"
                .formatted(
                        field.getIdentifier().get(), requiredness, describe(field.getType()), field.getName(), value);
    }

    private static String describe(ThriftType type) {
        if (type instanceof ListType list) {
            return "list<" + describe(list.getElementType()) + ">";
        }
        if (type instanceof SetType set) {
            return "set<" + describe(set.getElementType()) + ">";
        }
        if (type instanceof MapType map) {
            return "map<" + describe(map.getKeyType()) + "," + describe(map.getValueType()) + ">";
        }
        if (type instanceof IdentifierType identifier) {
            return identifier.getName().substring(identifier.getName().lastIndexOf('.') + 1);
        }
        if (type instanceof BaseType base) {
            return base.getType().name().toLowerCase(Locale.ROOT);
        }
        return "void";
    }

    private static List<String> describe(Service service) {
        return service.getMethods().stream()
                .map(method -> {
                    String argument = method.getArguments().isEmpty()
                            ? ""
                            : describe(method.getArguments().get(0).getType()) + " "
                                    + method.getArguments().get(0).getName();
                    assertThat(method.getArguments()).as(method.getName()).hasSizeLessThanOrEqualTo(1);
                    assertThat(method.getArguments())
                            .allSatisfy(field ->
                                    assertThat(field.getIdentifier().get()).isEqualTo(1));
                    assertThat(method.getThrowsFields())
                            .allSatisfy(field -> assertThat(describe(field)).isEqualTo("1: GalaxyTalosException e"));
                    return "%s %s(%s)%s"
                            .formatted(
                                    describe(method.getReturnType()),
                                    method.getName(),
                                    argument,
                                    method.getThrowsFields().isEmpty() ? "" : " throws");
                })
                .collect(toList());
    }

    private static String describe(ThriftMethod<?, ?> method) {
        Object argument = method.newArgument();
        Object result = method.newResult();
        return "%s %s(%s)%s"
                .formatted(
                        result == null ? "void" : result.getClass().getSimpleName(),
                        method.name(),
                        argument == null ? "" : argument.getClass().getSimpleName() + " " + method.argumentName(),
                        method.declaresException() ? " throws" : "");
    }
}
