package dev.jacquard.core.session;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.WaitInterruptedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Brings a session's graphs to their end: waits, and when interrupted cancels and waits for what runs. */
final class GraphsEnd {
    private final List<Ending> endings;
    private final List<TaskGraph> graphs;
    private final List<CompiledGraph> compiled;

    /** The actions that bring one graph to its end. */
    private record Ending(Runnable await, Runnable cancel, BooleanSupplier isOver) {}

    private GraphsEnd(List<Ending> endings, List<TaskGraph> graphs, List<CompiledGraph> compiled) {
        this.endings = endings;
        this.graphs = graphs;
        this.compiled = compiled;
    }

    static GraphsEnd of(List<TaskGraph> graphs, List<CompiledGraph> compiled) {
        List<Ending> all = new ArrayList<>();
        graphs.forEach(graph -> all.add(new Ending(graph::await, graph::cancel, graph::isOver)));
        compiled.forEach(graph -> all.add(new Ending(graph::join, graph::cancel, () -> !graph.isRunning())));
        return new GraphsEnd(all, graphs, compiled);
    }

    /** Waits for all; throws what the first of them has to say. */
    void await() {
        RuntimeException first = null;
        boolean interrupted = false;
        boolean broken = false;
        for (int i = 0; i < endings.size(); i++) {
            Ending graph = endings.get(i);
            boolean over = false;
            while (!over) {
                try {
                    graph.await.run();
                } catch (WaitInterruptedException e) {
                    interrupted |= Thread.interrupted();
                    endings.forEach(each -> each.cancel.run());
                } catch (DeadlineException e) {
                    first = e.isRepeated() ? first : join(first, e);
                } catch (CancellationException e) {
                    // the thread that cancelled knows
                } catch (RunEndedException e) {
                    first = e.isRepeated() ? first : join(first, e);
                } catch (IllegalStateException e) { // the engine ended, and no wait does anything more
                    broken = true;
                    first = join(first, e);
                } catch (RuntimeException e) {
                    first = join(first, e);
                }
                over = graph.isOver.getAsBoolean() || broken;
            }
            if (i == endings.size() - 1 && !broken && !(areOver() && areClosed() && areOver())) {
                i = -1; // while a later one was waited for, its tasks have submitted to an earlier one, or a run
                // has begun
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (first != null) {
            throw first;
        }
    }

    /** Returns true when all are over at one moment: no task was submitted while they were looked at one by one. */
    private boolean areOver() {
        long before = submitted();
        return endings.stream().allMatch(graph -> graph.isOver.getAsBoolean()) && submitted() == before;
    }

    private long submitted() {
        return graphs.stream().mapToLong(graph -> graph.report().submitted()).sum();
    }

    /**
     * Returns true when no run of a compiled graph is in flight, nor will be: one that is started from now on is
     * refused.
     */
    private boolean areClosed() {
        return compiled.stream().allMatch(CompiledGraph::close);
    }

    private static RuntimeException join(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
