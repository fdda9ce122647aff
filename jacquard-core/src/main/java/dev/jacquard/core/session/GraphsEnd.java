package dev.jacquard.core.session;

import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.WaitInterruptedException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Brings a session's graphs to their end: waits, and when interrupted cancels and waits for what runs. */
final class GraphsEnd {
    private final List<TaskGraph> graphs;

    GraphsEnd(List<TaskGraph> graphs) {
        this.graphs = graphs;
    }

    /** Waits for all; throws what the first of them has to say. */
    void await() {
        RuntimeException first = null;
        boolean interrupted = false;
        for (TaskGraph graph : graphs) {
            boolean over = false;
            while (!over) {
                try {
                    graph.await();
                } catch (WaitInterruptedException e) {
                    interrupted |= Thread.interrupted();
                    graphs.forEach(TaskGraph::cancel);
                } catch (CancellationException e) {
                    // whoever cancelled knows
                } catch (RunEndedException e) {
                    first = e.isRepeated() ? first : join(first, e);
                } catch (RuntimeException e) {
                    first = join(first, e);
                }
                over = graph.isOver() || first instanceof IllegalStateException;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (first != null) {
            throw first;
        }
    }

    private static RuntimeException join(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
