package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Contender;
import java.util.Map;

/** A system of this process with a board of its own, cleared before a round and looked at after it; ns per task. */
final class ShapeContender extends Contender {
    private final Shape shape;
    private final Board board;
    private final Clock clock;
    private final Runner runner;

    /**
     * Makes the system's runner.
     *
     * @param checking whether tasks check the order, see {@link Board}
     */
    public ShapeContender(String system, int workers, Shape shape, boolean checking, Clock clock, Runner.Maker maker) {
        super(system, workers);
        this.shape = shape;
        this.board = new Board(shape, checking);
        this.clock = clock;
        this.runner = maker.make(workers, shape, board);
    }

    @Override
    public Map<String, Double> round() throws Exception {
        board.clear();
        long start = clock.nanoTime();
        runner.run();
        long nanos = clock.nanoTime() - start;
        verify(board.isRight(), "a cell");
        return Map.of(MAIN, nanos / (double) shape.tasks());
    }

    @Override
    public void close() {
        runner.close();
    }
}
