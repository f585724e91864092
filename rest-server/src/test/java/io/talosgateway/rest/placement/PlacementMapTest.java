package io.talosgateway.rest.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.topic.TopicId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

final class PlacementMapTest {

    private static final TopicId TOPIC = new TopicId(42, 7);

    private static Placement hosts(int... numbers) {
        return new Placement(Arrays.stream(numbers)
                .mapToObj(number -> new PlacedHost("gateway-" + number, Presence.PRESENT))
                .toList());
    }

    private static Placement hosts(int count) {
        return hosts(IntStream.rangeClosed(1, count).toArray());
    }

    @Test
    void withoutHostsNobodyGetsAnything() {
        assertThat(new PlacementMap(Placement.EMPTY).ownersByName(TOPIC, 1)).isEmpty();
    }

    @Test
    void topicsThatAreGoneAreNotRememberedForEver() {
        PlacementMap map = new PlacementMap(hosts(3));
        for (int round = 0; round < 100; round++) {
            for (int topic = 0; topic < 100; topic++) {
                map.owners(new TopicId(round, topic), 1);
            }
            map.forgetAllBut(Map.of(new TopicId(round, 0), ""));
        }

        assertThat(map.remembered()).isOne();
        assertThat(map.owners(TOPIC, 8)).isEqualTo(new PlacementMap(hosts(3)).owners(TOPIC, 8));
    }

    /** The order in which hosts are given, and who asks, does not matter. */
    @Test
    void everyHostFindsTheSame() {
        List<PlacedHost> reversed = new ArrayList<>(hosts(5).hosts());
        java.util.Collections.reverse(reversed);

        assertThat(new PlacementMap(new Placement(reversed)).ownersByName(TOPIC, 100))
                .isEqualTo(new PlacementMap(hosts(5)).ownersByName(TOPIC, 100));
    }

    @ParameterizedTest(name = "{0} partitions on {1} hosts: at most {2} each")
    @CsvSource({
        "1, 4, 1",
        "4, 4, 1",
        "8, 4, 2",
        "9, 4, 3",
        "120, 4, 33",
        "480, 4, 132",
        "100, 1000, 1",
        "12000, 10, 1320"
    })
    void noHostGetsMoreThanItsShareAndATenth(int partitions, int hosts, int most) {
        Map<String, Integer> loads = new HashMap<>();
        new PlacementMap(hosts(hosts))
                .ownersByName(TOPIC, partitions)
                .forEach(owner -> loads.merge(owner, 1, Integer::sum));

        assertThat(loads.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(partitions);
        assertThat(loads.values()).allSatisfy(load -> assertThat(load).isLessThanOrEqualTo(most));
    }

    @Test
    void whenAHostGoesLittleMoreThanItsPartitionsMove() {
        List<String> before = new PlacementMap(hosts(10)).ownersByName(TOPIC, 1_000);
        List<String> after = new PlacementMap(hosts(1, 2, 3, 4, 5, 6, 7, 8, 9)).ownersByName(TOPIC, 1_000);

        long lost = before.stream().filter("gateway-10"::equals).count();
        long moved = IntStream.range(0, 1_000)
                .filter(partition -> !before.get(partition).equals(after.get(partition)))
                .count();
        assertThat(moved).isBetween(lost, lost * 2);
        assertThat(after).doesNotContain("gateway-10");
    }

    /** What a host has room for changes little by little: as many partitions as hosts leave none when a host goes. */
    @ParameterizedTest(name = "{0} partitions on {1} hosts")
    @CsvSource({"200, 200", "400, 200", "2000, 200", "20000, 200", "150, 200"})
    void whenOneOfManyHostsGoesMostStaysWhereItIs(int partitions, int hosts) {
        List<String> before = new PlacementMap(hosts(hosts)).ownersByName(TOPIC, partitions);
        List<String> after = new PlacementMap(hosts(hosts - 1)).ownersByName(TOPIC, partitions);

        long moved = IntStream.range(0, partitions)
                .filter(partition -> !before.get(partition).equals(after.get(partition)))
                .count();
        // A host's share is half a percent.
        assertThat(moved).isLessThanOrEqualTo(partitions / 20);
    }

    @Test
    void hostsGetAboutTheSameOfManySmallTopics() {
        Map<String, Integer> loads = new HashMap<>();
        PlacementMap map = new PlacementMap(hosts(50));
        IntStream.range(0, 10_000)
                .forEach(number -> map.ownersByName(new TopicId(number, 1), 5)
                        .forEach(owner -> loads.merge(owner, 1, Integer::sum)));

        assertThat(loads.values()).allSatisfy(load -> assertThat(load).isBetween(850, 1_150));
    }
}
