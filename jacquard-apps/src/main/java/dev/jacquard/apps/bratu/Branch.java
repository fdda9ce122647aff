package dev.jacquard.apps.bratu;

/** The values that components hand to each other on the way along the branch. Arrays are not changed any more. */
final class Branch {
    private Branch() {}

    /**
     * A solution, or a guess of one.
     *
     * @param u at the inner points
     * @param lambda the parameter
     * @param change how far the last step of Newton's method went; the largest of all values
     */
    record Iterate(double[] u, double lambda, double change) {}

    /**
     * A solution with the direction in which the branch goes on, of length 1.
     *
     * @param u at the inner points
     * @param lambda the parameter
     * @param du of the direction
     * @param dLambda of the direction
     * @param arc the length of the branch so far
     */
    record BranchPoint(double[] u, double lambda, double[] du, double dLambda, double arc) {}

    /**
     * The next point: a step along the direction.
     *
     * @param from the last point
     * @param step the distance
     */
    record Prediction(BranchPoint from, double step) {
        Iterate guess() {
            double[] u = from.u().clone();
            for (int i = 0; i < u.length; i++) {
                u[i] += step * from.du()[i];
            }
            return new Iterate(u, from.lambda() + step * from.dLambda(), 0);
        }
    }

    /**
     * The linear equations of a step of Newton's method: the equations of the problem, bordered by the one that keeps
     * the distance from the last point.
     *
     * @param equations of the problem, at {@code at}
     * @param at where they hold
     * @param from the last point
     * @param distance how much too far {@code at} is from it, along its direction
     */
    record NewtonSystem(Discretisation equations, Iterate at, BranchPoint from, double distance) {
        /** Returns the next iterate. Bordering: two systems with the matrix of the problem. */
        Iterate next() {
            double[] step = equations.solve(equations.residual());
            double[] slope = equations.solve(equations.byLambda());
            double h = equations.width();
            double dLambda = (distance - h * Discretisation.dot(from.du(), step))
                    / (h * Discretisation.dot(from.du(), slope) - from.dLambda());
            double[] u = at.u().clone();
            double change = Math.abs(dLambda);
            for (int i = 0; i < u.length; i++) {
                double its = -step[i] - dLambda * slope[i];
                u[i] += its;
                change = Math.max(change, Math.abs(its));
            }
            return new Iterate(u, at.lambda() + dLambda, change);
        }
    }
}
