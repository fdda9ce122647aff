package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs a body value by value, each for some hundred points of a row at a time: the oracle for all loops that are made
 * from bodies, the fallback where none can be made, and the fastest for a body that runs a few times only. All bodies
 * run the same small loops, which the JVM has compiled soon.
 */
final class Interpreter extends Loop {
    /** The points at a time: some tens of rows of values fit in a core's nearest cache. */
    private static final int POINTS = 256;

    private final LoopBody body;
    private final boolean single;
    /** The row that each value has until it was used for the last time: of the reals, or of the integers. */
    private final int[] rows;

    private final int reals;
    private final int integers;
    /** The memories of earlier runs. */
    private final Queue<Memory> free = new ConcurrentLinkedQueue<>();

    /** Interprets {@code body}. */
    Interpreter(LoopBody body) {
        this.body = body;
        this.single = body.type() == DataType.FLOAT32;
        this.rows = new int[body.values().size()];
        int[] lastUses = lastUses(body);
        FreeRows freeReals = new FreeRows();
        FreeRows freeIntegers = new FreeRows();
        for (Value value : body.values()) {
            // An operation may write over its operands, since a point of a result depends on the same point alone.
            value.operands().stream()
                    .distinct()
                    .filter(operand -> lastUses[operand.number()] == value.number())
                    .forEach(operand -> (isReal(operand) ? freeReals : freeIntegers).add(rows[operand.number()]));
            rows[value.number()] = (isReal(value) ? freeReals : freeIntegers).take();
        }
        this.reals = freeReals.count;
        this.integers = freeIntegers.count;
    }

    private static boolean isReal(Value value) {
        return value.kind() == Value.Kind.REAL;
    }

    /** Returns the number of the last value that needs each. */
    private static int[] lastUses(LoopBody body) {
        int[] uses = new int[body.values().size()];
        for (Value value : body.values()) {
            uses[value.number()] = value.number();
            value.operands().forEach(operand -> uses[operand.number()] = value.number());
        }
        body.results().forEach(result -> uses[result.number()] = Integer.MAX_VALUE);
        return uses;
    }

    /** The numbers of rows that nothing needs any more. */
    private static final class FreeRows {
        private int[] free = new int[16];
        private int size;
        private int count;

        void add(int row) {
            if (size == free.length) {
                free = Arrays.copyOf(free, 2 * size);
            }
            free[size++] = row;
        }

