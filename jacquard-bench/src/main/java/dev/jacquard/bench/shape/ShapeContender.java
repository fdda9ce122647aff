package dev.jacquard.bench.shape;

import dev.jacquard.bench.workload.NamedContender;
import dev.jacquard.core.clock.Clock;
import java.util.Map;

/** What systems in this process share: a board of their own, cleared before a round and looked at after it. */
public abstract class ShapeContender extends NamedContender {
    private final Shape shape;
    private final Board board;
    private final Clock clock;

    /**
     * For subclasses.
     *
     * @param checking whether tasks check the order, see {@link Board}
     */
    protected ShapeContender(String system, int workers, Shape shape, boolean checking, Clock clock) {
        super(system, workers);
        this.shape = shape;
        this.board = new Board(shape, checking);
        this.clock = clock;
    }

    /** Runs all tasks once, each of them by {@link Board#run}; returns when all are over. */
    protected abstract void runAll() throws Exception;

    /** What tasks there are. */
    protected final Shape shape() {
        return shape;
    }

    /** What they do. */
    protected final Board board() {
        return board;
    }

    @Override
    public final Map<String, Double> round() throws Exception {
        board.clear();
        long start = clock.nanoTime();
        runAll();
        long nanos = clock.nanoTime() - start;
        verify(board.isRight(), "a cell");
        return Map.of(MAIN, nanos / (double) shape.tasks());
    }
}
