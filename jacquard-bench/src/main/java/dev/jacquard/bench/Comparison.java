package dev.jacquard.bench;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.bench.workload.Workload.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Runs the contenders of one workload round by round, in turn, and makes rows of their figures. */
final class Comparison {
    private static final String JACQUARD = "jacquard";
    /** The repetition at which a process counts as warm. */
    private static final int FIFTH = 5;

    private static final double[] NO_FIGURES = {};
    /** A contender that has used up its time sits out, once it has that many figures. */
    private static final int ENOUGH = 3;
    /** Of the orders of the contenders: the same ones in every run. */
    private static final long SEED = 1;

    private final Workload workload;
    private final Rounds rounds;
    private final Clock clock;
    private final boolean quick;
    /** Per contender, the time that it has taken so far. */
    private final Map<Contender, Long> taken = new HashMap<>();
    /**
     * Per contender, per part of a round's figures, one figure per measured round; not a number for rounds that it sat
     * out.
     */
    private final Map<Contender, Map<String, double[]>> figures = new LinkedHashMap<>();

    private Comparison(Workload workload, Plan plan) {
        this.workload = workload;
        this.rounds = workload.rounds(plan);
        this.clock = plan.clock();
        this.quick = plan.quick();
    }

    static List<Row> run(Workload workload, Plan plan) throws Exception {
        Comparison comparison = new Comparison(workload, plan);
        System.gc(); // else a collection may come while graphs are made, and leave their nodes in its own order
        List<Contender> contenders = workload.contenders(plan);
        try {
            comparison.run(comparison.included(contenders, plan));
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
        return comparison.rows();
    }

    /** Keeps the leaders, since other contenders need their figures. */
    private List<Contender> included(List<Contender> contenders, Plan plan) {
        return IntStream.range(0, contenders.size())
                .filter(i -> i < workload.leaders()
                        || plan.includes(contenders.get(i).system()))
                .mapToObj(contenders::get)
                .toList();
    }

    private void run(List<Contender> contenders) throws Exception {
        contenders.forEach(this::figuresOf); // rows come in this order
        Random random = new Random(SEED);
        List<Contender> order = new ArrayList<>(contenders);
        for (int round = -rounds.warmUps(); round < rounds.measured(); round++) {
            // Effects of one on the next favour none. But where the first repetition counts, a process does the same
            // before it in every run.
            if (!workload.tellsRepetitions()) {
                Collections.shuffle(order.subList(workload.leaders(), order.size()), random);
            }
            for (Contender contender : order) {
                if (sitsOut(contender, round)) {
                    continue;
                }
                if (!quick) {
                    System.gc(); // no contender pays for the garbage of another
                }
                long start = clock.nanoTime();
                for (int i = 0; i < workload.settling(); i++) {
                    contender.round();
                }
                Map<String, Double> figuresOfRound = contender.round();
                taken.merge(contender, clock.nanoTime() - start, Long::sum);
                if (round >= 0) {
                    keep(contender, round, figuresOfRound);
                }
            }
        }
    }

    private boolean sitsOut(Contender contender, int round) {
        long used = taken.getOrDefault(contender, 0L);
        if (round < 0) {
            return used > workload.patienceNanos() / 4 || (round < -1 && !contender.warmsUp());
        }
        return round >= ENOUGH && used > workload.patienceNanos();
    }

    private void keep(Contender contender, int round, Map<String, Double> figuresOfRound) {
        Map<String, double[]> parts = figuresOf(contender);
        figuresOfRound.forEach((part, figure) -> parts.computeIfAbsent(part, any -> notMeasured())[round] = figure);
    }

    private Map<String, double[]> figuresOf(Contender contender) {
        return figures.computeIfAbsent(contender, any -> new LinkedHashMap<>());
    }

    private double[] notMeasured() {
        double[] none = new double[rounds.measured()];
        Arrays.fill(none, Double.NaN);
        return none;
    }

    private static double[] measured(double[] all) {
        return Arrays.stream(all).filter(figure -> !Double.isNaN(figure)).toArray();
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        figures.forEach((contender, parts) -> parts.forEach((part, all) -> {
            String name = workload.name() + part;
            double[] base = base(contender, part);
            String unit = workload.unit(part);
            // Where more is better a ratio would mean the opposite of the report's ratios.
            boolean compares = unit.equals(workload.unit());
            rows.add(Row.of(name, contender, unit, measured(all), compares ? ratioOrNone(all, base) : Ratio.NONE));
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
        return Row.of(name, contender, workload.unit(), measured(all), ratioOrNone(all, base));
    }

    private static Ratio ratioOrNone(double[] all, double[] base) {
        return base.length == 0 ? Ratio.NONE : ratio(all, base);
    }

    /** The figures of Jacquard with as many workers, else with the most; empty without Jacquard. */
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
        return Ratio.of(measured(ratios));
    }

    private static double[] only(double[] figures, int round) {
        return figures.length == 0 ? figures : new double[] {figures[round]};
    }
}
