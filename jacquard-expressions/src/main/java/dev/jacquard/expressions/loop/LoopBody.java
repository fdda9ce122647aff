package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a loop at each point: values in the order in which they can be computed, some of which are results.
 * Immutable.
 */
public final class LoopBody {
    private final DataType type;
    private final int inputs;
    private final List<Value> values;
    private final List<Value> results;
    private final double[] constants;
    private final List<String> parameters;
    private final String shape;
    private final boolean hasIndices;
    private final int planes;
    /** The least dx of the elements of each input, or 0. */
    private final int[] firsts;

    LoopBody(
            DataType type,
            int inputs,
            List<Value> values,
            List<Value> results,
            double[] constants,
            List<String> parameters) {
        this.type = type;
        this.inputs = inputs;
        this.values = List.copyOf(values);
        this.results = List.copyOf(results);
        this.constants = constants;
        this.parameters = List.copyOf(parameters);
        this.shape = describe();
        this.hasIndices = values.stream().anyMatch(value -> value.operator() == Operator.INDEX && value.integer() < 2);
        this.planes = planes(inputs, values);
        this.firsts = new int[inputs];
        for (Value value : values) {
            if (value.operator() == Operator.INPUT) {
                Element read = value.element();
                firsts[read.input()] = Math.min(firsts[read.input()], read.dx());
            }
        }
    }

    /** Returns the type of the reals: FLOAT64 or FLOAT32. */
    public DataType type() {
        return type;
    }

    /** Returns the number of fields that it reads. */
    public int inputs() {
        return inputs;
    }

    /** Returns the values, operands first. */
    public List<Value> values() {
        return values;
    }

    /** Returns the results, each of which is written to an output. */
    public List<Value> results() {
        return results;
    }

    /** Returns the constants by their slots. */
    public double[] constants() {
        return constants.clone();
    }

    /** Returns the names of the parameters by their slots. */
    public List<String> parameters() {
        return parameters;
    }

    /**
     * Returns a key that tells apart the loops that have to be made: bodies of one shape differ in constants only, and
     * share a loop.
     */
    public String shape() {
        return shape;
    }

    /** Returns true if a value depends on where its point lies in its plane. */
    boolean hasIndices() {
        return hasIndices;
    }

    /**
     * Returns the number of planes, of all inputs together, that the points of one plane read from inputs of which they
     * read more than one.
     */
    public int planes() {
        return planes;
    }

    /** Returns the least distance along x from a point to an element of an input that it reads, 0 or less. */
    public int first(int input) {
        return firsts[input];
    }

    private static int planes(int inputs, List<Value> values) {
        int[] lowest = new int[inputs];
        int[] highest = new int[inputs];
        Arrays.fill(lowest, Integer.MAX_VALUE);
        Arrays.fill(highest, Integer.MIN_VALUE);
        for (Value value : values) {
            if (value.operator() == Operator.INPUT) {
                Element read = value.element();
                lowest[read.input()] = Math.min(lowest[read.input()], read.dz());
                highest[read.input()] = Math.max(highest[read.input()], read.dz());
            }
        }
        int planes = 0;
        for (int input = 0; input < inputs; input++) {
            planes += highest[input] > lowest[input] ? highest[input] - lowest[input] + 1 : 0;
        }
        return planes;
    }

