package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Runs a body value by value, a row at a time: the oracle for all loops that are made from bodies, and what is left
 * where none can be made.
 */
final class Interpreter implements Loop {
    private final Body body;
    private final boolean single;

    /** Interprets {@code body}. */
    Interpreter(Body body) {
        this.body = body;
        this.single = body.type() == ElementType.FLOAT32;
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        Row row = new Row(fields, parameters, range);
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                row.run(y, z);
            }
        }
    }

    /** The values of one row, each in an array: reals as doubles, integers as longs, conditions as 0 and 1. */
    private final class Row {
        private final Binding fields;
        private final double[] parameters;
        private final Range range;
        private final int points;
        private final double[][] reals = new double[body.values().size()][];
        private final long[][] integers = new long[body.values().size()][];
        private int y;
        private int z;

        Row(Binding fields, double[] parameters, Range range) {
            this.fields = fields;
            this.parameters = parameters;
            this.range = range;
            this.points = Math.max(0, range.x1() - range.x0());
            for (Value value : body.values()) {
                if (value.kind() == Value.Kind.REAL) {
                    reals[value.number()] = new double[points];
                } else {
                    integers[value.number()] = new long[points];
                }
            }
        }

        void run(int itsY, int itsZ) {
            y = itsY;
            z = itsZ;
            for (Value value : body.values()) {
                switch (value.kind()) {
                    case REAL -> real(value, reals[value.number()]);
                    case INTEGER -> integer(value, integers[value.number()]);
                    case CONDITION -> condition(value, integers[value.number()]);
                }
            }
            for (int i = 0; i < body.results().size(); i++) {
                store(body.inputs() + i, reals[body.results().get(i).number()]);
            }
        }

        private double[] real(Value value, int operand) {
            return reals[value.operands().get(operand).number()];
        }

        private long[] integer(Value value, int operand) {
            return integers[value.operands().get(operand).number()];
        }

        private void real(Value value, double[] to) {
            switch (value.operator()) {
                case INPUT -> load(value.element(), to);
                case SELECT -> {
                    long[] which = integer(value, 0);
                    double[] yes = real(value, 1);
                    double[] no = real(value, 2);
                    for (int i = 0; i < points; i++) {
                        to[i] = which[i] != 0 ? yes[i] : no[i];
                    }
                }
                case FROM_BITS -> {
                    long[] bits = integer(value, 0);
                    for (int i = 0; i < points; i++) {
                        to[i] = single ? Float.intBitsToFloat((int) bits[i]) : Double.longBitsToDouble(bits[i]);
                    }
                }
                default -> {
                    for (int i = 0; i < points; i++) {
                        double result = realAt(value, i);
                        to[i] = single ? (float) result : result;
                    }
                }
            }
        }

        /** Computes at point {@code i}; exactly, or so that one more rounding gives the float that is nearest. */
        private double realAt(Value value, int i) {
            return switch (value.operator()) {
                case CONSTANT -> fields.constant(value.slot());
                case PARAMETER -> parameters[value.slot()];
                case INDEX -> value.integer() == 0 ? range.x0() + i : value.integer() == 1 ? y : z;
                case ADD -> real(value, 0)[i] + real(value, 1)[i];
                case SUBTRACT -> real(value, 0)[i] - real(value, 1)[i];
                case MULTIPLY -> real(value, 0)[i] * real(value, 1)[i];
                case DIVIDE -> real(value, 0)[i] / real(value, 1)[i];
                case NEGATE -> -real(value, 0)[i];
                case ABS -> Math.abs(real(value, 0)[i]);
                case SQRT -> Math.sqrt(real(value, 0)[i]);
                case MIN -> Math.min(real(value, 0)[i], real(value, 1)[i]);
                case MAX -> Math.max(real(value, 0)[i], real(value, 1)[i]);
                default -> throw new IllegalStateException(value.operator() + " makes no real");
            };
        }

        private void integer(Value value, long[] to) {
            for (int i = 0; i < points; i++) {
                long result = integerAt(value, i);
                to[i] = single ? (int) result : result;
            }
        }

        private long integerAt(Value value, int i) {
            return switch (value.operator()) {
                case INTEGER -> value.integer();
                case BITS -> {
                    double real = real(value, 0)[i];
                    yield single ? Float.floatToRawIntBits((float) real) : Double.doubleToRawLongBits(real);
                }
                case ADD_INTEGERS -> integer(value, 0)[i] + integer(value, 1)[i];
                case SUBTRACT_INTEGERS -> integer(value, 0)[i] - integer(value, 1)[i];
                case AND_BITS -> integer(value, 0)[i] & integer(value, 1)[i];
                case OR_BITS -> integer(value, 0)[i] | integer(value, 1)[i];
                case SHIFT_LEFT -> integer(value, 0)[i] << distance(value);
                case SHIFT_RIGHT -> integer(value, 0)[i] >> distance(value);
                default -> throw new IllegalStateException(value.operator() + " makes no integer");
            };
        }

        /** Returns by how many bits integers are shifted, as Java does it: fewer than they have. */
        private int distance(Value value) {
            return (int) value.operands().get(1).integer() & (single ? Integer.SIZE - 1 : Long.SIZE - 1);
        }

        private void condition(Value value, long[] to) {
            for (int i = 0; i < points; i++) {
                to[i] = isTrue(value, i) ? 1 : 0;
            }
        }

        private boolean isTrue(Value value, int i) {
            return switch (value.operator()) {
                case LESS -> real(value, 0)[i] < real(value, 1)[i];
                case AT_MOST -> real(value, 0)[i] <= real(value, 1)[i];
                case EQUAL -> real(value, 0)[i] == real(value, 1)[i];
                case AND -> (integer(value, 0)[i] & integer(value, 1)[i]) != 0;
                case OR -> (integer(value, 0)[i] | integer(value, 1)[i]) != 0;
                case NOT -> integer(value, 0)[i] == 0;
                default -> throw new IllegalStateException(value.operator() + " makes no condition");
            };
        }

        private void load(Value.Element element, double[] to) {
            int input = element.input();
            MemorySegment from = fields.segment(input);
            long at = fields.row(input, y + element.dy(), z + element.dz());
            int x = range.x0() + element.dx();
            for (int i = 0; i < points; i++) {
                to[i] = single
                        ? from.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at + (long) (x + i) * Float.BYTES)
                        : from.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at + (long) (x + i) * Double.BYTES);
            }
        }

        private void store(int output, double[] values) {
            MemorySegment to = fields.segment(output);
            long at = fields.row(output, y, z);
            for (int i = 0; i < points; i++) {
                long x = (long) range.x0() + i;
                if (single) {
                    to.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at + x * Float.BYTES, (float) values[i]);
                } else {
                    to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at + x * Double.BYTES, values[i]);
                }
            }
        }
    }
}
