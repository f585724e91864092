package io.talosgateway.thrift.call;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

/** Describes a generated struct as text, one line a field, so that it can be compared with its IDL. */
final class StructDescription {

    private StructDescription() {}

    static List<String> of(Class<? extends TBase<?, ?>> struct) throws ReflectiveOperationException {
        // The static initializer registers the metadata.
        TBase<?, ?> empty = struct.getDeclaredConstructor().newInstance();
        Map<? extends TFieldIdEnum, FieldMetaData> fields = metadata(struct);
        return fields.entrySet().stream()
                .sorted(Comparator.comparing(field -> field.getKey().getThriftFieldId()))
                .map(field -> "%d: %s%s %s%s"
                        .formatted(
                                field.getKey().getThriftFieldId(),
                                requiredness(field.getValue()),
                                type(field.getValue().valueMetaData),
                                field.getKey().getFieldName(),
                                defaultValue(empty, field.getKey())))
                .collect(Collectors.toList());
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Map<? extends TFieldIdEnum, FieldMetaData> metadata(Class<? extends TBase<?, ?>> struct) {
        return FieldMetaData.getStructMetaDataMap((Class) struct);
    }

    private static String requiredness(FieldMetaData field) {
        return switch (field.requirementType) {
            case TFieldRequirementType.REQUIRED -> "required ";
            case TFieldRequirementType.OPTIONAL -> "optional ";
            default -> "";
        };
    }

    /** The default of an optional number or bool is there without being "set": the generated code does not send it. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static String defaultValue(TBase<?, ?> empty, TFieldIdEnum field) {
        Object value = ((TBase) empty).getFieldValue(field);
        boolean zero = value == null || value.equals(0) || value.equals(0L) || value.equals(false);
        return zero ? "" : " = " + value;
    }

    private static String type(FieldValueMetaData value) {
        if (value instanceof ListMetaData list) {
            return "list<" + type(list.elemMetaData) + ">";
        }
        if (value instanceof SetMetaData set) {
            return "set<" + type(set.elemMetaData) + ">";
        }
        if (value instanceof MapMetaData map) {
            return "map<" + type(map.keyMetaData) + "," + type(map.valueMetaData) + ">";
        }
        if (value instanceof StructMetaData struct) {
            return struct.structClass.getSimpleName();
        }
        if (value instanceof EnumMetaData enumeration) {
            return enumeration.enumClass.getSimpleName();
        }
        return switch (value.type) {
            case TType.BOOL -> "bool";
            case TType.I32 -> "i32";
            case TType.I64 -> "i64";
            case TType.STRING -> value.isBinary() ? "binary" : "string";
            default -> throw new AssertionError("a type the IDL does not use: " + value.type);
        };
    }
}
