package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TFieldIdEnum;
import org.apache.thrift.meta_data.FieldMetaData;
import org.apache.thrift.meta_data.FieldValueMetaData;
import org.apache.thrift.meta_data.ListMetaData;
import org.apache.thrift.meta_data.MapMetaData;
import org.apache.thrift.meta_data.SetMetaData;
import org.apache.thrift.meta_data.StructMetaData;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Every list, set and map of every request of every service, as the metadata of the generated structs has them. */
final class BoundedProtocolTest {

    private static final int LIMIT = 10_000;

    /** A field of a struct on the way to a collection. */
    private record Step(short id, String name, FieldValueMetaData value) {}

    /** A collection of a request: the fields that lead to it. */
    private record Place(ThriftMethod<?, ?> method, List<Step> steps) {
        @Override
        public String toString() {
            return method.name() + "." + steps.stream().map(Step::name).collect(Collectors.joining("."));
        }
    }

    static List<Place> places() {
        List<Place> places = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ThriftService service : ThriftService.values()) {
            for (ThriftMethod<?, ?> method : service.methods()) {
                if (method.newArgument() instanceof TBase<?, ?> argument && seen.add(method.name())) {
                    collect(method, argument.getClass(), List.of(), places);
                }
            }
        }
        return places;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void collect(ThriftMethod<?, ?> method, Class<?> struct, List<Step> path, List<Place> places) {
        Map<? extends TFieldIdEnum, FieldMetaData> fields =
                FieldMetaData.getStructMetaDataMap((Class<? extends TBase>) struct);
        fields.forEach((id, field) -> {
            List<Step> here = Stream.concat(
                            path.stream(),
                            Stream.of(new Step(id.getThriftFieldId(), field.fieldName, field.valueMetaData)))
                    .toList();
            if (field.valueMetaData.isContainer()) {
                places.add(new Place(method, here));
            }
            if (element(field.valueMetaData) instanceof StructMetaData inner) {
                collect(method, inner.structClass, here, places);
            }
        });
    }

    /** What a collection holds; of a map, its values; of everything else, itself. */
    private static FieldValueMetaData element(FieldValueMetaData value) {
        if (value instanceof ListMetaData list) {
            return list.elemMetaData;
        }
        if (value instanceof SetMetaData set) {
            return set.elemMetaData;
        }
        return value instanceof MapMetaData map ? map.valueMetaData : value;
    }

    private static void write(TProtocol out, List<Step> path, int elements) throws TException {
        Step step = path.get(0);
        boolean last = path.size() == 1;
        out.writeStructBegin(new TStruct("struct"));
        out.writeFieldBegin(new TField(step.name, step.value.type, step.id));
        int size = last ? elements : 1;
        switch (step.value.type) {
            case TType.LIST -> out.writeListBegin(new TList(wireType(element(step.value)), size));
            case TType.SET -> out.writeSetBegin(new TSet(wireType(element(step.value)), size));
            case TType.MAP ->
                out.writeMapBegin(new TMap(
                        wireType(((MapMetaData) step.value).keyMetaData), wireType(element(step.value)), size));
            default -> {
                // A struct.
            }
        }
        for (int index = 0; index < size; index++) {
            if (step.value instanceof MapMetaData map) {
                writeNothing(out, wireType(map.keyMetaData), index);
            }
            if (last) {
                writeNothing(out, wireType(element(step.value)), index);
            } else {
                write(out, path.subList(1, path.size()), elements);
            }
        }
        switch (step.value.type) {
            case TType.LIST -> out.writeListEnd();
            case TType.SET -> out.writeSetEnd();
            case TType.MAP -> out.writeMapEnd();
            default -> {
                // A struct.
            }
        }
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }

    private static byte wireType(FieldValueMetaData value) {
        return value.type == TType.ENUM ? TType.I32 : value.type;
    }

    private static void writeNothing(TProtocol out, byte type, int number) throws TException {
        switch (type) {
            case TType.I32 -> out.writeI32(number);
            case TType.I64 -> out.writeI64(number);
            case TType.STRING -> out.writeString(Integer.toString(number));
            case TType.STRUCT -> {
                out.writeStructBegin(new TStruct("empty"));
                out.writeFieldStop();
                out.writeStructEnd();
            }
            case TType.LIST -> {
                out.writeListBegin(new TList(TType.I32, 0));
                out.writeListEnd();
            }
            default -> throw new AssertionError("a new type of elements: " + type);
        }
    }

    private static ByteSlice call(Place place, ThriftFormat format, int elements) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(1024);
        ThriftEnvelope.writeCall(
                format.writing(buffer),
                place.method.name(),
                1,
                place.method.argumentName(),
                out -> write(out, place.steps, elements));
        return new ByteSlice(Arrays.copyOf(buffer.getArray(), buffer.length()));
    }

    private static void read(Place place, ThriftFormat format, int elements) throws TException {
        TProtocol in = new BoundedProtocol(format.reading(call(place, format, elements)), LIMIT);
        in.readMessageBegin();
        place.method.readArguments(in);
    }

    static Stream<Arguments> placesAndFormats() {
        return places().stream()
                .flatMap(place -> Arrays.stream(ThriftFormat.values()).map(format -> Arguments.of(place, format)));
    }

    @ParameterizedTest
    @MethodSource("placesAndFormats")
    void collectionWithMoreElementsIsRefusedWhileItIsRead(Place place, ThriftFormat format) {
        assertThatThrownBy(() -> read(place, format, LIMIT + 1))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.REQUEST_TOO_LARGE));
        // So many may be read; that required fields are missing is seen behind them.
        try {
            read(place, format, LIMIT - place.steps.size());
        } catch (TException e) {
            assertThat(e).hasMessageContaining("Required field");
        }
    }

    @Test
    void placesAreThoseOfTheServices() {
        assertThat(places().stream().map(Place::toString))
                .contains(
                        "getPartitionsOffset.topicAndPartitionList",
                        "getTopicCheckpoint.partitionTimeIndexMap",
                        "createTopic.aclMap",
                        "createTopic.topicAttribute.attributes",
                        "putMessage.messageBlocks",
                        "putMessage.messageBlocks.createTimestampList");
    }

    @Test
    void elementsOfAllCollectionsAreCountedTogether() throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(1024);
        TProtocol out = ThriftFormat.COMPACT.writing(buffer);
        out.writeListBegin(new TList(TType.LIST, 200));
        for (int list = 0; list < 200; list++) {
            out.writeListBegin(new TList(TType.BYTE, 50));
            for (int element = 0; element < 50; element++) {
                out.writeByte((byte) 0);
            }
        }
        TProtocol in = new BoundedProtocol(
                ThriftFormat.COMPACT.reading(new ByteSlice(buffer.getArray(), 0, buffer.length())), LIMIT);

        assertThatThrownBy(() -> in.skip(TType.LIST))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("may have 10000 elements together");
    }
}
