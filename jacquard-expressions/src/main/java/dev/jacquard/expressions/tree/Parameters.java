package dev.jacquard.expressions.tree;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.expressions.field.NumberRange;
import dev.jacquard.memory.data.DataType;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Numbers that expressions get by name, the same for all of a graph's tasks. Tasks of a recorded graph read them when
 * they run, so that each run may have others.
 *
 * <pre>{@code
 * Parameters numbers = Parameters.of(Map.of("dt", 1e-3));
 * CompiledGraph step = session.record(graph -> tree.submit(fields, graph, numbers));
 * step.run();
 * numbers.set("dt", 2e-3);
 * step.run();
 * }</pre>
 *
 * <p>Threads: one at a time, and none while tasks run that read them.
 */
public final class Parameters {
    private final Map<String, Double> values = new LinkedHashMap<>();
    /** The numbers that tasks read, by their names: tasks see the values that were set before their run began. */
    private final Map<List<String>, double[]> bound = new HashMap<>();

    /** False for the parameters of one submission, which are not shared. */
    private final boolean mayChange;

    private Parameters(boolean mayChange) {
        this.mayChange = mayChange;
    }

    /** Returns parameters with these values. */
    public static Parameters of(Map<String, Double> values) {
        return of(values, true);
    }

    /** Returns parameters that keep these values. */
    static Parameters fixed(Map<String, Double> values) {
        return of(values, false);
    }

    private static Parameters of(Map<String, Double> values, boolean mayChange) {
        Parameters all = new Parameters(mayChange);
        values.forEach((name, value) -> all.values.put(
                Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value of " + name)));
        return all;
    }

    /**
     * Gives a parameter another value, from the next run on. Data that is lost with a device, and computed again after
     * this, is computed with the new value.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public void set(String name, double value) {
        if (!values.containsKey(name)) {
            throw new IllegalArgumentException("there is no parameter \"" + name + "\" among " + values.keySet()
                    + NearestName.hint(name, values.keySet()));
        }
        values.put(name, value);
        bound.forEach((names, numbers) -> {
            for (int i = 0; i < numbers.length; i++) {
                if (names.get(i).equals(name)) {
                    numbers[i] = value;
                }
            }
        });
    }

    /**
     * Returns the value of a parameter.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("parameter \"" + name + "\" has no value; there are " + values.keySet()
                    + ": give it one by parameter(\"" + name + "\", value), before compile");
        }
        return value;
    }

    boolean mayChange() {
        return mayChange;
    }

    /** Returns the values of some parameters, in this order; {@link #set} changes them in this array, too. */
    double[] bind(List<String> names) {
        return bound.computeIfAbsent(
                names, all -> all.stream().mapToDouble(this::get).toArray());
    }

    /** Throws an exception if one is missing here, or would become 0 or infinite in the type of the loops. */
    void requireAll(Collection<String> names, DataType type) {
        for (String name : names) {
            double value = get(name);
            String misfit = NumberRange.misfit(value, type);
            if (!misfit.isEmpty()) {
                throw new IllegalArgumentException("parameter \"" + name + "\" is " + value + ", which " + misfit
                        + "; expected another number, or a grid of FLOAT64");
            }
        }
    }

    /** Throws an exception if one that is here is not known. */
    void requireOnly(Collection<String> known) {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("the expression has no parameter \"" + name + "\"; it has " + known);
            }
        }
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
