package io.talosgateway.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.GroupMember;
import io.talosgateway.client.Message;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Polled;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Members of a consumer group in our Java client, with a gateway process. */
final class GroupMemberIT extends StorageContract {

    private static final int PARTITIONS = 4;
    private static final int EACH = 30;
    private static final GetOptions SOON = GetOptions.DEFAULT.withMaxMessages(7).withMaxWait(Duration.ofSeconds(2));

    private GatewayClient client;
    private String topic;

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    @BeforeEach
    void createTopic() throws Exception {
        client = GatewayClient.builder(URI.create(gateway().endpoint()))
                .key(gateway().key().id(), gateway().key().secret())
                .build();
        topic = "t" + System.nanoTime();
        client.createTopic(new NewTopic(topic, PARTITIONS)).get();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<NewMessage> messages = new ArrayList<>();
            for (int number = 0; number < EACH; number++) {
                messages.add(NewMessage.of(partition + "-" + number));
            }
            client.put(topic, partition, messages).get();
        }
    }

    /** What a member gets, in order, by partition. */
    private static void note(Map<Integer, List<Long>> processed, Polled polled) {
        for (Message message : polled.messages()) {
            processed
                    .computeIfAbsent(polled.partition(), absent -> new ArrayList<>())
                    .add(message.offset());
        }
    }

    @Test
    void membersShareThePartitionsAndGoOnWhereTheyCommitted() throws Exception {
        Map<Integer, List<Long>> processed = new HashMap<>();
        List<GroupMember> members = List.of(client.member(topic, "g"), client.member(topic, "g"));
        Map<GroupMember, Set<Integer>> lastHeld = new HashMap<>();
        // Both are there before one has more than its share.
        for (GroupMember member : members) {
            assertThat(member.keepAlive().get()).isPositive();
        }
        for (boolean any = true; any; ) {
            any = false;
            for (GroupMember member : members) {
                Polled polled = member.poll(SOON).get();
                if (!polled.isEmpty()) {
                    any = true;
                    note(processed, polled);
                    lastHeld.computeIfAbsent(member, absent -> new HashSet<>()).add(polled.partition());
                    member.commit(polled).get();
                }
            }
        }
        assertThat(processed).hasSize(PARTITIONS);
        processed
                .values()
                .forEach(offsets -> assertThat(offsets)
                        .as("each message once, in order")
                        .hasSize(EACH)
                        .isSorted()
                        .doesNotHaveDuplicates());
        assertThat(lastHeld.values()).allSatisfy(held -> assertThat(held).hasSize(PARTITIONS / 2));
        assertThat(members.get(0).poll(SOON.withMaxWait(Duration.ZERO)).get().partition())
                .isNull();

        for (GroupMember member : members) {
            member.leave().get();
        }
        client.put(topic, 1, List.of(NewMessage.of("last"))).get();
        Polled last = client.member(topic, "g").poll(SOON).get();
        assertThat(last.partition()).isEqualTo(1);
        assertThat(last.messages())
                .singleElement()
                .satisfies(message -> assertThat(message.offset()).isEqualTo(EACH));
        assertThat(last.nextOffset()).isEqualTo(EACH + 1);
    }

    @Test
    void whatIsNotCommittedComesAgainAfterAKill() throws Exception {
        GroupMember member = client.member(topic, "g");
        Polled first = member.poll(SOON).get();
        member.commit(first).get();
        Polled lost = member.poll(SOON).get();
        gateway().kill();
        gateway().start();
        Map<Integer, List<Long>> processed = new HashMap<>();
        note(processed, first);
        for (Polled polled = member.poll(SOON).get();
                !polled.isEmpty();
                polled = member.poll(SOON).get()) {
            note(processed, polled);
            member.commit(polled).get();
        }
        assertThat(processed.get(lost.partition()))
                .contains(lost.messages().get(0).offset());
        assertThat(processed).hasSize(PARTITIONS);
        processed
                .values()
                .forEach(offsets -> assertThat(offsets).hasSize(EACH).isSorted().doesNotHaveDuplicates());
    }

    @Test
    void commitOfWhatAnotherMemberHoldsIsRefused() throws Exception {
        GroupMember holder = client.member(topic, "g");
        Polled polled = holder.poll(SOON).get();
        GroupMember other = client.member(topic, "g");
        ExecutionException failure = catchThrowableOfType(
                ExecutionException.class, () -> other.commit(polled).get());
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        GatewayClientException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("partition-not-assigned"));
        holder.commit(polled).get();
    }
}
