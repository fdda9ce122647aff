package dev.jacquard.apps.pde;

/**
 * Two unknowns in a rectangle, computed by plain loops: what the program of equations beside it is compared with. x is
 * periodic; at low y c is given and at high y its derivative.
 */
final class TwoUnknowns {
    static final String PROGRAM = """
            component: pde
            grid: {cells: 12x9, lengths: 1.5x0.9}
            parameters: {lambda: 0.4, kappa: 0.03}
            fields:
              u: {at: faces, x: "0.5 + x*y*(1 + sin(3*t))", y: "0.2*x*x - y"}
              k: {at: cell, value: "1 + x*(1 - y)"}
              m: {at: cell, value: "0.1*(1 + x*t + y)"}
            unknowns:
              c:
                initial: "1 + x*y"
                rate: "-div(u*faces(c)) + kappa*div(faces(k)*grad(c)) + d*c - lambda*c"
                boundaries: {x: periodic, y-low: "dirichlet 1 + sin(2*t)*x", y-high: "neumann 0.3 - x*t"}
              d:
                initial: "where(x < 0.75, 1, y)"
                rate: "0.1*div(faces(m)*grad(d)) - c^2*d + where(x < 0.5, 1, -y*t) + 0.01*dy(c*d)"
                boundaries: {x: periodic, y: "neumann 0"}
            time: {method: ssp3, step: 7e-3, end: 0.1}
            output: {fields: npy, image: none}
            """;

    static final int NX = 12;
    static final int NY = 9;
    static final double STEP = 7e-3;
    static final double END = 0.1;

    private static final double HX = 1.5 / NX;
    private static final double HY = 0.9 / NY;
    private static final double LAMBDA = 0.4;
    private static final double KAPPA = 0.03;

    /** With a layer of ghosts: index 0 is the ghost below cell 0. */
    private double[][] c = new double[NY + 2][NX + 2];

    private double[][] d = new double[NY + 2][NX + 2];

    static double x(int i) {
        return (i + 0.5) * HX;
    }

    static double y(int j) {
        return (j + 0.5) * HY;
    }

    private TwoUnknowns() {
        for (int j = 0; j < NY; j++) {
            for (int i = 0; i < NX; i++) {
                c[j + 1][i + 1] = 1 + x(i) * y(j);
                d[j + 1][i + 1] = x(i) < 0.75 ? 1 : y(j);
            }
        }
    }

    /** Returns c and d at the end, x fastest, by the method of a number of stages. */
    static double[][] solve(int stages) {
        TwoUnknowns all = new TwoUnknowns();
        double t = 0;
        int number = 0;
        while (t < END - 1e-12) {
            double step = Math.min(STEP, END - t);
            all.step(t, step, stages);
            number++;
            t = Math.min(number * STEP, END);
        }
        return new double[][] {interior(all.c), interior(all.d)};
    }

    private static double[] interior(double[][] of) {
        double[] all = new double[NX * NY];
        for (int j = 0; j < NY; j++) {
            System.arraycopy(of[j + 1], 1, all, j * NX, NX);
        }
        return all;
    }

    private void step(double t, double step, int stages) {
        double[][] c0 = copy(c);
        double[][] d0 = copy(d);
        double[][] starts = {{0}, {0, 0.5}, {0, 0.75, 1.0 / 3}};
        double[][] times = {{0}, {0, 1}, {0, 1, 0.5}};
        for (int stage = 0; stage < stages; stage++) {
            double at = t + times[stages - 1][stage] * step;
            double start = starts[stages - 1][stage];
            ghosts(at);
            double[][] nextC = copy(c);
            double[][] nextD = copy(d);
            for (int j = 1; j <= NY; j++) {
                for (int i = 1; i <= NX; i++) {
                    nextC[j][i] = start * c0[j][i] + (1 - start) * (c[j][i] + step * rateC(i, j, at));
                    nextD[j][i] = start * d0[j][i] + (1 - start) * (d[j][i] + step * rateD(i, j, at));
                }
            }
            c = nextC;
            d = nextD;
        }
    }

