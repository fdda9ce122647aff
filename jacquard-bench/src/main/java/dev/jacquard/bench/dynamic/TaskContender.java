package dev.jacquard.bench.dynamic;

import dev.jacquard.bench.workload.NamedContender;
import dev.jacquard.core.clock.Clock;
import java.util.Map;

/** What all contenders share: a board of their own, cleared before a round and looked at after it. */
abstract sealed class TaskContender extends NamedContender
        permits JacquardTasks, ForkJoinTasks, CompletableFutureTasks, SequentialTasks {
    private final Shape shape;
    private final Board board;
    private final Clock clock;

    TaskContender(String system, int workers, Shape shape, Clock clock) {
        super(system, workers);
        this.shape = shape;
        this.board = new Board(shape);
        this.clock = clock;
    }

    /** Submits all tasks and returns when all are over. */
    abstract void runAll(Shape tasks, Board.Body[] bodies) throws Exception;

    @Override
    public final Map<String, Double> round() throws Exception {
        board.clear();
        long start = clock.nanoTime();
        runAll(shape, board.bodies());
        long nanos = clock.nanoTime() - start;
        verify(board.isRight(), "a cell");
        return Map.of(MAIN, nanos / (double) shape.tasks());
    }
}
