package dev.jacquard.apps.pde;

import dev.jacquard.components.program.Setting;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of a program of equations, with their types and defaults. */
final class Keys {
    static final String PARAMETERS = "parameters";
    static final String FIELDS = "fields";
    static final String UNKNOWNS = "unknowns";
    static final String AXES = "xyz";

    static final Setting<int[]> CELLS = Setting.required(
            "grid.cells",
            new Setting.Type<>("one to three numbers of cells, each below 10^9, like 48x40x56", Keys::counts),
            "cells along x, y, z");
    static final Setting<double[]> LENGTHS = Setting.optional(
            "grid.lengths",
            new Setting.Type<>("as many lengths above 0 as there are dimensions, like 1.0x0.8x1.2", Keys::lengths),
            Setting.Type.AUTO,
            "the size of the grid along x, y and z, which begins at 0; auto is 1 along each");
    static final Setting<Precision> TYPE =
            Setting.optional("grid.type", Setting.Type.choice(Precision.class), "float64", "the type of all fields");
    static final Setting<Double> PARAMETER = Setting.required(
            PARAMETERS + ".*", new Setting.Type<>("a number", Keys::number), "a number that expressions name");
    static final Setting<Centre> AT = Setting.required(
            FIELDS + ".*.at",
            Setting.Type.choice(Centre.class),
            "where the given field lies: in cells or on their faces");
    static final Setting<String> VALUE = Setting.absent(
            FIELDS + ".*.value", Setting.Type.text("an expression"), "the value of a field in cells, by x, y, z and t");
    static final List<Setting<String>> COMPONENTS = components();
    static final Setting<String> INITIAL = Setting.required(
            UNKNOWNS + ".*.initial", Setting.Type.text("an expression"), "the value at t = 0, by x, y and z");
    static final Setting<String> RATE = Setting.required(
            UNKNOWNS + ".*.rate", Setting.Type.text("an expression"), "the derivative of the unknown in time");
    static final Setting<String> EXACT = Setting.absent(
            UNKNOWNS + ".*.exact", Setting.Type.text("an expression"), "the solution, by which errors are measured");
    static final Setting<Method> METHOD =
            Setting.optional("time.method", Setting.Type.choice(Method.class), "ssp3", "how the unknowns advance");
    static final Setting<Double> STEP = Setting.optional(
            "time.step",
            new Setting.Type<>("auto or a number above 0", Keys::step),
            Setting.Type.AUTO,
            "the length of a step; auto is as long as its error and stability allow");
    static final Setting<Double> TOLERANCE = Setting.optional(
            "time.tolerance",
            Setting.Type.number(1e-15, 0.5),
            "1e-4",
            "the greatest error of an automatic step, as estimated, in magnitudes of the unknown");
    static final Setting<Double> SHARE = Setting.optional(
            "time.share",
            Setting.Type.number(0.001, 1),
            "0.9",
            "the greatest length of automatic steps, in longest stable steps");
    static final Setting<Stability> STABILITY = Setting.optional(
            "time.stability",
            Setting.Type.choice(Stability.class),
            "refuse",
            "what happens with steps longer than the longest stable one: the run is refused, or warns, or nothing");
    static final Setting<Double> END = Setting.required(
            "time.end", new Setting.Type<>("a number above 0", Keys::positive), "the time at which the last step ends");
    static final Setting<Loops.Form> LOOPS = Setting.optional(
            "loops",
            Setting.Type.choice(Loops.Form.class),
            Setting.Type.AUTO,
            "how loops run; auto is lanes where the JVM has the Vector API");
    static final Setting<Boolean> FUSE = Setting.optional(
            "fuse", Setting.Type.flag(), "true", "whether expressions are computed inside the loops that need them");
    static final Setting<int[]> TILE = Setting.optional(
            "tile",
            new Setting.Type<>("auto or as many numbers of points as there are dimensions, like 16x8x48", Keys::tile),
            Setting.Type.AUTO,
            "the box of points that a loop computes at a time");
    static final Setting<MemoryPlan.Policy> POLICY = Setting.optional(
            "fields-policy", Setting.Type.choice(MemoryPlan.Policy.class), "dynamic", "how fields get memory");
    static final Setting<Integer> WORKERS = Setting.optional(
            "workers",
            Setting.Type.integerOrAuto(1, 1024),
            Setting.Type.AUTO,
            "threads; auto is one per processor, or those of the program that it is a part of");
    static final Setting<List<String>> DEVICES = Setting.optional(
            "devices",
            new Setting.Type<>("none, or names with commas that './jacquard machine' shows, like opencl0", Keys::words),
            "none",
            "the devices on which loops may run, in addition to the host");
    static final Setting<Files> OUTPUT = Setting.optional(
            "output.fields",
            Setting.Type.choice(Files.class),
            "npy",
            "the files of each unknown: for NumPy, for ParaView, both or none");
    static final Setting<Image> IMAGE = Setting.optional(
            "output.image",
            Setting.Type.choice(Image.class),
            "z",
            "the axis across which a slice through the middle is shown in a picture, or none");
    static final Setting<Integer> EVERY = Setting.optional(
            "checkpoint.every",
            new Setting.Type<>("none or a whole number of steps from 1 up", Keys::every),
            "none",
            "the steps after which the state is kept in the output folder, from where --resume goes on");

