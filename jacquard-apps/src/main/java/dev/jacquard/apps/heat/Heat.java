package dev.jacquard.apps.heat;

import dev.jacquard.apps.program.Application;
import dev.jacquard.apps.program.Application.Job;
import dev.jacquard.apps.program.InputException;
import dev.jacquard.apps.program.Report;
import dev.jacquard.apps.program.Setting;
import dev.jacquard.apps.program.Settings;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.memory.data.ElementType;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The component {@code heat}: the heat equation with a varying conductivity, and how far its solution is from the
 * truth.
 */
public final class Heat implements Application {
    private static final int MOST_CELLS = 1 << 14;

    private static final Setting<int[]> CELLS = Setting.optional(
            "grid.cells",
            new Setting.Type<>("two or three numbers of cells, at least 4 each, like 64x64x64", Heat::cells),
            "64x64x64",
            "cells along x, y and z; the cube's length is 1 along each");
    private static final Setting<Precision> TYPE =
            Setting.optional("grid.type", Setting.Type.choice(Precision.class), "float64", "the type of all fields");
    private static final Setting<KnownSolution.Walls> WALLS = Setting.optional(
            "walls",
            Setting.Type.choice(KnownSolution.Walls.class),
            "dirichlet",
            "what is given at the walls: the temperature, its derivative, or nothing since the cube repeats itself");
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
            "workers", Setting.Type.integerOrAuto(1, 1024), Setting.Type.AUTO, "threads; auto is one per processor");

    /** The types of elements. */
    private enum Precision {
        FLOAT64(ElementType.FLOAT64),
        FLOAT32(ElementType.FLOAT32);

        private final ElementType type;

        Precision(ElementType type) {
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

    @Override
    public String name() {
        return "heat";
    }

    @Override
    public String description() {
        return "solves the heat equation with a varying conductivity, and measures its error and speed";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(CELLS, TYPE, WALLS, METHOD, SHARE, STEPS, ORDER, LOOPS, FUSE, POLICY, WORKERS);
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    private static int @Nullable [] cells(String text) {
        if (!text.matches("[0-9]{1,5}x[0-9]{1,5}(x[0-9]{1,5})?")) {
            return null;
        }
        int[] cells =
                Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        return Arrays.stream(cells).anyMatch(count -> count < 4 || count > MOST_CELLS) ? null : cells;
    }

    @Override
    public Report run(Job run) throws IOException {
        Settings settings = run.settings();
        int[] cells = settings.get(CELLS);
        boolean coarser = settings.get(ORDER);
        if (coarser && Arrays.stream(cells).anyMatch(count -> count < 8 || count % 2 != 0)) {
            throw new InputException("'grid.cells' " + Arrays.toString(cells) + " cannot be halved for the order of"
                    + " accuracy: give even numbers from 8 on, or 'order: false'");
        }
        if (settings.get(LOOPS) == Loops.Form.LANES && !Loops.hasLanes()) {
            throw new InputException(
                    "'loops: lanes' needs the JVM's module jdk.incubator.vector: 'loops: auto' or plain" + " does not");
        }
        KnownSolution solution = new KnownSolution(cells.length, settings.get(WALLS));
        Solver solver = new Solver(
                solution,
                settings.get(METHOD).order,
                settings.get(SHARE),
                settings.get(LOOPS),
                settings.get(FUSE),
                settings.get(POLICY),
                settings.get(WORKERS));
        Grid grid = grid(cells, settings.get(TYPE).type);
        Solver.Outcome fine = solver.run(grid, settings.get(STEPS), Double.NaN, run);
        double order = Double.NaN;
        if (coarser) {
            int[] half = Arrays.stream(cells).map(count -> count / 2).toArray();
            Solver.Outcome rough = solver.run(grid(half, settings.get(TYPE).type), 0, fine.time(), run);
            order = Math.log(rough.errorL2() / fine.errorL2()) / Math.log(2);
        }
        return report(fine, order);
    }

    private static Grid grid(int[] cells, ElementType type) {
        double[] lengths = new double[cells.length];
        Arrays.fill(lengths, 1);
        return Grid.of(cells).lengths(lengths).ghosts(1).type(type);
    }

    private static Report report(Solver.Outcome fine, double order) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", "heat");
        values.put("steps", fine.steps());
        values.put("time", fine.time());
        values.put("step", fine.step());
        values.put("stableStep", fine.stableStep());
        values.put("error", Map.of("max", fine.errorMax(), "l2", fine.errorL2()));
        if (!Double.isNaN(order)) {
            values.put("order", order);
        }
        values.put("ns_per_point_step", fine.nanosPerPointStep());
        values.put("gb_per_s", fine.gigabytesPerSecond());
        values.put("triad_gb_per_s", fine.triad());
        values.put("fields", fine.fields());
        values.put("loops", fine.loops());
        values.put("threads", Map.of("tasks", fine.workers(), "operators", fine.workers()));
        List<String> lines = List.of(
                "%d steps of %.3g to t = %.4g; the longest stable step is %.3g"
                        .formatted(fine.steps(), fine.step(), fine.time(), fine.stableStep()),
                "error %.3g at most, %.3g in the mean square%s"
                        .formatted(
                                fine.errorMax(),
                                fine.errorL2(),
                                Double.isNaN(order) ? "" : "; order of accuracy %.2f".formatted(order)),
                "%.2f ns per point and step, %.1f GB/s; a triad moves %.1f GB/s"
                        .formatted(fine.nanosPerPointStep(), fine.gigabytesPerSecond(), fine.triad()),
                "the temperature at the end: T.npy, T.png");
        return new Report(lines, values);
    }
}
