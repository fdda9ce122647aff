package dev.jacquard.apps.known;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The times of a step of one problem with several mixtures of task and operator threads.
 *
 * @param rows the rule's last
 */
record Mixtures(String problem, List<Mixture> rows) {
    private Mixture rule() {
        return rows.getLast();
    }

    /** Returns the mixture with the least median. */
    private Mixture best() {
        Mixture best = rows.getFirst();
        for (Mixture row : rows.subList(0, rows.size() - 1)) {
            best = row.median() < best.median() ? row : best;
        }
        return best;
    }

    /** Returns the median of the ratios to the best mixture in the same round. */
    private double toBest(Mixture row) {
        double[] ratios = new double[row.millis().length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = row.millis()[i] / best().millis()[i];
        }
        return median(ratios);
    }

    void addTo(Table table) {
        for (Mixture row : rows) {
            table.row(
                    problem,
                    row.threads().tasks(),
                    row.threads().operators(),
                    row.isRule(),
                    row.median(),
                    Arrays.stream(row.millis()).min().orElseThrow(),
                    Arrays.stream(row.millis()).max().orElseThrow(),
                    toBest(row));
        }
    }

    String line() {
        Mixture best = best();
        return String.format(
                Locale.ROOT,
                "%s: %.3g ms a step by the rule, %d x %d; best %.3g ms, %d x %d: ratio %.2f",
                problem,
                rule().median(),
                rule().threads().tasks(),
                rule().threads().operators(),
                best.median(),
                best.threads().tasks(),
                best.threads().operators(),
                toBest(rule()));
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("problem", problem);
        values.put("rule_to_best", toBest(rule()));
        values.put(
                "mixtures",
                rows.stream()
                        .map(row -> {
                            Map<String, Object> its = new LinkedHashMap<>();
                            its.put("tasks", row.threads().tasks());
                            its.put("operators", row.threads().operators());
                            its.put("rule", row.isRule());
                            its.put("ms_per_step", row.median());
                            its.put("to_best", toBest(row));
                            return its;
                        })
                        .toList());
        return values;
    }

    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
