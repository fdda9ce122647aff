package dev.jacquard.bench.simulation;

import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.sim.SimulatedRun;
import dev.jacquard.sim.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Prints by how much simulated runs of random graphs differ from the median of three real ones, and by how much single
 * real ones do.
 */
public final class SimulationCheck {
    private static final int GRAPHS = 100;
    private static final int WARM = 3;
    private static final int REAL = 3;
    private static final List<String> POLICIES =
            List.of("fifo", "priority", "stealing", "minimum-load", "earliest-finish");
    private static final double MEDIAN = 3;
    private static final double MOST = 10;

    private SimulationCheck() {}

    /** Takes the number of graphs; the first seed; names of policies. */
    public static void main(String[] arguments) {
        int graphs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : GRAPHS;
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        List<String> names = arguments.length > 2 ? List.of(arguments).subList(2, arguments.length) : POLICIES;
        long _ = RealRun.leastCopyNanos(); // with code that the JVM has not compiled
        long copyNanos = RealRun.leastCopyNanos();
        System.err.println("a copy of a few bytes takes " + copyNanos / 1000 + " µs");
        System.out.println("| policy | device | simulated, median | simulated, 90 % "
                + "| one real run, median | one real run, 90 % |");
        System.out.println("|---|---|---|---|---|---|");
        boolean good = true;
        for (boolean device : new boolean[] {false, true}) {
            List<Row> rows = names.stream()
                    .map(name -> new Row(Policies.named(name), device))
                    .toList();
            for (long graph = seed - WARM; graph < seed + graphs; graph++) {
                WorkGraph drawn = DrawnGraph.of(graph, device, copyNanos);
                for (Row row : rows) { // in turn, so that all see the same noise of the machine
                    row.add(drawn, copyNanos, graph >= seed);
                }
            }
            for (Row row : rows) {
                System.out.println(row);
                good &= row.isGood();
            }
        }
        System.exit(good ? 0 : 1);
    }

    /** The runs under one policy. */
    private static final class Row {
        private final Policy policy;
        private final boolean device;
        private final List<Double> errors = new ArrayList<>();
        private final List<Double> spread = new ArrayList<>();

        Row(Policy policy, boolean device) {
            this.policy = policy;
            this.device = device;
        }

        /** @param counts false for the first graphs, with which the JVM compiles the code that runs them */
        void add(WorkGraph graph, long copyNanos, boolean counts) {
            double[] real = new double[REAL];
            Arrays.setAll(real, i -> new RealRun(graph, copyNanos).nanos(policy));
            SimulatedRun run = Simulation.run(graph, Simulation.Options.of(policy, DrawnGraph.HOSTS));
            double simulated = run.makespan() - run.schedule().ends()[0];
            if (!counts) {
                return;
            }
            double first = real[0];
            Arrays.sort(real);
            double median = real[REAL / 2];
            errors.add(100 * Math.abs(median - simulated) / median);
            spread.add(100 * Math.abs(median - first) / median);
        }

        boolean isGood() {
            return part(errors, 0.5) <= MEDIAN && part(errors, 0.9) <= MOST;
        }

        private static double part(List<Double> some, double part) {
            List<Double> sorted = new ArrayList<>(some);
            Collections.sort(sorted);
            return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% |",
                    policy.name(),
                    device ? "yes" : "no",
                    part(errors, 0.5),
                    part(errors, 0.9),
                    part(spread, 0.5),
                    part(spread, 0.9));
        }
    }
}
