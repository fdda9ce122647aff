package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Tasks that write windows of one two-dimensional field. Windows of 8 × 8 tile the field; then all move by 3 in both
 * directions, three times. With one worker nothing runs before all are submitted, so that the number of live tasks
 * rises from none to twice the number asked for, which is the mean.
 */
final class MovingWindows extends Workload {
    private static final int WINDOW = 8;
    private static final int STEP = 3;
    private static final int WAVES = 4;
    private static final int QUICK_LIVE = 128;
    /** The approximate number of tasks in a round, unless more are live. */
    private static final int TASKS = 50_000;

    private final int live;

    /** A workload with {@code live} live tasks in the mean. */
    MovingWindows(String name, int live) {
        super(name, "ns/task", new Rounds(0, 1), new Rounds(40, 21)); // after some 30 the compilers are done
        this.live = live;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Windows(plan.quick() ? QUICK_LIVE : live, plan.quick(), plan.clock()));
    }

    private static final class Windows extends Contender {
        private final Area[] areas;
        private final Board board;
        private final Clock clock;
        private final Session session;
        private final Resource field;
        /** The number of times that the tasks are submitted in a round, so that it is not over too soon. */
        private final int repeats;

        Windows(int live, boolean checking, Clock clock) {
            super("jacquard", 1);
            int side = (int) Math.sqrt(2.0 * live / WAVES);
            this.clock = clock;
            areas = IntStream.range(0, WAVES * side * side)
                    .mapToObj(task -> window(task, side))
                    .toArray(Area[]::new);
            board = new Board(checking ? conflicts(areas) : Shape.independent(areas.length), checking);
            repeats = checking ? 1 : Math.max(1, TASKS / areas.length);
            session = Session.builder().workers(1).open();
            field = session.resource("field");
        }

        private static Area window(int task, int side) {
            int moved = task / (side * side) * STEP;
            int row = task / side % side * WINDOW + moved;
            int column = task % side * WINDOW + moved;
            return Area.of(row, row + WINDOW - 1, column, column + WINDOW - 1);
        }

        private static Shape conflicts(Area[] areas) {
            return Shape.ofReads(
                    areas.length,
                    task -> IntStream.range(0, task)
                            .filter(earlier -> areas[earlier].intersects(areas[task]))
                            .toArray());
        }

        @Override
        public Map<String, Double> round() {
            long nanos = 0;
            for (int i = 0; i < repeats; i++) {
                nanos += once();
            }
            return Map.of(MAIN, nanos / (double) areas.length / repeats);
        }

        private long once() {
            board.clear();
            // Accesses are made by the program that declares them, which is not measured.
            Access[] accesses = Arrays.stream(areas).map(Access::update).toArray(Access[]::new);
            long start = clock.nanoTime();
            TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
            for (int next = 0; next < accesses.length; next++) {
                int task = next;
                graph.task("window").accesses(field, accesses[task]).run(ctx -> board.run(task));
            }
            graph.await();
            long nanos = clock.nanoTime() - start;
            verify(board.isRight(), "a cell");
            return nanos;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
