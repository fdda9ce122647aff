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

    /** What it takes to bring one graph to its end. */
    private record Ending(Runnable await, Runnable cancel, BooleanSupplier isOver) {}

    private GraphsEnd(List<Ending> endings) {
        this.endings = endings;
    }

    static GraphsEnd of(List<TaskGraph> graphs, List<CompiledGraph> compiled) {
        List<Ending> all = new ArrayList<>();
        graphs.forEach(graph -> all.add(new Ending(graph::await, graph::cancel, graph::isOver)));
        compiled.forEach(graph -> all.add(new Ending(graph::join, graph::cancel, () -> !graph.isRunning())));
        return new GraphsEnd(all);
    }

    /** Waits for all; throws what the first of them has to say. */
    void await() {
        RuntimeException first = null;
        boolean interrupted = false;
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
                    // whoever cancelled knows
                } catch (RunEndedException e) {
                    first = e.isRepeated() ? first : join(first, e);
                } catch (RuntimeException e) {
                    first = join(first, e);
                }
                over = graph.isOver.getAsBoolean() || first instanceof IllegalStateException;
            }
            if (i == endings.size() - 1 && !(first instanceof IllegalStateException) && !areOver()) {
                i = -1; // while a later one was waited for, its tasks have submitted to an earlier one
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (first != null) {
            throw first;
        }
    }

    private boolean areOver() {
        return endings.stream().allMatch(graph -> graph.isOver.getAsBoolean());
    }

    private static RuntimeException join(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
