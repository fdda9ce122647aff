package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.TreeRuns;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A method that advances fields in time by their rates: forward Euler, or a strong-stability-preserving Runge–Kutta
 * method of second or third order. Immutable: each method returns another one.
 *
 * <pre>{@code
 * Integrator steps = Ssp.order(3).advance(T, RATE).of(model.tree(RATE))
 *         .boundary(T, Side.X_LOW, neumann(0)).boundary(T, Side.X_HIGH, dirichlet(1))
 *         .compile(fields);
 * steps.run(1_000, 1e-4);
 * }</pre>
 *
 * <p>All fields advance together, in stages: in each, boundaries fill the ghosts, then the rates are computed, in the
 * same loops as the sums that the method makes of them. In an expression the parameter {@code "t"} is the time of the
 * stage, and {@code "dt"} the step.
 *
 * <p>Threads: any.
 */
public final class Ssp {
    private final Stage.Method method;
    private final Map<Tag<?>, Tag<?>> rates;
    private final Map<Tag<Cell>, Map<Side, Condition>> boundaries;
    private final Map<String, Double> parameters;

    private Ssp(
            Stage.Method method,
            Map<Tag<?>, Tag<?>> rates,
            Map<Tag<Cell>, Map<Side, Condition>> boundaries,
            Map<String, Double> parameters) {
        this.method = method;
        this.rates = rates;
        this.boundaries = boundaries;
        this.parameters = parameters;
    }

    /**
     * Returns the method of an order of accuracy.
     *
     * @param order 1 for forward Euler, 2 or 3
     */
    public static Ssp order(int order) {
        return new Ssp(Stage.Method.of(order), Map.of(), Map.of(), Map.of());
    }

    /**
     * Lets a field advance by another one, its derivative in time.
     *
     * @throws IllegalArgumentException if the field advances already
     */
    public <L extends Location> Ssp advance(Tag<L> unknown, Tag<L> rate) {
        Objects.requireNonNull(rate, "rate");
        if (rates.containsKey(Objects.requireNonNull(unknown, "unknown"))) {
            throw new IllegalArgumentException(
                    "\"" + unknown + "\" advances by \"" + rates.get(unknown) + "\" already, and has one rate");
        }
        Map<Tag<?>, Tag<?>> more = new LinkedHashMap<>(rates);
        more.put(unknown, rate);
        return new Ssp(method, more, boundaries, parameters);
    }

    /** Gives a field a condition at a side, or at both ends of an axis if it is periodic. */
    public Ssp boundary(Tag<Cell> unknown, Side side, Condition condition) {
        Objects.requireNonNull(condition, "condition");
        if (condition instanceof Condition.Exchanged) {
            throw new IllegalArgumentException("\"" + unknown + "\" has exchanged ghosts on side " + side
                    + ", and the stages of a step exchange nothing: give it another condition");
        }
        Map<Tag<Cell>, Map<Side, Condition>> more = new LinkedHashMap<>(boundaries);
        Map<Side, Condition> its = new EnumMap<>(Side.class);
        its.putAll(more.getOrDefault(Objects.requireNonNull(unknown, "unknown"), Map.of()));
        its.put(Objects.requireNonNull(side, "side"), condition);
        if (condition instanceof Condition.Periodic) {
            its.put(side.opposite(), condition);
        }
        more.put(unknown, its);
        return new Ssp(method, rates, more, parameters);
    }

    /** Gives a parameter of the expressions its value; {@code "t"} and {@code "dt"} have theirs. */
    public Ssp parameter(String name, double value) {
        Map<String, Double> more = new LinkedHashMap<>(parameters);
        more.put(Objects.requireNonNull(name, "name"), value);
        return new Ssp(method, rates, boundaries, more);
    }

    /** Returns the tree's fields with this method, ready to be compiled. */
    public Of of(ExpressionTree tree) {
        return new Of(
                this,
                Objects.requireNonNull(tree, "tree"),
                TreeRuns.isAssigned(tree) ? TargetPolicy.host() : null,
                false,
                0);
    }

    /** A method and the expressions of the rates. Immutable. */
    public static final class Of {
        private final Ssp ssp;
        private final ExpressionTree tree;
        private final @Nullable TargetPolicy targets;
        private final boolean isResident;
        private final double tolerance;

        private Of(Ssp ssp, ExpressionTree tree, @Nullable TargetPolicy targets, boolean isResident, double tolerance) {
            this.ssp = ssp;
            this.tree = tree;
            this.targets = targets;
            this.isResident = isResident;
            this.tolerance = tolerance;
        }

        /** Gives a field a condition; see {@link Ssp#boundary}. */
        public Of boundary(Tag<Cell> unknown, Side side, Condition condition) {
            return new Of(ssp.boundary(unknown, side, condition), tree, targets, isResident, tolerance);
        }

        /** Gives a parameter its value; see {@link Ssp#parameter}. */
        public Of parameter(String name, double value) {
            return new Of(ssp.parameter(name, value), tree, targets, isResident, tolerance);
        }

        /**
         * Lets a policy assign the expressions to targets. Fields that advance have two memories then, and the ones
         * with boundaries go home after each step, so that it can be done again when a device was lost.
         */
        public Of targets(TargetPolicy policy) {
            return new Of(ssp, tree, Objects.requireNonNull(policy, "policy"), isResident, tolerance);
        }

        /**
         * Lets fields stay on the devices that a policy gives them: steps move no field that is needed where it is, nor
         * its ghosts. They come home when values are looked at. Values that a lost device alone had are lost, and so is
         * the step: restore a checkpoint.
         */
        public Of resident() {
            return new Of(ssp, tree, targets, true, tolerance);
        }

        /**
         * Lets the integrator choose the lengths of the steps: {@link Integrator#runUntil(double)}. The fields that
         * advance have a second memory then, since a step may be rejected. Euler's method runs two steps at a time,
         * since a single one has no estimate of its error.
         *
         * @param relative the greatest error of a step, as estimated, relative to the greatest magnitude of the field
         *     so far: above 0, below 1; errors of rounding are always within it
         */
        public Of tolerance(double relative) {
            if (!(relative > 0 && relative < 1)) {
                throw new IllegalArgumentException("the tolerance of a step's error, relative to the magnitude of a"
                        + " field, is above 0 and below 1, such as 1e-4, not " + relative);
            }
            return new Of(ssp, tree, targets, isResident, relative);
        }

        /**
         * Makes the loops and records the graph of a step.
         *
         * @throws IllegalArgumentException if nothing advances; if the tree has no expression for a rate, or one for a
         *     field that advances; if a condition is for a field that does not advance, or the grid has too few ghost
         *     layers; if a parameter has no value, or no expression has one of that name
         * @throws IllegalStateException if ghosts of a field are read that no condition fills
         */
        public Integrator compile(FieldStore fields) {
            Problem problem = new Problem(
                    ssp.method, tree, ssp.rates, ssp.boundaries, ssp.parameters, targets, isResident, tolerance);
            return new Integrator(problem, Objects.requireNonNull(fields, "fields"));
        }
    }
}