        int take() {
            return size > 0 ? free[--size] : count++;
        }
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        Memory lent = free.poll();
        Memory memory = lent == null ? new Memory(reals, integers, single) : lent;
        Rows its = new Rows(fields, parameters, memory);
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                for (long x = range.x0(); x < range.x1(); x += POINTS) {
                    its.run((int) x, y, z, (int) Math.min(POINTS, range.x1() - x));
                }
            }
        }
        free.add(memory);
    }

    /** The rows of a run, lent to one at a time: to make them again takes as long as some runs over few points. */
    private record Memory(double[][] reals, long[][] integers, float[] floats) {
        Memory(int reals, int integers, boolean single) {
            this(new double[reals][POINTS], new long[integers][POINTS], new float[single ? POINTS : 0]);
        }
    }

    /**
     * Values of some points of a row, each in an array: reals as doubles, integers as longs, conditions as 0 and 1. A
     * real is computed exactly, or so that one more rounding gives the float that is nearest.
     */
    private final class Rows {
        private final Binding fields;
        private final double[] parameters;
        private final double[][] realRows;
        private final long[][] integerRows;
        /** Floats on their way. */
        private final float[] floats;

        private int x;
        private int y;
        private int z;
        private int points;

        Rows(Binding fields, double[] parameters, Memory memory) {
            this.fields = fields;
            this.parameters = parameters;
            this.realRows = memory.reals;
            this.integerRows = memory.integers;
            this.floats = memory.floats;
        }

        void run(int itsX, int itsY, int itsZ, int count) {
            x = itsX;
            y = itsY;
            z = itsZ;
            points = count;
            for (Value value : body.values()) {
                switch (value.kind()) {
                    case REAL -> real(value, realRows[rows[value.number()]]);
                    case INTEGER -> integer(value, integerRows[rows[value.number()]]);
                    case CONDITION -> condition(value, integerRows[rows[value.number()]]);
                }
            }
            for (int i = 0; i < body.results().size(); i++) {
                store(body.inputs() + i, realRows[rows[body.results().get(i).number()]]);
            }
        }

        private double[] real(Value value, int operand) {
            return realRows[rows[value.operands().get(operand).number()]];
        }

        private long[] integer(Value value, int operand) {
            return integerRows[rows[value.operands().get(operand).number()]];
        }

        private void real(Value value, double[] to) {
            switch (value.operator()) {
                case INPUT -> load(value.element(), to);
                case CONSTANT -> Arrays.fill(to, 0, points, fields.constant(value.slot()));
                case PARAMETER -> Arrays.fill(to, 0, points, parameters[value.slot()]);
                case INDEX -> index((int) value.integer(), to);
                case ADD -> RowOperations.add(real(value, 0), real(value, 1), to, points);
                case SUBTRACT -> RowOperations.subtract(real(value, 0), real(value, 1), to, points);
                case MULTIPLY -> RowOperations.multiply(real(value, 0), real(value, 1), to, points);
                case DIVIDE -> RowOperations.divide(real(value, 0), real(value, 1), to, points);
                case MIN -> RowOperations.min(real(value, 0), real(value, 1), to, points);
                case MAX -> RowOperations.max(real(value, 0), real(value, 1), to, points);
                case NEGATE -> RowOperations.negate(real(value, 0), to, points);
                case ABS -> RowOperations.abs(real(value, 0), to, points);
                case SQRT -> RowOperations.sqrt(real(value, 0), to, points);
                case SELECT -> RowOperations.select(integer(value, 0), real(value, 1), real(value, 2), to, points);
                case FROM_BITS -> fromBits(integer(value, 0), to);
                default -> throw new IllegalStateException(value.operator() + " makes no real");
            }
            if (single) {
                RowOperations.round(to, points);
            }
        }

        private void index(int axis, double[] to) {
            if (axis > 0) {
                Arrays.fill(to, 0, points, axis == 1 ? y : z);
                return;
            }
            for (int i = 0; i < points; i++) {
                to[i] = (double) x + i;
            }
        }

        private void fromBits(long[] bits, double[] to) {
            for (int i = 0; i < points; i++) {
                to[i] = single ? Float.intBitsToFloat((int) bits[i]) : Double.longBitsToDouble(bits[i]);
            }
        }

        private void integer(Value value, long[] to) {
            switch (value.operator()) {
                case INTEGER -> Arrays.fill(to, 0, points, value.integer());
                case BITS -> bits(real(value, 0), to);
                default -> integers(value, integer(value, 0), integer(value, 1), to);
            }
            if (single) {
                for (int i = 0; i < points; i++) {
                    to[i] = (int) to[i];
                }
            }
        }

        private void bits(double[] of, long[] to) {
            for (int i = 0; i < points; i++) {
                to[i] = single ? Float.floatToRawIntBits((float) of[i]) : Double.doubleToRawLongBits(of[i]);
            }
        }

        private void integers(Value value, long[] a, long[] b, long[] to) {
            switch (value.operator()) {
                case ADD_INTEGERS -> RowOperations.addIntegers(a, b, to, points);
                case SUBTRACT_INTEGERS -> RowOperations.subtractIntegers(a, b, to, points);
                case AND_BITS -> RowOperations.andBits(a, b, to, points);
                case OR_BITS -> RowOperations.orBits(a, b, to, points);
                case SHIFT_LEFT -> RowOperations.shiftLeft(a, distance(value), to, points);
                case SHIFT_RIGHT -> RowOperations.shiftRight(a, distance(value), to, points);
                default -> throw new IllegalStateException(value.operator() + " makes no integer");
            }
        }

        /** Returns by how many bits integers are shifted, as Java does it: fewer than they have. */
        private int distance(Value value) {
            return (int) value.operands().get(1).integer() & (single ? Integer.SIZE - 1 : Long.SIZE - 1);
        }

        private void condition(Value value, long[] to) {
            switch (value.operator()) {
                case LESS -> RowOperations.less(real(value, 0), real(value, 1), to, points);
                case AT_MOST -> RowOperations.atMost(real(value, 0), real(value, 1), to, points);
                case EQUAL -> RowOperations.equal(real(value, 0), real(value, 1), to, points);
                case AND -> RowOperations.andBits(integer(value, 0), integer(value, 1), to, points);
                case OR -> RowOperations.orBits(integer(value, 0), integer(value, 1), to, points);
                case NOT -> RowOperations.not(integer(value, 0), to, points);
                default -> throw new IllegalStateException(value.operator() + " makes no condition");
            }
        }

        private void load(Value.Element element, double[] to) {
            int input = element.input();
            MemorySegment from = fields.segment(input);
            long row = fields.row(input, y + element.dy(), z + element.dz());
            long first = (long) x + element.dx();
            if (single) {
                MemorySegment.copy(
                        from, ValueLayout.JAVA_FLOAT_UNALIGNED, row + first * Float.BYTES, floats, 0, points);
                for (int i = 0; i < points; i++) {
                    to[i] = floats[i];
                }
            } else {
                MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE_UNALIGNED, row + first * Double.BYTES, to, 0, points);
            }
        }

        private void store(int output, double[] values) {
            MemorySegment to = fields.segment(output);
            long row = fields.row(output, y, z);
            if (single) {
                for (int i = 0; i < points; i++) {
                    floats[i] = (float) values[i];
                }
                MemorySegment.copy(
                        floats, 0, to, ValueLayout.JAVA_FLOAT_UNALIGNED, row + (long) x * Float.BYTES, points);
            } else {
                MemorySegment.copy(
                        values, 0, to, ValueLayout.JAVA_DOUBLE_UNALIGNED, row + (long) x * Double.BYTES, points);
            }
        }
    }
}
