package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.zookeeper.RecordJson.NewerVersionException;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.SubResource;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroup.Listed;
import io.talosgateway.rest.topic.TopicGroup.Matching;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import io.talosgateway.rest.topic.TopicPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RecordJsonTest {

    private interface Reader {
        Object read(byte[] bytes) throws IOException;
    }

    private record Kind(int version, Object value, String text, Reader reader) {

        Kind(int version, Object value, byte[] written, Reader reader) {
            this(version, value, new String(written, StandardCharsets.UTF_8), reader);
        }

        String start() {
            return "{\"version\":" + version + ",";
        }

        @Override
        public String toString() {
            return value.getClass().getSimpleName();
        }

        Object read(String json) throws IOException {
            return reader.read(json.getBytes(StandardCharsets.UTF_8));
        }
    }

    static List<Kind> kinds() {
        TopicMetadata topic = CoordinationContract.topic("t", 3)
                .withOwnerInfo(new TopicOwnerInfo("7", "Alice"))
                .withSubResource(SubResource.of("CL1", "CI1"));
        OwnershipRecord ownership = new OwnershipRecord(
                "a",
                7,
                new OwnerEpoch(3),
                List.of(new JournalReference("a", 7, new OwnerEpoch(3), 100, 2_000)),
                5,
                120,
                2_400,
                false,
                90,
                null);
        OwnershipRecord fenced = ownership.withFencingToken("b");
        TopicGroup matching = new TopicGroup(
                new TopicGroupName("g"),
                "CL1",
                new Matching(new TopicPattern("a.*"), List.of(new TopicName("ab"), new TopicName("aa"))));
        TopicGroup listed = matching.with(new Listed(List.of(new TopicName("b"), new TopicName("a"))));
        HostInfo host = new HostInfo("a", 7, "a:80", "a:81", Intent.SERVE);
        Placement placement = new Placement(List.of(new PlacedHost("a", Presence.PRESENT)));
        return List.of(
                new Kind(1, topic, RecordJson.encode(topic), RecordJson::topic),
                new Kind(3, fenced, RecordJson.encode(fenced), RecordJson::ownership),
                new Kind(1, matching, RecordJson.encode(matching), RecordJson::topicGroup),
                new Kind(1, listed, RecordJson.encode(listed), RecordJson::topicGroup),
                new Kind(1, host, RecordJson.write(host), bytes -> RecordJson.read(bytes, HostInfo.class)),
                new Kind(1, placement, RecordJson.write(placement), bytes -> RecordJson.read(bytes, Placement.class)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void recordIsReadAsItWasWritten(Kind kind) throws IOException {
        assertThat(kind.text()).startsWith(kind.start());
        assertThat(kind.read(kind.text())).isEqualTo(kind.value);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void recordWithoutAVersionHasTheFirst(Kind kind) throws IOException {
        assertThat(kind.read(kind.text().replace(kind.start(), "{"))).isEqualTo(kind.value);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void fieldsThatAreNotKnownAreIgnored(Kind kind) throws IOException {
        assertThat(kind.read(kind.text().replace(kind.start(), kind.start() + "\"later\":{\"a\":[1]},")))
                .isEqualTo(kind.value);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void newerVersionIsRefusedWhateverElseItHolds(Kind kind) {
        for (String version : List.of(String.valueOf(kind.version() + 1), "99999999999")) {
            assertThatThrownBy(() -> kind.read("{\"version\":" + version + ",\"name\":[],\"owner\":{},\"hosts\":7}"))
                    .isInstanceOf(NewerVersionException.class)
                    .hasMessage("it has version " + version
                            + " of its format, and this gateway reads versions up to "
                            + kind.version() + ": upgrade this gateway");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "\"1\"", "null", "{}", "1e30", "99999999999999999999"})
    void versionThatIsNoneIsRefused(String version) {
        for (Kind kind : kinds()) {
            assertThatThrownBy(() -> kind.read(kind.text().replace(kind.start(), "{\"version\":" + version + ",")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("version");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "7", "\"text\""})
    void whatIsNoObjectIsRefused(String json) {
        for (Kind kind : kinds()) {
            assertThatThrownBy(() -> kind.read(json)).isInstanceOf(IOException.class);
        }
    }

    /** Of before records had versions, start offsets and ends. */
    @Test
    void firstOwnershipRecordsAreRead() throws IOException {
        String first = "{\"owner\":\"a\",\"incarnation\":7,\"epoch\":3,\"journals\":[{\"host\":\"a\",\"incarnation\":7,"
                + "\"firstOffset\":100,\"totalBytes\":2000}],\"trimmedTo\":5,\"released\":true}";

        assertThat(RecordJson.ownership(first.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new OwnershipRecord(
                        "a",
                        7,
                        new OwnerEpoch(3),
                        List.of(new JournalReference("a", 7, OwnerEpoch.NONE, 100, 2_000)),
                        5,
                        0,
                        0,
                        true));
    }

    /** An earlier release would drop a fencing token when it rewrites the record; one without any is as it was. */
    @Test
    void onlyOwnershipRecordsWithAFencingTokenHaveTheNewVersion() throws IOException {
        OwnershipRecord record = new OwnershipRecord("a", 7, OwnerEpoch.NONE.next(), List.of(), 0, 0, 0, false);
        String plain = new String(RecordJson.encode(record), StandardCharsets.UTF_8);

        assertThat(plain).contains("\"version\":2").doesNotContain("fencingToken");
        assertThat(RecordJson.ownership(plain.getBytes(StandardCharsets.UTF_8))).isEqualTo(record);
        assertThat(new String(RecordJson.encode(record.withFencingToken("b")), StandardCharsets.UTF_8))
                .contains("\"version\":3", "\"fencingToken\":\"b\"");
    }

    /** Of before topics had owners with names and could be handed to others. */
    @Test
    void firstTopicsAreRead() throws IOException {
        TopicMetadata topic = CoordinationContract.topic("t", 3);
        String first =
                new String(RecordJson.encode(topic), StandardCharsets.UTF_8).replaceFirst(",\"ownerInfo\":.*\\}$", "}");

        assertThat(first).doesNotContain("ownerInfo", "subResource").contains("createdAtMs");
        assertThat(RecordJson.topic(first.getBytes(StandardCharsets.UTF_8))).isEqualTo(topic);
    }

    @Test
    void ownershipWithoutItsJournalsIsRefused() {
        for (String record : List.of("{}", "{\"journals\":null}", "{\"journals\":[null]}")) {
            assertThatThrownBy(() -> RecordJson.ownership(record.getBytes(StandardCharsets.UTF_8)))
                    .as(record)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a field is missing or wrong");
        }
    }

    @Test
    void topicGroupWithoutItsFieldsIsRefused() {
        for (String record : List.of(
                "{}",
                "{\"name\":\"g\",\"ownerId\":\"a\"}",
                "{\"name\":\"g\",\"pattern\":\"a\"}",
                "{\"name\":\"g\",\"ownerId\":\"a\",\"pattern\":\"(\"}",
                "{\"name\":\"g\",\"ownerId\":\"a\",\"topics\":[null]}")) {
            assertThatThrownBy(() -> RecordJson.topicGroup(record.getBytes(StandardCharsets.UTF_8)))
                    .as(record)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a field is missing or wrong");
        }
    }

    @Test
    void topicWithoutItsFieldsIsRefused() {
        assertThatThrownBy(() -> RecordJson.topic("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a field is missing or wrong");
    }
}
