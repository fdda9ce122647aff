package dev.jacquard.bench;

import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Rounds;
import dev.jacquard.bench.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the contenders of one workload round by round, in turn, and makes rows of what they took. */
final class Comparison {
    private static final String JACQUARD = "jacquard";
    /** The repetition at which a process counts as warm. */
    private static final int FIFTH = 5;

    private static final double[] NO_FIGURES = {};

    private final Workload workload;
    private final Rounds rounds;
    /** Per contender, per part of a round's figures, one figure per measured round. */
    private final Map<Contender, Map<String, double[]>> figures = new LinkedHashMap<>();

    private Comparison(Workload workload, Rounds rounds) {
        this.workload = workload;
        this.rounds = rounds;
    }

    static List<Row> run(Workload workload, Plan plan) throws Exception {
        Comparison comparison = new Comparison(workload, workload.rounds(plan));
        List<Contender> contenders = workload.contenders(plan);
        try {
            comparison.run(contenders);
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
        return comparison.rows();
    }

    private void run(List<Contender> contenders) throws Exception {
        for (int round = -rounds.warmUps(); round < rounds.measured(); round++) {
            for (Contender contender : contenders) {
                if (round < -1 && !contender.warmsUp()) {
                    continue;
                }
                System.gc(); // nobody pays for the garbage of another
                for (int i = 0; i < workload.settling(); i++) {
                    contender.round();
                }
                Map<String, Double> taken = contender.round();
                if (round >= 0) {
                    keep(contender, round, taken);
                }
            }
        }
    }

    private void keep(Contender contender, int round, Map<String, Double> taken) {
        Map<String, double[]> parts = figures.computeIfAbsent(contender, any -> new LinkedHashMap<>());
        taken.forEach(
                (part, figure) -> parts.computeIfAbsent(part, any -> new double[rounds.measured()])[round] = figure);
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        figures.forEach((contender, parts) -> parts.forEach((part, all) -> {
            String name = workload.name() + part;
            double[] base = base(contender, part);
            rows.add(row(name, contender, all, base));
            if (workload.tellsRepetitions()) {
                rows.add(row(name + ".first", contender, only(all, 0), only(base, 0)));
                if (all.length >= FIFTH) {
                    rows.add(row(name + ".fifth", contender, only(all, FIFTH - 1), only(base, FIFTH - 1)));
                }
            }
        }));
        return rows;
    }

    private Row row(String name, Contender contender, double[] all, double[] base) {
        return Row.of(name, contender, workload.unit(), all, base.length == 0 ? Ratio.NONE : ratio(all, base));
    }

    /** What Jacquard took with as many workers, else with the most; empty without Jacquard. */
    private double[] base(Contender rival, String part) {
        return figures.keySet().stream()
                .filter(contender -> contender.system().startsWith(JACQUARD))
                .max(Comparator.<Contender>comparingInt(ours -> ours.system().equals(JACQUARD) ? 1 : 0)
                        .thenComparingInt(ours -> ours.workers() == rival.workers() ? 1 : 0)
                        .thenComparingInt(Contender::workers))
                .map(figures::get)
                .map(parts -> parts.get(part))
                .orElse(NO_FIGURES);
    }

    private static Ratio ratio(double[] figures, double[] base) {
        double[] ratios = new double[figures.length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = figures[round] / base[round];
        }
        return Ratio.of(ratios);
    }

    private static double[] only(double[] figures, int round) {
        return figures.length == 0 ? figures : new double[] {figures[round]};
    }
}
