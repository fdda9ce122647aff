package dev.jacquard.apps.known;

import dev.jacquard.apps.pde.Pde;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Solves equations as settings say that all components of this package have, and reports error and speed. */
final class Measurement {
    private static final int MOST_CELLS = 1 << 14;

    static final Setting<int[]> CELLS = Setting.optional(
            "grid.cells",
            new Setting.Type<>(
                    "two or three numbers of cells, 4 to " + MOST_CELLS + " each, like 64x64x64", Measurement::cells),
            "64x64x64",
            "cells along x, y and z; the cube's length is 1 along each");
    private static final Setting<Precision> TYPE =
            Setting.optional("grid.type", Setting.Type.choice(Precision.class), "float64", "the type of all fields");
    private static final Setting<Method> METHOD =
            Setting.optional("time.method", Setting.Type.choice(Method.class), "ssp3", "how the temperature advances");
    private static final Setting<Double> SHARE = Setting.optional(
            "time.share", Setting.Type.number(0.001, 1), "0.9", "the length of a step, in longest stable steps");
    private static final Setting<Integer> STEPS =
            Setting.optional("time.steps", Setting.Type.integer(1, Integer.MAX_VALUE), "100", "the number of steps");
    private static final Setting<Boolean> ORDER = Setting.optional(
            "order",
            Setting.Type.flag(),
            "true",
            "whether the same time is computed on half as many cells along each axis, too, for the order of accuracy");
    private static final Setting<Loops.Form> LOOPS = Setting.optional(
            "loops",
            Setting.Type.choice(Loops.Form.class),
            "auto",
            "how loops run; auto is lanes where the JVM has the Vector API");
    private static final Setting<Boolean> FUSE = Setting.optional(
            "fuse", Setting.Type.flag(), "true", "whether expressions are computed inside the loops that need them");
    private static final Setting<MemoryPlan.Policy> POLICY = Setting.optional(
            "fields-policy", Setting.Type.choice(MemoryPlan.Policy.class), "dynamic", "how fields get memory");
    private static final Setting<Integer> WORKERS = Setting.optional(
            "workers",
            Setting.Type.integerOrAuto(1, 1024),
            Setting.Type.AUTO,
            "threads; auto is one per processor, or those of the program that it is a part of");

    private static final Setting<Integer> TASKS = Setting.optional(
            "threads.tasks",
            Setting.Type.integerOrAuto(1, 1024),
            Setting.Type.AUTO,
            "tasks of a step that run at a time; auto goes by the time of the first steps");
    private static final Setting<Integer> OPERATORS = Setting.optional(
            "threads.operators",
            Setting.Type.integerOrAuto(1, 1024),
            Setting.Type.AUTO,
            "workers for the loops of each task");

    /** The types of elements. */
    private enum Precision {
        FLOAT64(DataType.FLOAT64),
        FLOAT32(DataType.FLOAT32);

        private final DataType type;

        Precision(DataType type) {
            this.type = type;
        }
    }

    /** The methods, by their orders. */
    private enum Method {
        EULER(1),
        SSP2(2),
        SSP3(3);

        private final int order;

        Method(int order) {
            this.order = order;
        }
    }

    private final Job job;
    private final Settings settings;

    Measurement(Job job) {
        this.job = job;
        this.settings = job.settings();
    }

    /** Returns the settings that all components have, with the settings of one. */
    static List<Setting<?>> with(Setting<?>... own) {
        List<Setting<?>> all = new ArrayList<>(List.of(CELLS, TYPE));
        all.addAll(List.of(own));
        all.addAll(List.of(METHOD, SHARE, STEPS, ORDER, LOOPS, FUSE, POLICY, Pde.SCHEDULER, WORKERS, TASKS, OPERATORS));
        return all;
    }

    private static int @Nullable [] cells(String text) {
        if (!text.matches("[0-9]{1,5}x[0-9]{1,5}(x[0-9]{1,5})?")) {
            return null;
        }
        int[] cells =
                Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        return Arrays.stream(cells).anyMatch(count -> count < 4 || count > MOST_CELLS) ? null : cells;
    }

