package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the body of a loop. Equal values are one, so common subexpressions are computed once; operations on constants
 * are done at once, with the rounding that the loop would have. Confined to one thread.
 */
public final class BodyBuilder {
    private record Key(Operator operator, List<Integer> operands, Object detail) {}

    static final Object NOTHING = new Object();

    private final DataType type;
    private final List<Value> values = new ArrayList<>();
    private final Map<Key, Value> known = new HashMap<>();
    private final List<Double> constants = new ArrayList<>();
    private final List<String> parameters = new ArrayList<>();

    /**
     * Begins a body.
     *
     * @param type of the reals: FLOAT64 or FLOAT32
     */
    public BodyBuilder(DataType type) {
        if (type != DataType.FLOAT64 && type != DataType.FLOAT32) {
            throw new IllegalArgumentException("loops compute with FLOAT64 or FLOAT32, not " + type);
        }
        this.type = type;
    }

    /** Returns the type of the reals. */
    public DataType type() {
        return type;
    }

    /** Returns an element of the input of that number, at a distance from the point. */
    public Value input(int number, int dx, int dy, int dz) {
        return value(Operator.INPUT, List.of(), new Value.Element(number, dx, dy, dz));
    }

    /** Returns a constant, rounded to the type of the reals. */
    public Value constant(double number) {
        double rounded = round(number);
        long bits = Double.doubleToRawLongBits(rounded);
        for (int slot = 0; slot < constants.size(); slot++) {
            if (Double.doubleToRawLongBits(constants.get(slot)) == bits) {
                return value(Operator.CONSTANT, List.of(), slot);
            }
        }
        constants.add(rounded);
        return value(Operator.CONSTANT, List.of(), constants.size() - 1);
    }

    /** Returns a number that is given by name at each run. */
    public Value parameter(String name) {
        Objects.requireNonNull(name, "name");
        int slot = parameters.indexOf(name);
        if (slot < 0) {
            slot = parameters.size();
            parameters.add(name);
        }
        return value(Operator.PARAMETER, List.of(), slot);
    }

    /** Returns the index of the point along an axis, 0 for x, as a real. */
    public Value index(int axis) {
        return value(Operator.INDEX, List.of(), (long) axis);
    }

    /** Returns an integer that is a part of the shape. */
    public Value integer(long number) {
        return value(Operator.INTEGER, List.of(), type == DataType.FLOAT32 ? (long) (int) number : number);
    }

    /** Returns the constant that {@code value} is; null if it is none. */
    public @Nullable Double constantOf(Value value) {
        return value.operator() == Operator.CONSTANT ? constants.get(value.slot()) : null;
    }

    /** Returns the value of an operation. */
    public Value apply(Operator operator, Value... operands) {
        Double folded = fold(operator, operands);
        if (folded != null) {
            return constant(folded);
        }
        List<Value> ordered = List.of(operands);
        boolean turns = operator == Operator.ADD || operator == Operator.MULTIPLY;
        if (turns && operands[0].number() > operands[1].number()) {
            ordered = List.of(operands[1], operands[0]);
        }
        return value(operator, ordered, NOTHING);
    }

    private @Nullable Double fold(Operator operator, Value... operands) {
        Double first = operands.length > 0 ? constantOf(operands[0]) : null;
        if (first == null) {
            return null;
        }
        Double second = operands.length > 1 ? constantOf(operands[1]) : null;
        return switch (operator) {
            case NEGATE -> -first;
            case ABS -> Math.abs(first);
            case SQRT -> round(Math.sqrt(first));
            case ADD -> second == null ? null : (Double) round(first + second);
            case SUBTRACT -> second == null ? null : (Double) round(first - second);
            case MULTIPLY -> second == null ? null : (Double) round(first * second);
            case DIVIDE -> second == null ? null : (Double) round(first / second);
            default -> null;
        };
    }

    /**
     * Rounds to the type: of sums, products, quotients and roots of floats, too, a double has digits enough for that.
     */
    private double round(double number) {
        return type == DataType.FLOAT32 ? (double) (float) number : number;
    }

    private Value value(Operator operator, List<Value> operands, Object detail) {
        Key key = new Key(operator, operands.stream().map(Value::number).toList(), detail);
        return known.computeIfAbsent(key, any -> {
            Value made = new Value(values.size(), operator, operands, detail);
            values.add(made);
            return made;
        });
    }

    /**
     * Returns the body that computes {@code results}, without values that these do not need. Constants are numbered in
     * the order of their use, so that expressions alike but for their constants have one shape.
     *
     * @param inputs the number of fields that it reads
     */
    public LoopBody build(int inputs, List<Value> results) {
        boolean[] needed = new boolean[values.size()];
        results.forEach(result -> mark(result, needed));
        Map<Value, Value> renewed = new LinkedHashMap<>();
        List<Double> used = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Value value : values) {
            if (needed[value.number()]) {
                Object detail = detail(value, used, names);
                List<Value> operands =
                        value.operands().stream().map(renewed::get).toList();
                renewed.put(value, new Value(renewed.size(), value.operator(), operands, detail));
            }
        }
        return new LoopBody(
                type,
                inputs,
                List.copyOf(renewed.values()),
                results.stream().map(renewed::get).toList(),
                used.stream().mapToDouble(Double::doubleValue).toArray(),
                names);
    }

    private Object detail(Value value, List<Double> used, List<String> names) {
        return switch (value.operator()) {
            case CONSTANT -> {
                used.add(constants.get(value.slot()));
                yield used.size() - 1;
            }
            case PARAMETER -> {
                names.add(parameters.get(value.slot()));
                yield names.size() - 1;
            }
            case INPUT -> value.element();
            case INTEGER, INDEX -> value.integer();
            default -> NOTHING;
        };
    }

    /** Marks the values that {@code value} needs; a loop, since chains of values may be long. */
    private static void mark(Value value, boolean[] needed) {
        List<Value> left = new ArrayList<>(List.of(value));
        while (!left.isEmpty()) {
            Value next = left.removeLast();
            if (!needed[next.number()]) {
                needed[next.number()] = true;
                left.addAll(next.operands());
            }
        }
    }
}
