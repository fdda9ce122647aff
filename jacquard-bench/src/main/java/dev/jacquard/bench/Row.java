package dev.jacquard.bench;

import dev.jacquard.bench.workload.Workload.Contender;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One system's figures at one workload.
 *
 * @param workload the workload's name
 * @param system the contender
 * @param workers its threads, the submitter included
 * @param unit of the figures
 * @param median of all measured rounds
 * @param min the best round
 * @param max the worst round
 * @param ratio this figure divided by Jacquard's of the same round
 */
record Row(
        String workload, String system, int workers, String unit, double median, double min, double max, Ratio ratio) {

    static Row of(String workload, Contender by, String unit, double[] rounds, Ratio ratio) {
        return new Row(
                workload,
                by.system(),
                by.workers(),
                unit,
                median(rounds),
                Arrays.stream(rounds).min().orElseThrow(),
                Arrays.stream(rounds).max().orElseThrow(),
                ratio);
    }

    /** The middle of an odd number of figures, between the two middle ones of an even number. */
    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("workload", workload);
        values.put("system", system);
        values.put("workers", workers);
        values.put("unit", unit);
        values.put("median", median);
        values.put("min", min);
        values.put("max", max);
        return values;
    }
}