    /** Refuses settings of which each is right, and that do not go together. */
    static void check(Settings settings) {
        Given<int[]> cells = settings.given(CELLS);
        if (settings.get(ORDER) && Arrays.stream(cells.value()).anyMatch(count -> count < 8 || count % 2 != 0)) {
            throw cells.error("'grid.cells' " + cells.text() + " cannot be halved for the order of accuracy: give even"
                    + " numbers from 8 on, or 'order: false'");
        }
        Given<Loops.Form> form = settings.given(LOOPS);
        if (form.value() == Loops.Form.LANES && !Loops.hasLanes()) {
            throw form.error(
                    "'loops: lanes' needs the JVM's module jdk.incubator.vector: 'loops: auto' or plain does not");
        }
        Given<Integer> tasks = settings.given(TASKS);
        if ((tasks.value() == 0) != (settings.get(OPERATORS) == 0)) {
            throw tasks.error("'threads.tasks' and 'threads.operators' go together: give both, or neither");
        }
    }

    /**
     * Solves, also on half as many cells if that is asked for.
     *
     * @param name of the component
     * @param of makes the equations, given the number of dimensions
     */
    Report run(String name, IntFunction<KnownSolution> of) throws IOException {
        check(settings);
        int[] cells = settings.get(CELLS);
        boolean coarser = settings.get(ORDER);
        KnownSolution solution = of.apply(cells.length);
        Solver solver = new Solver(
                solution,
                settings.get(METHOD).order,
                settings.get(SHARE),
                settings.get(LOOPS),
                settings.get(FUSE),
                settings.get(POLICY),
                settings.get(Pde.SCHEDULER).orElse(null),
                settings.get(WORKERS),
                threads());
        Grid grid = grid(cells, settings.get(TYPE).type);
        Solver.Outcome fine = solver.run(grid, settings.get(STEPS), Double.NaN, job);
        double order = Double.NaN;
        if (coarser) {
            int[] half = Arrays.stream(cells).map(count -> count / 2).toArray();
            Solver.Outcome rough = solver.run(grid(half, settings.get(TYPE).type), 0, fine.time(), job);
            order = Math.log(rough.errorL2() / fine.errorL2()) / Math.log(2);
        }
        return report(name, solution, fine, order);
    }

    private @Nullable ThreadSplit threads() {
        int tasks = settings.get(TASKS);
        return tasks == 0 ? null : new ThreadSplit(tasks, settings.get(OPERATORS));
    }

    /** Returns a cube of length 1 with a layer of ghost cells, in double precision. */
    static Grid grid(int[] cells) {
        return grid(cells, DataType.FLOAT64);
    }

    private static Grid grid(int[] cells, DataType type) {
        double[] lengths = new double[cells.length];
        Arrays.fill(lengths, 1);
        return Grid.of(cells).lengths(lengths).ghosts(1).type(type);
    }

    private static Report report(String name, KnownSolution solution, Solver.Outcome fine, double order) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", name);
        values.put("steps", fine.steps());
        values.put("time", fine.time());
        values.put("step", fine.step());
        values.put("stableStep", fine.stableStep());
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("max", fine.errorMax());
        error.put("l2", fine.errorL2());
        values.put("error", error);
        if (!Double.isNaN(order)) {
            values.put("order", order);
        }
        values.put("ns_per_point_step", fine.nanosPerPointStep());
        values.put("gb_per_s", fine.gigabytesPerSecond());
        values.put("triad_gb_per_s", fine.triad());
        values.put("fields", fine.fields());
        values.put("loops", fine.loops());
        Map<String, Object> threads = new LinkedHashMap<>();
        threads.put("tasks", fine.threads().tasks());
        threads.put("operators", fine.threads().operators());
        values.put("threads", threads);
        values.put("scheduler", fine.scheduler());
        String first = solution.unknowns().getFirst().name();
        List<String> lines = List.of(
                String.format(
                        Locale.ROOT,
                        "%d steps of %.3g to t = %.4g; the longest stable step is %.3g",
                        fine.steps(),
                        fine.step(),
                        fine.time(),
                        fine.stableStep()),
                String.format(
                        Locale.ROOT,
                        "error %.3g at most, %.3g in the mean square%s",
                        fine.errorMax(),
                        fine.errorL2(),
                        Double.isNaN(order) ? "" : String.format(Locale.ROOT, "; order of accuracy %.2f", order)),
                String.format(
                        Locale.ROOT,
                        "%.2f ns per point and step, %.1f GB/s; a triad moves %.1f GB/s",
                        fine.nanosPerPointStep(),
                        fine.gigabytesPerSecond(),
                        fine.triad()),
                String.format(
                        Locale.ROOT,
                        "%d tasks at a time, %d workers for the loops of each",
                        fine.threads().tasks(),
                        fine.threads().operators()),
                "the fields at the end: %s.npy%s, %s.png"
                        .formatted(first, solution.unknowns().size() > 1 ? " and others" : "", first));
        return new Report(lines, values);
    }
}
