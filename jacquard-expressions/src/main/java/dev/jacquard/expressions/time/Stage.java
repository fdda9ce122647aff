package dev.jacquard.expressions.time;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a method: {@code next = start · u + (1 − start) · (last + length · dt · rate(last))}, where u is the field
 * at the begin of the step.
 *
 * @param start the share of u
 * @param time the time at which the rate is taken, in steps from the begin of the step on
 * @param length the share of the step for which the rate is taken
 */
record Stage(double start, double time, double length) {
    Stage(double start, double time) {
        this(start, time, 1);
    }

    /**
     * A method. Immutable.
     *
     * @param stages in their order
     * @param companion a second solution of the same stages; null for none
     */
    record Method(List<Stage> stages, @Nullable Companion companion) {
        static Method of(int order) {
            return switch (order) {
                case 1 -> new Method(List.of(new Stage(0, 0)), null);
                case 2 -> new Method(List.of(new Stage(0, 0), new Stage(1.0 / 2, 1)), new Companion(1, 0, 2));
                case 3 ->
                    new Method(
                            List.of(new Stage(0, 0), new Stage(3.0 / 4, 1), new Stage(1.0 / 3, 1.0 / 2)),
                            new Companion(2, -1, 3));
                default ->
                    throw new IllegalArgumentException("there are methods of order 1 (Euler), 2 and 3, not " + order);
            };
        }

        /** Returns the method with a companion: of Euler's, two steps of half the length are one of this. */
        Method withCompanion() {
            return companion == null
                    ? new Method(List.of(new Stage(0, 0, 0.5), new Stage(0, 0.5, 0.5)), new Companion(2, -1, 2))
                    : this;
        }

        /** Returns the steps of the given method that one of this is. */
        int pieces() {
            return (int) Math.round(1 / stages.getFirst().length());
        }

        int count() {
            return stages.size();
        }

        Stage stage(int number) {
            return stages.get(number);
        }
    }

    /**
     * A solution of a lower order, {@code last · v + start · u}, where v is the field that the last stage begins with.
     * Its distance from the method's solution is that of its error, which is of the order of a power of the step:
     *
     * <ul>
     *   <li>Euler's method in two halves: {@code 2v − u} is one step of the whole length; both halves together have as
     *       much error as the distance
     *   <li>second order: v is Euler's step
     *   <li>third order: {@code 2v − u} is {@code u + dt/2 · (rate of the first stage + rate of the second)}, the
     *       method of second order
     * </ul>
     *
     * @param power of the step
     */
    record Companion(double last, double start, int power) {}
}
