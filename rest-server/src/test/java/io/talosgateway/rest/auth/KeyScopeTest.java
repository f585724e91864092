package io.talosgateway.rest.auth;

import java.util.List;
import java.util.Set;

import io.talosgateway.rest.topic.Permission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

final class KeyScopeTest {

    @ParameterizedTest
    @CsvSource({
        "*, orders, true",
        "orders, orders, true",
        "orders, orders2, false",
        "orders-*, orders-, true",
        "orders-*, orders-eu, true",
        "orders-*, orders, false",
        "*-eu, orders-eu-eu, true",
        "*-eu, orders-eu-us, false",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXcYb, false",
        "a.c, abc, false",
    })
    void aStarStandsForAnyCharacters(String pattern, String topic, boolean expected) {
        assertThat(new KeyScope(Set.of(Permission.GET), List.of(pattern)).allows(Permission.GET, topic))
                .isEqualTo(expected);
    }

    @Test
    void aKeyCarriesNothingElse() {
        KeyScope reader = new KeyScope(Set.of(Permission.GET), List.of("a", "b"));

        assertThat(reader.allows(Permission.GET, "b")).isTrue();
        assertThat(reader.allows(Permission.GET, "c")).isFalse();
        assertThat(reader.allows(Permission.PUT, "b")).isFalse();
    }

    @Test
    void permissionsAreBits() {
        assertThat(Permission.ofBits(5)).containsExactlyInAnyOrder(Permission.PUT, Permission.DESCRIBE);
        assertThat(Permission.bits(Set.of(Permission.GET, Permission.CHANGE_PERMISSION)))
                .isEqualTo(18);
        assertThat(Permission.ofBits(1 << 20)).isEmpty();
    }
}
