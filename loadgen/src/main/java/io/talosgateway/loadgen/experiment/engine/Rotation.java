package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In which order a round makes its trials. All variants of a load come one after another, since the machine changes from minute
 * to minute; and each round begins with another variant, so that none is always the first. Stateless.
 */
final class Rotation {

    private Rotation() {}

    /** @param round from 1 */
    static List<Trial> of(List<Trial> trials, int round) {
        Map<String, List<Trial>> byLoad = new LinkedHashMap<>();
        trials.forEach(trial ->
                byLoad.computeIfAbsent(trial.load(), any -> new ArrayList<>()).add(trial));
        List<Trial> order = new ArrayList<>();
        for (List<Trial> variants : byLoad.values()) {
            int first = (round - 1) % variants.size();
            order.addAll(variants.subList(first, variants.size()));
            order.addAll(variants.subList(0, first));
        }
        return order;
    }
}
