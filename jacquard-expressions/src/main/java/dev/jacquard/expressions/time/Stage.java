package dev.jacquard.expressions.time;

import java.util.List;

/**
 * A stage of a method: {@code next = start · u + (1 − start) · (last + dt · rate(last))}, where u is the field at the
 * begin of the step.
 *
 * @param start the share of u
 * @param time the time at which the rate is taken, in steps from the begin of the step on
 */
record Stage(double start, double time) {
    /**
     * A method. Immutable.
     *
     * @param stages in their order
     */
    record Method(List<Stage> stages) {
        static Method of(int order) {
            return switch (order) {
                case 1 -> new Method(List.of(new Stage(0, 0)));
                case 2 -> new Method(List.of(new Stage(0, 0), new Stage(1.0 / 2, 1)));
                case 3 -> new Method(List.of(new Stage(0, 0), new Stage(3.0 / 4, 1), new Stage(1.0 / 3, 1.0 / 2)));
                default ->
                    throw new IllegalArgumentException("there are methods of order 1 (Euler), 2 and 3, not " + order);
            };
        }

        int count() {
            return stages.size();
        }

        Stage stage(int number) {
            return stages.get(number);
        }
    }
}
