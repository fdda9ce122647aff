package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * An expression with a loop of the user's own, which takes part in a tree next to formulas: it advertises its needs and
 * the fields that it computes, binds them when the tree is submitted or compiled, and evaluates when its operands are
 * there. Its fields are always stored, in the memory that the tree plans for them.
 *
 * <pre>{@code
 * final class Reaction implements Expression {
 *     public void advertise(Dependents dependents) {
 *         dependents.reads(T, 1).computes(OMEGA, ENTHALPY);        // T with 1 layer of ghosts
 *     }
 *
 *     public Evaluation bind(Bindings fields) {
 *         Values t = fields.reads(T);
 *         Results omega = fields.computes(OMEGA), h = fields.computes(ENTHALPY);
 *         Part part = cells -> {
 *             for (int z = cells.z0(); z < cells.z1(); z++)
 *                 for (int y = cells.y0(); y < cells.y1(); y++)
 *                     for (int x = cells.x0(); x < cells.x1(); x++) {
 *                         omega.set(x, y, z, Math.exp(-1 / t.get(x, y, z)));
 *                         h.set(x, y, z, t.get(x + 1, y, z) - t.get(x - 1, y, z));
 *                     }
 *         };
 *         return run -> run.parallel(omega.interior(), part);
 *     }
 * }
 * model.define(new Reaction());
 * }</pre>
 *
 * <p>Its results follow from the fields and numbers that it advertises alone: a task may be run again where data was
 * lost with a device, and has to write all points without ghosts, since their values are undefined before.
 *
 * <p>Threads: one expression may be in several trees, and is bound again for each submission; the result of
 * {@link #bind} is for the tasks of one submission.
 *
 * <p>Source: the expressions thesis, sections 3.1.2 and 3.1.3 (the contract of an expression).
 */
@FunctionalInterface
public interface Expression {
    /**
     * Declares the fields that the expression reads and computes; called once, when it is added to a model without
     * dependents that are given explicitly.
     */
    default void advertise(Dependents dependents) {
        throw new IllegalArgumentException("an expression of " + getClass().getName()
                + " advertises nothing: implement advertise(dependents), or give the dependents explicitly, by"
                + " Model.define(expression, dependents -> ...)");
    }

    /**
     * Looks up the fields that the expression works on, and returns the work. Called by each submission; the values are
     * there only while the work runs.
     */
    Evaluation bind(Bindings bindings);

    /** The work on fields that were bound. */
    @FunctionalInterface
    interface Evaluation {
        /** Computes all fields; an exception fails the task. */
        void evaluate(Run run) throws Exception;
    }

    /** The work on some of the points. */
    @FunctionalInterface
    interface Part {
        /** Computes these points, which no other part has. */
        void compute(Range points) throws Exception;
    }

    /** A run of the expression's task. Confined to its thread, and valid until the evaluation returns. */
    interface Run {
        /**
         * Computes all points of a range, in parts of some thousand points; workers that have nothing else to do help.
         * Returns when all are computed.
         *
         * @param points without ghosts: {@link Values#interior}; with: {@link Grid#range}
         */
        void parallel(Range points, Part part) throws Exception;

        /** Returns true if the graph was cancelled. */
        boolean cancelled();
    }

    /**
     * The fields and numbers that an expression advertised. Confined to the thread that binds; fields are bound before
     * {@link #bind} returns.
     */
    interface Bindings {
        /**
         * Returns the values of a field that the expression reads.
         *
         * @throws IllegalArgumentException if it was not advertised, or is a vector
         */
        Values reads(Tag<?> tag);

        /**
         * Returns the values of a component of a vector, or of a field, that the expression reads.
         *
         * @param axis 0 for x
         * @throws IllegalArgumentException if it was not advertised
         */
        Values reads(Tag<?> tag, int axis);

        /**
         * Returns the values of a field that the expression computes.
         *
         * @throws IllegalArgumentException if it was not advertised, or is a vector
         */
        Results computes(Tag<?> tag);

        /**
         * Returns the values of a component of a vector, or of a field, that the expression computes.
         *
         * @param axis 0 for x
         * @throws IllegalArgumentException if it was not advertised
         */
        Results computes(Tag<?> tag, int axis);

        /**
         * Returns a number, which may be another one in each run.
         *
         * @throws IllegalArgumentException if it was not advertised, or has no value
         */
        DoubleSupplier parameter(String name);

        /**
         * Returns an operator on fields in host memory. Its type is looked up with that of the grid's elements.
         *
         * @throws IllegalArgumentException if there is none, or it is from or to a vector
         */
        OperatorDatabase.Loop operator(OperatorDatabase.Signature<?, ?> type);

        /** Returns the grid of all fields. */
        Grid grid();
    }

    /** A list of the fields that an expression reads and computes. Confined to one thread. */
    final class Dependents {
        private final Map<Tag<?>, Integer> reads = new LinkedHashMap<>();
        private final Map<Tag<?>, Integer> computes = new LinkedHashMap<>();
        private final Set<String> parameters = new LinkedHashSet<>();

        Dependents() {}

        /** Adds a field that is read without ghosts. */
        public Dependents reads(Tag<?> tag) {
            return reads(tag, 0);
        }

        /**
         * Adds a field that is read.
         *
         * @param ghosts the layers of ghosts that are read, too
         */
        public Dependents reads(Tag<?> tag, int ghosts) {
            Objects.requireNonNull(tag, "tag");
            reads.merge(tag, checked(tag, ghosts), Math::max);
            return this;
        }

        /** Adds fields that are computed, without ghosts. */
        public Dependents computes(Tag<?>... tags) {
            for (Tag<?> tag : tags) {
                computes(tag, 0);
            }
            return this;
        }

        /**
         * Adds a field that is computed.
         *
         * @param ghosts the layers of ghosts that are computed, too: other expressions may read these
         * @throws IllegalArgumentException if it was added before
         */
        public Dependents computes(Tag<?> tag, int ghosts) {
            Objects.requireNonNull(tag, "tag");
            if (computes.put(tag, checked(tag, ghosts)) != null) {
                throw new IllegalArgumentException("\"" + tag + "\" is advertised as computed twice");
            }
            return this;
        }

        /** Adds numbers that are given with each submission. */
        public Dependents parameters(String... names) {
            for (String name : names) {
                parameters.add(Objects.requireNonNull(name, "name"));
            }
            return this;
        }

        private static int checked(Tag<?> tag, int ghosts) {
            if (ghosts < 0 || ghosts > Grid.MOST_GHOSTS) {
                throw new IllegalArgumentException("\"" + tag + "\" has 0 to " + Grid.MOST_GHOSTS
                        + " layers of ghosts that an expression may advertise, not " + ghosts);
            }
            return ghosts;
        }

        Map<Tag<?>, Integer> fieldsRead() {
            return reads;
        }

        Map<Tag<?>, Integer> fieldsComputed() {
            return computes;
        }

        Set<String> parameters() {
            return parameters;
        }
    }

    /**
     * The values of a field, by the indices of points: 0 for the first one that is no ghost, along axes that the grid
     * lacks too. {@link #memory} with {@link #offset} is for code that works on segments.
     *
     * <p>Threads: any, while the expression's task runs.
     */
    sealed class Values permits Results {
        private final GridField field;
        /** The points that were advertised: others are reported by assertions. */
        private final Range known;

        private final Range interior;

        private final int ghosts;
        private final boolean isSingle;
        private boolean isPadded;
        private MemorySegment memory = MemorySegment.NULL;
        private long start;
        private long strideY;
        private long strideZ;

        Values(GridField field, int ghosts) {
            this.field = field;
            this.ghosts = ghosts;
            this.interior = field.grid().interior(field.centring());
            this.known = field.grid().range(field.centring(), ghosts);
            this.isSingle = field.grid().type() == DataType.FLOAT32;
        }

        /** Takes the place where the values are in the runs that follow. */
        final void move(Binding.Place place, boolean rowsArePadded) {
            isPadded = rowsArePadded;
            memory = place.segment();
            start = place.start();
            strideY = place.strideY();
            strideZ = place.strideZ();
        }

        /** Returns the value at a point. */
        public final double get(int x, int y, int z) {
            long at = offset(x, y, z);
            return isSingle
                    ? memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
                    : memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
        }

        /** Returns the points without ghosts. */
        public final Range interior() {
            return interior;
        }

        /** Returns the memory; read-only if the expression reads the field alone. */
        public final MemorySegment memory() {
            return memory;
        }

        /** Returns the place of a point in the memory, in bytes; the next point along x follows without a gap. */
        public final long offset(int x, int y, int z) {
            assert known.x0() <= x
                            && x < known.x1()
                            && known.y0() <= y
                            && y < known.y1()
                            && known.z0() <= z
                            && z < known.z1()
                    : outside(x, y, z);
            return start + x * (isSingle ? (long) Float.BYTES : Double.BYTES) + y * strideY + z * strideZ;
        }

        private String outside(int x, int y, int z) {
            return "point (" + x + ", " + y + ", " + z + ") of \"" + field.name()
                    + "\" is none of those that the expression advertised: " + known;
        }

        /** Returns the bytes from a row to the next, along y; 0 in one dimension. */
        public final long strideY() {
            return strideY;
        }

        /** Returns the bytes from a plane to the next, along z; 0 in one and two dimensions. */
        public final long strideZ() {
            return strideZ;
        }

        final GridField field() {
            return field;
        }

        final boolean isSingle() {
            return isSingle;
        }

        final int ghosts() {
            return ghosts;
        }

        final boolean isPadded() {
            return isPadded;
        }

        final Binding.Place place() {
            return new Binding.Place(memory, start, strideY, strideZ);
        }
    }

    /** The values of a field that an expression computes. */
    final class Results extends Values {
        Results(GridField field, int ghosts) {
            super(field, ghosts);
        }

        /** Sets the value at a point, rounded to the type of the field. */
        public void set(int x, int y, int z, double value) {
            long at = offset(x, y, z);
            if (isSingle()) {
                memory().set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) value);
            } else {
                memory().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
            }
        }
    }
}
