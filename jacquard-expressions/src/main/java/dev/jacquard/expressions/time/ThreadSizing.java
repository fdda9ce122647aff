package dev.jacquard.expressions.time;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.util.List;

/**
 * Shares the workers between the tasks of a step and the loops of a task. The first steps run each loop on one worker
 * and measure the tasks: then no more tasks run at a time than the graph's greatest speed-up, so that the loops of each
 * have the other workers. Measured again after many steps, since the cost of tasks may change with the fields.
 *
 * <p>Source: the expressions thesis, sections 3.1.12 and 3.2.2.
 */
final class ThreadSizing {
    /** Runs of each graph that are measured. The first time of a task counts only until there is a second one. */
    private static final int MEASURED_RUNS = 3;
    /** The steps from one measurement to the next. */
    private static final int MEASURED_AGAIN = 1_000;
    /** The points that one worker computes: loops of fewer leave nothing to others. */
    private static final int POINTS_OF_ONE = 1 << 15;

    private final List<CompiledGraph> graphs;
    private final int workers;
    /** True if the sizes are given, or nothing can be shared. */
    private boolean fixed;
    /** The steps since the last measurement began. */
    private int steps;

    private ThreadSplit split;

    /**
     * Creates the sizing of graphs that take turns.
     *
     * @param points of each field
     * @param inTurn true if tasks run one after the other, whatever their edges are
     */
    ThreadSizing(List<CompiledGraph> graphs, int workers, long points, boolean inTurn) {
        this.graphs = List.copyOf(graphs);
        this.workers = workers;
        boolean isChain = workers > 1
                && (inTurn || GraphAnalysis.of(graphs.getFirst().snapshot()).maximumWidth() <= 1);
        this.fixed = workers == 1 || isChain || points <= POINTS_OF_ONE;
        this.split = isChain ? new ThreadSplit(1, workers) : new ThreadSplit(workers, 1);
    }

    /** Returns how many tasks run at a time, and how many workers run the loops of each. */
    ThreadSplit split() {
        return split;
    }

    /** Sets the sizes for good. */
    void set(int tasks, int operators) {
        graphs.forEach(graph -> {
            graph.threads(tasks, operators);
            graph.measure(false);
        });
        split = new ThreadSplit(Math.min(tasks, workers), Math.min(operators, workers));
        fixed = true;
    }

    /** Called before each step. */
    void beforeStep() {
        if (fixed) {
            return;
        }
        if (steps == 0) {
            graphs.forEach(graph -> {
                graph.threads(workers, 1);
                graph.measure(true);
            });
        } else if (steps == MEASURED_RUNS * graphs.size()) {
            share();
        }
        steps = (steps + 1) % MEASURED_AGAIN;
    }

    private void share() {
        int tasks =
                GraphAnalysis.of(graphs.getFirst().snapshot()).split(workers).tasks();
        split = new ThreadSplit(tasks, Math.ceilDiv(workers, tasks));
        graphs.forEach(graph -> {
            graph.measure(false);
            graph.threads(tasks, tasks == workers ? workers : split.operators()); // no limit where none is needed
        });
    }
}
