package dev.jacquard.bench.dynamic;

import java.util.Arrays;

/**
 * The cells of a shape and the bodies of its tasks, made before anything is timed. A body sets its cell to one more than
 * the larger of the cells it reads: a task that ran too early, twice, never, or at the same time as another on its cell shows
 * in the end.
 *
 * <p>Cells are plain: their order is the system's business.
 */
final class Board {
    private final int[] cells;
    private final int[] expected;
    private final Body[] bodies;

    Board(Shape shape) {
        int stride = shape.stride();
        cells = new int[shape.cells() * stride];
        bodies = new Body[shape.tasks()];
        Body[] ofCell = new Body[shape.cells()];
        for (int task = 0; task < bodies.length; task++) {
            int own = shape.own()[task];
            if (ofCell[own] == null) {
                ofCell[own] = new Body(cells, own * stride, shape.left()[task] * stride, shape.up()[task] * stride);
            }
            bodies[task] = ofCell[own];
        }
        for (Body body : bodies) {
            body.run();
        }
        expected = cells.clone();
    }

    Body[] bodies() {
        return bodies;
    }

    void clear() {
        Arrays.fill(cells, 0);
    }

    boolean isRight() {
        return Arrays.equals(cells, expected);
    }

    /** What a task does. */
    static final class Body implements Runnable {
        private final int[] cells;
        private final int own;
        private final int left;
        private final int up;

        private Body(int[] cells, int own, int left, int up) {
            this.cells = cells;
            this.own = own;
            this.left = left;
            this.up = up;
        }

        @Override
        public void run() {
            cells[own] = 1 + Math.max(cells[left], cells[up]);
        }
    }
}
