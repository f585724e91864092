package io.talosgateway.loadgen.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TrialPatternTest {

    private static final Variables VARIABLES =
            Variables.of(new TrialSettings(Scale.QUICK, StorageKind.FILE, Samples.TIMING, 1, 7));

    private static Scaled scaled(String json) throws Exception {
        return Scaled.of(new ObjectMapper().readValue(json, JsonNode.class));
    }

    private static TrialPattern pattern(Map<String, Scaled> each, String client, @Nullable String x) {
        return new TrialPattern(
                each, "batch ${batch}", "size ${size}", "gateway", Map.of("b", "${batch}"), client, "${size}", x, null);
    }

    private static List<Trial> trials(TrialPattern pattern, Scale scale) {
        return pattern.trials(VARIABLES, scale, Map.of("gateway", Samples.server()));
    }

    @Test
    void thereIsATrialForEachCombinationTheLastVariableChangingFirst() throws Exception {
        Map<String, Scaled> each = new LinkedHashMap<>();
        each.put("batch", scaled("[1, 10]"));
        each.put("size", scaled("{\"quick\": [4, 8], \"full\": 16}"));
        TrialPattern pattern = pattern(each, "run --batch ${batch}  --seed ${seed}", "${size}");

        List<Trial> quick = trials(pattern, Scale.QUICK);

        assertThat(quick)
                .extracting(Trial::text)
                .containsExactly("size 4, batch 1", "size 8, batch 1", "size 4, batch 10", "size 8, batch 10");
        assertThat(quick.get(3).client().words()).containsExactly("run", "--batch", "10", "--seed", "7");
        assertThat(quick.get(3).x()).isEqualTo(8);
        assertThat(quick.get(3).line()).isEqualTo("8");
        assertThat(quick.get(3).server().text()).isEqualTo("bin/talos-gateway server --set a=1 --set b=10, JVM -Xmx2g");
        assertThat(trials(pattern, Scale.FULL)).extracting(Trial::variant).containsExactly("size 16", "size 16");
    }

    @Test
    void nameThatNothingHasIsRefused() throws Exception {
        Map<String, Scaled> each = Map.of("batch", scaled("1"), "size", scaled("4"));

        assertThatThrownBy(() -> trials(pattern(each, "run ${topic}", null), Scale.QUICK))
                .hasMessageContaining("names ${topic}");
        assertThatThrownBy(() -> pattern(each, "run", null).trials(VARIABLES, Scale.QUICK, Map.of()))
                .hasMessageContaining("there is no server 'gateway'");
        assertThatThrownBy(() -> scaled("{\"quick\": 1}")).hasMessageContaining("there is no value");
    }
}