    /** The types of elements. */
    enum Precision {
        FLOAT64(DataType.FLOAT64),
        FLOAT32(DataType.FLOAT32);

        final DataType type;

        Precision(DataType type) {
            this.type = type;
        }
    }

    /** The points of given fields. */
    enum Centre {
        CELL,
        FACES
    }

    /** The methods, by their orders. */
    enum Method {
        EULER(1),
        SSP2(2),
        SSP3(3);

        final int order;

        Method(int order) {
            this.order = order;
        }
    }

    /** The ways to deal with steps that are not stable. */
    enum Stability {
        /** The run ends before its first step; later on it warns. */
        REFUSE,
        /** The run warns. */
        WARN,
        /** The stable step is not looked for. */
        OFF
    }

    /** The files of each unknown. */
    enum Files {
        NPY,
        VTI,
        BOTH,
        NONE
    }

    /** The axes of slices. */
    enum Image {
        X(0),
        Y(1),
        Z(2),
        NONE(-1);

        final int axis;

        Image(int axis) {
            this.axis = axis;
        }
    }

    private Keys() {}

    static List<Setting<?>> all() {
        List<Setting<?>> all = new ArrayList<>(List.of(CELLS, LENGTHS, TYPE, PARAMETER, AT, VALUE));
        all.addAll(COMPONENTS);
        all.addAll(List.of(INITIAL, RATE, EXACT));
        for (int axis = 0; axis < AXES.length(); axis++) {
            all.add(bothWalls(axis));
        }
        for (Side side : Side.values()) {
            all.add(wall(side));
        }
        all.addAll(List.of(METHOD, STEP, TOLERANCE, SHARE, STABILITY, END, LOOPS, FUSE, TILE, POLICY));
        all.addAll(List.of(Pde.SCHEDULER, WORKERS, DEVICES));
        all.addAll(List.of(OUTPUT, IMAGE, EVERY));
        return all;
    }

    private static List<Setting<String>> components() {
        List<Setting<String>> all = new ArrayList<>();
        for (String axis : List.of("x", "y", "z")) {
            all.add(Setting.absent(
                    FIELDS + ".*." + axis,
                    Setting.Type.text("an expression"),
                    "the component of a field on faces, at the faces across " + axis));
        }
        return all;
    }

    /** Returns the condition at both ends of an axis. */
    static Setting<String> bothWalls(int axis) {
        return wall(String.valueOf(AXES.charAt(axis)), "both ends of " + AXES.charAt(axis));
    }

    /** Returns the condition at a side. */
    static Setting<String> wall(Side side) {
        return wall(
                name(side),
                "the end of " + AXES.charAt(side.axis()) + " where it is " + (side.isHigh() ? "greatest" : "least"));
    }

    /** Returns the name of a side: {@code x-low}. */
    static String name(Side side) {
        return AXES.charAt(side.axis()) + (side.isHigh() ? "-high" : "-low");
    }

    private static Setting<String> wall(String name, String where) {
        return Setting.absent(
                UNKNOWNS + ".*.boundaries." + name,
                Setting.Type.text("periodic, or dirichlet or neumann with an expression"),
                "the condition at " + where);
    }

    // ---- types

    private static int @Nullable [] counts(String text) {
        if (!text.matches("[0-9]{1,9}(x[0-9]{1,9}){0,2}")) {
            return null;
        }
        int[] counts =
                Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        return Arrays.stream(counts).anyMatch(count -> count < 1) ? null : counts;
    }

    private static int @Nullable [] tile(String text) {
        return text.equals(Setting.Type.AUTO) ? new int[0] : counts(text);
    }

    private static double @Nullable [] lengths(String text) {
        if (text.equals(Setting.Type.AUTO)) {
            return new double[0];
        }
        String[] words = text.split("x", -1);
        double[] lengths = new double[words.length];
        for (int i = 0; i < words.length; i++) {
            Double length = positive(words[i]);
            if (length == null) {
                return null;
            }
            lengths[i] = length;
        }
        return lengths;
    }

    private static @Nullable Double number(String text) {
        return Setting.Type.number(-Double.MAX_VALUE, Double.MAX_VALUE).parser().apply(text);
    }

    private static @Nullable Double positive(String text) {
        Double value = number(text);
        return value == null || !(value > 0) ? null : value;
    }

    private static @Nullable Double step(String text) {
        return text.equals(Setting.Type.AUTO) ? Double.valueOf(Double.NaN) : positive(text);
    }

    private static @Nullable Integer every(String text) {
        return text.equals("none")
                ? Integer.valueOf(0)
                : Setting.Type.integer(1, Integer.MAX_VALUE).parser().apply(text);
    }

    private static @Nullable List<String> words(String text) {
        List<String> words =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        return words.stream().anyMatch(String::isEmpty) ? null : words.equals(List.of("none")) ? List.of() : words;
    }
}