    private String describe() {
        StringBuilder text =
                new StringBuilder(type.name()).append(' ').append(inputs).append('\n');
        for (Value value : values) {
            text.append('v').append(value.number()).append(" = ").append(value.operator());
            switch (value.operator()) {
                case INPUT -> text.append(' ').append(value.element());
                case CONSTANT, PARAMETER -> text.append(' ').append(value.slot());
                case INTEGER, INDEX -> text.append(' ').append(value.integer());
                default -> value.operands().forEach(operand -> text.append(" v").append(operand.number()));
            }
            text.append('\n');
        }
        results.forEach(result -> text.append("-> v").append(result.number()).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return shape;
    }

    /**
     * A body in several, which are run one after the other for each row: values that later ones need are kept in rows
     * of their own. All parts read the inputs, and the last one writes the results, so that a field may be read and
     * written.
     *
     * <p>Integers and conditions are kept as reals with these bits, or as 1 and 0. Values that cost little are computed
     * again.
     */
    public static final class Split {
        /**
         * One of the bodies. Its inputs are the inputs of the whole, then the rows that it reads; its constants and
         * parameters have the slots that they have in the whole.
         *
         * @param body its computations
         * @param reads the numbers of the rows that it reads
         * @param writes the numbers of the rows that it writes; empty for the last part, which writes the whole's
         *     results
         */
        public record Part(LoopBody body, List<Integer> reads, List<Integer> writes) {
            public Part {
                reads = List.copyOf(reads);
                writes = List.copyOf(writes);
            }
        }

        private final LoopBody whole;
        /** The part in which each value is computed that costs something. */
        private final Map<Value, Integer> places = new HashMap<>();
        /** The numbers of the rows of the values that later parts need. */
        private final Map<Value, Integer> rows = new LinkedHashMap<>();

        private final List<Part> parts = new ArrayList<>();

        /** Splits a body into {@code count} bodies of about as many operations each. */
        public Split(LoopBody whole, int count) {
            this.whole = whole;
            List<Value> costly =
                    whole.values().stream().filter(value -> !isCheap(value)).toList();
            List<List<Value>> computed = emptyLists(count);
            for (int i = 0; i < costly.size(); i++) {
                int place = (int) ((long) i * count / costly.size());
                places.put(costly.get(i), place);
                computed.get(place).add(costly.get(i));
            }
            int last = count - 1;
            for (Value value : whole.values()) {
                value.operands().forEach(operand -> keep(operand, places.getOrDefault(value, last)));
            }
            whole.results().forEach(result -> keep(result, last));
            List<List<Value>> kept = emptyLists(count);
            rows.keySet()
                    .forEach(value ->
                            kept.get(Objects.requireNonNull(places.get(value))).add(value));
            for (int part = 0; part < count; part++) {
                parts.add(part(part, computed.get(part), part == last ? null : kept.get(part)));
            }
        }

        private static List<List<Value>> emptyLists(int count) {
            return Stream.generate(() -> (List<Value>) new ArrayList<Value>())
                    .limit(count)
                    .toList();
        }

        private void keep(Value value, int user) {
            Integer place = places.get(value);
            if (place != null && place < user) {
                rows.putIfAbsent(value, rows.size());
            }
        }

        /** Returns true for a value that is loaded, or known, rather than computed. */
        private static boolean isCheap(Value value) {
            return value.operands().isEmpty();
        }

        /** Returns the bodies, in the order in which they run. */
        public List<Part> parts() {
            return List.copyOf(parts);
        }

        /** Returns the number of rows. */
        public int rows() {
            return rows.size();
        }

        /**
         * Returns a part.
         *
         * @param computed the values that cost something and are computed in it, operands first
         * @param kept the ones that later parts need; null for the last part
         */
        private Part part(int number, List<Value> computed, @Nullable List<Value> kept) {
            Maker maker = new Maker(number);
            computed.forEach(maker::of); // operands first, so that chains of them are no recursion
            List<Integer> writes = new ArrayList<>();
            List<Value> results = new ArrayList<>();
            if (kept == null) {
                whole.results().forEach(result -> results.add(maker.of(result)));
            } else {
                for (Value value : kept) {
                    results.add(maker.kept(value));
                    writes.add(Objects.requireNonNull(rows.get(value)));
                }
            }
            LoopBody body = new LoopBody(
                    whole.type(),
                    whole.inputs() + maker.reads.size(),
                    maker.values,
                    results,
                    whole.constants(),
                    whole.parameters());
            return new Part(body, maker.reads, writes);
        }

        /** Makes the values of one part. */
        private final class Maker {
            private final int number;
            private final List<Value> values = new ArrayList<>();
            private final Map<Value, Value> made = new HashMap<>();
            private final List<Integer> reads = new ArrayList<>();

            Maker(int number) {
                this.number = number;
            }

            /** Returns the part's own value for one of the whole; its operands are known, or cheap, or rows. */
            Value of(Value value) {
                Value known = made.get(value);
                if (known != null) {
                    return known;
                }
                Value its = isCheap(value) || places.getOrDefault(value, -1) == number
                        ? add(
                                value.operator(),
                                value.operands().stream().map(this::of).toList(),
                                value.detail())
                        : read(value);
                made.put(value, its);
                return its;
            }

            private Value add(Operator operator, List<Value> operands, Object detail) {
                Value value = new Value(values.size(), operator, operands, detail);
                values.add(value);
                return value;
            }

            private Value read(Value value) {
                int input = whole.inputs() + reads.size();
                reads.add(Objects.requireNonNull(rows.get(value)));
                Value real = add(Operator.INPUT, List.of(), new Value.Element(input, 0, 0, 0));
                return switch (value.kind()) {
                    case REAL -> real;
                    case INTEGER -> add(Operator.BITS, List.of(real), BodyBuilder.NOTHING);
                    case CONDITION -> add(Operator.EQUAL, List.of(real, one()), BodyBuilder.NOTHING);
                };
            }

            /** Returns the real that a row keeps of a value. */
            Value kept(Value value) {
                Value its = of(value);
                return switch (value.kind()) {
                    case REAL -> its;
                    case INTEGER -> add(Operator.FROM_BITS, List.of(its), BodyBuilder.NOTHING);
                    case CONDITION -> add(Operator.SELECT, List.of(its, one(), real(0)), BodyBuilder.NOTHING);
                };
            }

            private Value one() {
                return real(
                        whole.type() == DataType.FLOAT32 ? Float.floatToRawIntBits(1) : Double.doubleToRawLongBits(1));
            }

            private Value real(long bits) {
                Value integer = add(Operator.INTEGER, List.of(), bits);
                return add(Operator.FROM_BITS, List.of(integer), BodyBuilder.NOTHING);
            }
        }
    }
}
