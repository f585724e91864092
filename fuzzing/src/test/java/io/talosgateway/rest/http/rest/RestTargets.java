package io.talosgateway.rest.http.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies of REST requests, and messages as they are shown. */
public final class RestTargets {

    private static final MessageLimits LIMITS = new MessageLimits(DataSize.ofMiB(24), DataSize.ofKiB(64), 1000, 10);

    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.MALFORMED_REQUEST, ErrorCode.REQUEST_TOO_LARGE, ErrorCode.INVALID_MESSAGE);

    private RestTargets() {}

    private record Topic(
            TopicOperations.@Nullable NewTopicJson created, TopicOperations.@Nullable TopicChangeJson changed) {}

    private record Stored(Message message, Map<ValueView, MessageJson.Shown> shown) {}

    public static List<FuzzTarget<?>> all() {
        // A parser has buffers, and a mapper caches names.
        return List.of(
                FuzzTarget.of("rest-put-json", puts(), RestTargets::put)
                        .checked(RestTargets::check)
                        .allocating(256, 512 * 1024),
                FuzzTarget.of("rest-put-ndjson", lines(), RestTargets::lines)
                        .checked(RestTargets::check)
                        // One reader for each line.
                        .allocating(8192, 512 * 1024),
                FuzzTarget.of("rest-topic-json", topics(), RestTargets::topic).allocating(256, 512 * 1024),
                FuzzTarget.of("rest-shown", payloads(), RestTargets::shown).checked(RestTargets::checkShown));
    }

    private static <T> @Nullable T decoded(Supplier<T> decoder) {
        try {
            return decoder.get();
        } catch (GatewayException e) {
            assertThat(e.code()).isIn(REFUSALS);
            return null;
        }
    }

    private static @Nullable List<Message> put(byte[] input) {
        return decoded(
                () -> Json.read(PutJson.reader(LIMITS), new ByteSlice(input), PutJson.MessagesJson.class, "The put")
                        .messages());
    }

    private static @Nullable List<Message> lines(byte[] input) {
        return decoded(() -> PutBody.lines(new ByteSlice(input), LIMITS));
    }

    private static @Nullable Topic topic(byte[] input) {
        ByteSlice body = new ByteSlice(input);
        TopicOperations.NewTopicJson created = decoded(() -> Json.read(body, TopicOperations.NewTopicJson.class, "It"));
        TopicOperations.TopicChangeJson changed =
                decoded(() -> Json.read(body, TopicOperations.TopicChangeJson.class, "It"));
        return created == null && changed == null ? null : new Topic(created, changed);
    }

    /** Written as JSON with their payloads in Base64 they are the same messages. */
    private static void check(List<Message> messages) {
        checkShownAsPut(messages);
        List<MessageJson> json = messages.stream()
                .map(message -> new MessageJson(
                        message.key(),
                        null,
                        Base64.getEncoder().encodeToString(message.payload().toByteArray()),
                        message.sequenceNumber(),
                        message.createTimestampMs()))
                .toList();
        StringBuilder lines = new StringBuilder();
        json.forEach(one -> lines.append(Json.write(one).utf8()).append('\n'));
        List<Message> again = lines(lines.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(again).hasSameSizeAs(messages);
        for (int index = 0; index < messages.size(); index++) {
            Message one = messages.get(index);
            Message other = again.get(index);
            assertThat(other.payload().equals(one.payload())).isTrue();
            assertThat(other.key()).isEqualTo(one.key());
            assertThat(other.sequenceNumber()).isEqualTo(one.sequenceNumber());
            assertThat(other.createTimestampMs()).isEqualTo(one.createTimestampMs());
        }
    }

    /** What a get shows is what was put: put again it is the same bytes in the same form. */
    private static void checkShownAsPut(List<Message> messages) {
        StringBuilder lines = new StringBuilder();
        for (Message message : messages) {
            String shown =
                    Json.write(MessageJson.shown(0, message, ValueView.AS_PUT)).utf8();
            lines.append('{').append(shown.substring("{'offset':0,".length())).append('\n');
        }
        assertThat(lines(lines.toString().getBytes(StandardCharsets.UTF_8))).isEqualTo(messages);
    }

    private static Stored shown(byte[] input) {
        ValueForm[] forms = ValueForm.values();
        int form = input.length % (forms.length + 1);
        Message message = new Message(
                null,
                null,
                new ByteSlice(input),
                null,
                1L,
                Message.BINARY,
                null,
                null,
                form == forms.length ? null : forms[form]);
        Map<ValueView, MessageJson.Shown> shown = new EnumMap<>(ValueView.class);
        for (ValueView view : ValueView.values()) {
            shown.put(view, MessageJson.shown(7, message, view));
        }
        return new Stored(message, shown);
    }

    /** What is shown is the payload, in one form, and takes no more bytes than was said. */
    private static void checkShown(Stored stored) throws Exception {
        byte[] payload = stored.message().payload().toByteArray();
        for (Map.Entry<ValueView, MessageJson.Shown> each : stored.shown().entrySet()) {
            ValueView view = each.getKey();
            MessageJson.Shown shown = each.getValue();
            JsonNode json = Json.MAPPER.readTree(Json.write(shown).toByteArray());
            JsonNode value = json.get("value");
            JsonNode base64 = json.get("valueBase64");
            assertThat(value == null).isNotEqualTo(base64 == null);
            if (base64 != null) {
                assertThat(base64.binaryValue()).isEqualTo(payload);
            } else if (shown.value() instanceof String) {
                assertThat(utf8(value.textValue())).isEqualTo(payload);
            } else {
                assertThat(value).isEqualTo(Json.MAPPER.readTree(payload));
            }
            ByteSlice only = Json.write(
                    shown.value() != null
                            ? shown.value()
                            : stored.message().payload().toByteArray());
            assertThat(only.length() - 2L).isLessThanOrEqualTo(view.maxBytes(stored.message()));
        }
    }

    // --- Valid inputs ---

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> messages() {
        return List.of(
                "{\"value\":\"x\"}",
                "{\"key\":\"k\\u00e9\",\"value\":\"\\ud83d\\ude00 text\",\"sequenceNumber\":\"s-1\",\"createdAtMs\":1600000000000}",
                "{\"valueBase64\":\"AAECAw==\"}",
                "{\"value\":{\"a\":[1,2.50,-3e7,true,null,\"t\"],\"b\":{}}}",
                "{\"value\":[[[[1]]]]}",
                "{\"value\":12345678901234567890.1234567890}");
    }

    private static List<byte[]> puts() {
        List<byte[]> seeds = new ArrayList<>();
        messages().forEach(message -> seeds.add(utf8("{\"messages\":[" + message + "]}")));
        seeds.add(utf8("{\"messages\":[" + String.join(",", messages()) + "]}"));
        return seeds;
    }

    private static List<byte[]> lines() {
        List<byte[]> seeds = new ArrayList<>();
        messages().forEach(message -> seeds.add(utf8(message)));
        seeds.add(utf8(String.join("\n", messages()) + "\r\n\n"));
        return seeds;
    }

    private static List<byte[]> topics() {
        return List.of(
                utf8(
                        "{\"name\":\"orders\",\"partitions\":8,\"retentionMs\":86400000,\"attributes\":{\"talos.durability\":\"disk\"}}"),
                utf8("{\"partitions\":16}"),
                utf8("{\"attributes\":{\"a\":null,\"b\":\"c\"}}"));
    }

    private static List<byte[]> payloads() {
        return List.of(
                utf8("hello"), utf8("w\u00f6rld \ud83d\ude00\u0000\"\\"), new byte[] {(byte) 0xff, 0, (byte) 0xc3});
    }
}
