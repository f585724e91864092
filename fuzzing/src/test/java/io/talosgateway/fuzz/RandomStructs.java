package io.talosgateway.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;
import org.apache.thrift.TFieldRequirementType;
import org.apache.thrift.meta_data.EnumMetaData;
import org.apache.thrift.meta_data.FieldMetaData;
import org.apache.thrift.meta_data.FieldValueMetaData;
import org.apache.thrift.meta_data.ListMetaData;
import org.apache.thrift.meta_data.MapMetaData;
import org.apache.thrift.meta_data.SetMetaData;
import org.apache.thrift.meta_data.StructMetaData;
import org.apache.thrift.protocol.TType;

/** Fills generated structs, whatever fields they have. For one thread. */
public final class RandomStructs {

    private final SplittableRandom random;

    public RandomStructs(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The struct, with all required fields and some of the others. */
    @SuppressWarnings("unchecked") // a struct has the fields that its metadata names
    public <T extends TBase<?, ?>> T filled(T struct) {
        TBase<?, TFieldIdEnum> fields = (TBase<?, TFieldIdEnum>) struct;
        metadata(struct).forEach((field, metadata) -> {
            if (metadata.requirementType == TFieldRequirementType.REQUIRED || random.nextBoolean()) {
                fields.setFieldValue(field, value(metadata.valueMetaData));
            }
        });
        return struct;
    }

    @SuppressWarnings("unchecked") // so the generated code declares it
    private static Map<TFieldIdEnum, FieldMetaData> metadata(TBase<?, ?> struct) {
        try {
            return (Map<TFieldIdEnum, FieldMetaData>)
                    struct.getClass().getField("metaDataMap").get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("generated structs have such a field", e);
        }
    }

    private Object value(FieldValueMetaData type) {
        if (type instanceof EnumMetaData choice) {
            Object[] values = choice.enumClass.getEnumConstants();
            return values[random.nextInt(values.length)];
        }
        if (type instanceof StructMetaData struct) {
            return filled(created(struct.structClass));
        }
        if (type instanceof ListMetaData list) {
            List<Object> values = new ArrayList<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                values.add(value(list.elemMetaData));
            }
            return values;
        }
        if (type instanceof SetMetaData set) {
            Set<Object> values = new HashSet<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                values.add(value(set.elemMetaData));
            }
            return values;
        }
        if (type instanceof MapMetaData map) {
            Map<Object, Object> values = new HashMap<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                values.put(value(map.keyMetaData), value(map.valueMetaData));
            }
            return values;
        }
        return switch (type.type) {
            case TType.BOOL -> random.nextBoolean();
            case TType.BYTE -> (byte) random.nextInt(256);
            case TType.I16 -> (short) random.nextInt(1 << 16);
            case TType.I32 -> random.nextInt() >> random.nextInt(32);
            case TType.I64 -> random.nextLong() >> random.nextInt(64);
            case TType.DOUBLE -> random.nextDouble();
            case TType.STRING ->
                type.isBinary() ? bytes() : "t\u00e4\u20ac\ud83d\ude00\"\\".substring(random.nextInt(5));
            default -> throw new AssertionError("no values of Thrift type " + type.type);
        };
    }

    private ByteBuffer bytes() {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static TBase<?, ?> created(Class<?> type) {
        try {
            return (TBase<?, ?>) type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("generated structs have such a constructor", e);
        }
    }
}
