package dev.jacquard.apps.known;

import dev.jacquard.apps.program.Application.Job;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.drawing.LineChart;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Measures steps of one problem after the other with each mixture of t tasks at a time and k workers for the loops of
 * each, t·k no more than twice the workers, beside the mixture that the measured times of the tasks led to. All of them
 * take turns on the same fields, so that other load on the machine hits all alike.
 */
final class ThreadStudy {
    /** Steps before measurements: the tasks are timed, and the loops compiled. */
    private static final int WARM_UP = 40;

    private static final int MOST_STEPS = 1_000;
    /**
     * The length of steps, in squares of the cells' width: short, since waves that decay for long leave tiny numbers.
     */
    private static final double SHARE = 0.001;

    private static final int ORDER = 3;

    private final Job job;
    private final Grid grid;
    private final int workers;
    private final int rounds;
    private final long nanos;
    private final List<String> charts = new ArrayList<>();

    /**
     * Creates a study.
     *
     * @param workers 0 for one per processor
     * @param nanos the least time of one measurement
     */
    ThreadStudy(Job job, Grid grid, int workers, int rounds, long nanos) {
        this.job = job;
        this.grid = grid;
        this.workers = workers > 0 ? workers : Runtime.getRuntime().availableProcessors();
        this.rounds = rounds;
        this.nanos = nanos;
    }

    /** Returns the number of workers. */
    int workers() {
        return workers;
    }

    /** Returns the names of the charts that were written so far. */
    List<String> charts() {
        return charts;
    }

    /**
     * One mixture.
     *
     * @param isRule true for the one that the measured times of the tasks led to
     * @param millis the time of a step in each round
     */
    record Row(ThreadSplit threads, boolean isRule, double[] millis) {
        double median() {
            return ThreadStudy.median(millis);
        }
    }

    /**
     * The mixtures of one problem.
     *
     * @param rows the rule last
     */
    record Finding(String problem, List<Row> rows) {
        private Row rule() {
            return rows.getLast();
        }

        /** Returns the mixture with the least median. */
        private Row best() {
            Row best = rows.getFirst();
            for (Row row : rows.subList(0, rows.size() - 1)) {
                best = row.median() < best.median() ? row : best;
            }
            return best;
        }

        /** Returns the median of the ratios to the best mixture in the same round. */
        private double toBest(Row row) {
            double[] ratios = new double[row.millis.length];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = row.millis[i] / best().millis[i];
            }
            return ThreadStudy.median(ratios);
        }

        void addTo(Table table) {
            for (Row row : rows) {
                table.row(
                        problem,
                        row.threads.tasks(),
                        row.threads.operators(),
                        row.isRule,
                        row.median(),
                        Arrays.stream(row.millis).min().orElseThrow(),
                        Arrays.stream(row.millis).max().orElseThrow(),
                        toBest(row));
            }
        }

        String line() {
            Row best = best();
            return "%s: %.3g ms a step by the rule, %d x %d; best %.3g ms, %d x %d: ratio %.2f"
                    .formatted(
                            problem,
                            rule().median(),
                            rule().threads.tasks(),
                            rule().threads.operators(),
                            best.median(),
                            best.threads.tasks(),
                            best.threads.operators(),
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
                                its.put("tasks", row.threads.tasks());
                                its.put("operators", row.threads.operators());
                                its.put("rule", row.isRule);
                                its.put("ms_per_step", row.median());
                                its.put("to_best", toBest(row));
                                return its;
                            })
                            .toList());
            return values;
        }
    }

    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns the mixtures, ascending: powers of two, and all workers. */
    private List<ThreadSplit> mixtures() {
        TreeSet<Integer> counts = new TreeSet<>(List.of(workers));
        for (int count = 1; count < workers; count *= 2) {
            counts.add(count);
        }
        List<ThreadSplit> all = new ArrayList<>();
        for (int tasks : counts) {
            for (int operators : counts) {
                if ((long) tasks * operators <= 2L * workers) {
                    all.add(new ThreadSplit(tasks, operators));
                }
            }
        }
        return all;
    }

    /** Measures the steps of a problem, and writes its charts. */
    Finding run(String problem, KnownSolution solution) throws IOException {
        Solver solver = new Solver(
                solution, ORDER, SHARE, Loops.Form.AUTO, true, MemoryPlan.Policy.DYNAMIC, null, workers, null);
        SessionBuilder builder = Session.builder().workers(workers);
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Integrator integrator = solver.begin(fields).checkEvery(Integer.MAX_VALUE);
            Finding finding = new Finding(problem, measure(problem, integrator, session.clock()));
            integrator.run(0, 1); // throws if a value is not finite
            draw(finding);
            return finding;
        }
    }

    private List<Row> measure(String problem, Integrator integrator, Clock clock) {
        double step = SHARE * grid.spacing(0) * grid.spacing(0);
        for (int i = 0; i < WARM_UP; i++) {
            job.cancellation().check();
            integrator.step(step);
        }
        List<Row> rows = new ArrayList<>();
        mixtures().forEach(threads -> rows.add(new Row(threads, false, new double[rounds])));
        rows.add(new Row(integrator.threads(), true, new double[rounds]));
        long begin = clock.nanoTime();
        integrator.step(step);
        long once = Math.max(1, clock.nanoTime() - begin);
        int steps = (int) Math.clamp(nanos / once + 1, 1, MOST_STEPS);
        job.progress().start(problem, (long) rounds * rows.size());
        for (int round = 0; round < rounds; round++) {
            for (Row row : rows) {
                job.cancellation().check();
                int tasks = row.threads.tasks();
                // As the rule does it: no limit where it gives all workers to tasks.
                integrator.threads(tasks, row.isRule && tasks == workers ? workers : row.threads.operators());
                integrator.step(step);
                begin = clock.nanoTime();
                for (int i = 0; i < steps; i++) {
                    integrator.step(step);
                }
                row.millis[round] = (clock.nanoTime() - begin) / 1e6 / steps;
                job.progress().advance(1);
            }
        }
        return rows;
    }

    private void draw(Finding finding) throws IOException {
        LineChart byOperators = chart(finding.problem, "workers for the loops of each task");
        LineChart byTasks = chart(finding.problem, "tasks at a time");
        for (Row row : finding.rows) {
            int tasks = row.threads.tasks();
            int operators = row.threads.operators();
            String rule = "by measured times: " + tasks + " x " + operators;
            String ofTasks = tasks + (tasks == 1 ? " task at a time" : " tasks at a time");
            String ofOperators = operators + (operators == 1 ? " worker for a loop" : " workers for a loop");
            byOperators.point(row.isRule ? rule : ofTasks, operators, row.median());
            byTasks.point(row.isRule ? rule : ofOperators, tasks, row.median());
        }
        write(finding.problem + "-by-operators.svg", byOperators);
        write(finding.problem + "-by-tasks.svg", byTasks);
    }

    private LineChart chart(String problem, String across) {
        return new LineChart(
                problem + ", " + grid.interior(Centring.CELL).points() + " cells, " + workers
                        + " workers: time of a step",
                new LineChart.Axis(across, false),
                new LineChart.Axis("time of a step (ms)", false));
    }

    private void write(String name, LineChart chart) throws IOException {
        Files.writeString(job.output().file(name), chart.toSvg(), StandardCharsets.UTF_8);
        charts.add(name);
    }
}
