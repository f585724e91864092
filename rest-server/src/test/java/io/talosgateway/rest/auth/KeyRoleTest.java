package io.talosgateway.rest.auth;

import java.util.Set;

import io.talosgateway.rest.topic.Permission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class KeyRoleTest {

    @Test
    void rolesAddUp() {
        assertThat(KeyRole.permissions("reader")).isEqualTo(Set.of(Permission.GET, Permission.DESCRIBE));
        assertThat(KeyRole.permissions("writer")).isEqualTo(Set.of(Permission.PUT, Permission.DESCRIBE));
        assertThat(KeyRole.permissions("reader,writer"))
                .isEqualTo(Set.of(Permission.GET, Permission.PUT, Permission.DESCRIBE));
        assertThat(KeyRole.permissions("full")).isEqualTo(KeyScope.ALL.permissions());
    }

    @Test
    void unknownRoleIsNamed() {
        assertThatThrownBy(() -> KeyRole.permissions("reader,admin"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no role 'admin'; the roles are reader, writer, full.");
    }
}