    private static double[][] copy(double[][] of) {
        double[][] copy = new double[of.length][];
        for (int j = 0; j < of.length; j++) {
            copy[j] = of[j].clone();
        }
        return copy;
    }

    private void ghosts(double t) {
        for (int j = 1; j <= NY; j++) {
            c[j][0] = c[j][NX];
            c[j][NX + 1] = c[j][1];
            d[j][0] = d[j][NX];
            d[j][NX + 1] = d[j][1];
        }
        for (int i = 1; i <= NX; i++) {
            double x = x(i - 1);
            c[0][i] = 2 * (1 + Math.sin(2 * t) * x) - c[1][i];
            c[NY + 1][i] = c[NY][i] + HY * (0.3 - x * t);
            d[0][i] = d[1][i];
            d[NY + 1][i] = d[NY][i];
        }
    }

    /** Returns the velocity at the face below a cell along x; the last face is the first. */
    private static double u(int face, int j, double t) {
        double x = face % NX * HX;
        return 0.5 + x * y(j) * (1 + Math.sin(3 * t));
    }

    private static double v(int i, int face) {
        return 0.2 * x(i) * x(i) - face * HY;
    }

    /** Returns the conductivity: behind the ends of x that of the other end, behind those of y its expression. */
    private static double k(int i, int j) {
        return 1 + x((i + NX) % NX) * (1 - y(j));
    }

    private static double m(int i, int j, double t) {
        return 0.1 * (1 + x((i + NX) % NX) * t + y(j));
    }

    /** Indices count the ghost. */
    private double rateC(int gi, int gj, double t) {
        int i = gi - 1;
        int j = gj - 1;
        double east = 0.5 * (c[gj][gi] + c[gj][gi + 1]);
        double west = 0.5 * (c[gj][gi] + c[gj][gi - 1]);
        double north = 0.5 * (c[gj][gi] + c[gj + 1][gi]);
        double south = 0.5 * (c[gj][gi] + c[gj - 1][gi]);
        double convection =
                (u(i + 1, j, t) * east - u(i, j, t) * west) / HX + (v(i, j + 1) * north - v(i, j) * south) / HY;
        double diffusion = (0.5 * (k(i, j) + k(i + 1, j)) * (c[gj][gi + 1] - c[gj][gi])
                                - 0.5 * (k(i, j) + k(i - 1, j)) * (c[gj][gi] - c[gj][gi - 1]))
                        / (HX * HX)
                + (0.5 * (k(i, j) + k(i, j + 1)) * (c[gj + 1][gi] - c[gj][gi])
                                - 0.5 * (k(i, j) + k(i, j - 1)) * (c[gj][gi] - c[gj - 1][gi]))
                        / (HY * HY);
        return -convection + KAPPA * diffusion + d[gj][gi] * c[gj][gi] - LAMBDA * c[gj][gi];
    }

    private double rateD(int gi, int gj, double t) {
        int i = gi - 1;
        int j = gj - 1;
        double diffusion = (0.5 * (m(i, j, t) + m(i + 1, j, t)) * (d[gj][gi + 1] - d[gj][gi])
                                - 0.5 * (m(i, j, t) + m(i - 1, j, t)) * (d[gj][gi] - d[gj][gi - 1]))
                        / (HX * HX)
                + (0.5 * (m(i, j, t) + m(i, j + 1, t)) * (d[gj + 1][gi] - d[gj][gi])
                                - 0.5 * (m(i, j, t) + m(i, j - 1, t)) * (d[gj][gi] - d[gj - 1][gi]))
                        / (HY * HY);
        double central = (c[gj + 1][gi] * d[gj + 1][gi] - c[gj - 1][gi] * d[gj - 1][gi]) / (2 * HY);
        return 0.1 * diffusion - c[gj][gi] * c[gj][gi] * d[gj][gi] + (x(i) < 0.5 ? 1 : -y(j) * t) + 0.01 * central;
    }
}
