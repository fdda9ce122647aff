package dev.jacquard.apps.bratu;

import dev.jacquard.apps.bratu.Branch.BranchPoint;
import dev.jacquard.apps.bratu.Branch.Iterate;
import org.jspecify.annotations.Nullable;

/**
 * The equations at the inner points of a grid, times the square of its width, and their derivatives at some iterate:
 *
 * <pre>
 *  u[i-1] - 2 u[i] + u[i+1] + L h h / 12 (exp u[i-1] + 10 exp u[i] + exp u[i+1]) = 0
 * </pre>
 *
 * @param width of the grid
 * @param residual by equation: its left-hand side
 * @param byLambda by equation: its derivative by the parameter
 * @param diagonal by equation: its derivative by its own point
 * @param beside by point: the derivative of the neighbouring equations
 */
record Discretisation(double width, double[] residual, double[] byLambda, double[] diagonal, double[] beside) {
    /** Returns the equations at an iterate. */
    static Discretisation at(Iterate iterate) {
        double[] u = iterate.u();
        int n = u.length;
        double h = 1.0 / (n + 1);
        double weight = h * h / 12;
        double[] exp = new double[n];
        for (int i = 0; i < n; i++) {
            exp[i] = StrictMath.exp(u[i]);
        }
        double[] residual = new double[n];
        double[] byLambda = new double[n];
        double[] diagonal = new double[n];
        double[] beside = new double[n];
        for (int i = 0; i < n; i++) {
            double left = i > 0 ? u[i - 1] : 0;
            double right = i < n - 1 ? u[i + 1] : 0;
            byLambda[i] = weight * ((i > 0 ? exp[i - 1] : 1) + 10 * exp[i] + (i < n - 1 ? exp[i + 1] : 1));
            residual[i] = left - 2 * u[i] + right + iterate.lambda() * byLambda[i];
            diagonal[i] = -2 + iterate.lambda() * weight * 10 * exp[i];
            beside[i] = 1 + iterate.lambda() * weight * exp[i];
        }
        return new Discretisation(h, residual, byLambda, diagonal, beside);
    }

    /**
     * Solves with the derivatives by the points. The matrix has three diagonals; elimination without exchanges.
     *
     * @throws ArithmeticException if a pivot is 0
     */
    double[] solve(double[] rhs) {
        int n = rhs.length;
        double[] pivot = diagonal.clone();
        double[] x = rhs.clone();
        for (int i = 1; i < n; i++) {
            double factor = beside[i - 1] / pivot[i - 1];
            pivot[i] -= factor * beside[i];
            x[i] -= factor * x[i - 1];
        }
        x[n - 1] /= pivot[n - 1];
        for (int i = n - 2; i >= 0; i--) {
            x[i] = (x[i] - beside[i + 1] * x[i + 1]) / pivot[i];
        }
        for (double value : x) {
            if (!Double.isFinite(value)) {
                throw new ArithmeticException("the linear equations of Newton's method are singular; expected another"
                        + " 'step' along the branch");
            }
        }
        return x;
    }

    /** Returns the sum of products, from the first on. */
    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /**
     * Returns a solution with the direction of the branch, which does not turn back.
     *
     * @param before the last point; null for the first one, from where the parameter grows
     */
    static BranchPoint point(Iterate solution, @Nullable BranchPoint before, double arc) {
        Discretisation equations = at(solution);
        double[] du = equations.solve(equations.byLambda());
        double length = StrictMath.sqrt(equations.width * dot(du, du) + 1);
        double along = before == null ? 1 : before.dLambda() - equations.width * dot(du, before.du());
        double dLambda = along < 0 ? -1 / length : 1 / length;
        for (int i = 0; i < du.length; i++) {
            du[i] *= -dLambda;
        }
        return new BranchPoint(solution.u(), solution.lambda(), du, dLambda, arc);
    }
}
