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
    private final List<Ending> endings = new ArrayList<>();
    private final List<TaskGraph> graphs;
    private final List<CompiledGraph> compiled;
    private final BooleanSupplier engineBroken;
    private boolean interrupted;
    /** True once the engine has ended, so that no wait does anything more. */
    private boolean broken;
    /** The first exception, with the others suppressed. */
    private @Nullable RuntimeException first;

    /** The actions that bring one graph to its end. */
    private record Ending(Runnable await, Runnable cancel, BooleanSupplier isOver) {}

    /**
     * The end of {@code graphs} and {@code compiled}.
     *
     * @param engineBroken returns true once the engine has ended, so that no wait does anything more
     */
    GraphsEnd(List<TaskGraph> graphs, List<CompiledGraph> compiled, BooleanSupplier engineBroken) {
        this.engineBroken = engineBroken;
        this.graphs = graphs;
        this.compiled = compiled;
        graphs.forEach(graph -> endings.add(new Ending(graph::await, graph::cancel, graph::isOver)));
        compiled.forEach(graph -> endings.add(new Ending(graph::join, graph::cancel, () -> !graph.isRunning())));
    }

    /** Waits for all; throws what the first of them has to say. */
    void await() {
        boolean over = endings.isEmpty();
        // While a later one was waited for, its tasks may have submitted to an earlier one, or a run has begun.
        while (!over) {
            endings.forEach(this::await);
            over = broken || (areOver() && areClosed() && areOver());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (first != null) {
            throw first;
        }
    }

    private void await(Ending graph) {
        do {
            try {
                graph.await.run();
            } catch (WaitInterruptedException e) {
                interrupted |= Thread.interrupted();
                endings.forEach(each -> each.cancel.run());
            } catch (DeadlineException e) {
                keep(e, e.isRepeated());
            } catch (CancellationException e) {
                // the thread that cancelled knows
            } catch (RunEndedException e) {
                keep(e, e.isRepeated());
            } catch (IllegalStateException e) {
                broken = engineBroken.getAsBoolean(); // else the consumer of the stall watch threw it
                keep(e, false);
            } catch (RuntimeException e) {
                keep(e, false);
            }
        } while (!graph.isOver.getAsBoolean() && !broken);
    }

    private void keep(RuntimeException told, boolean isRepeated) {
        if (isRepeated) {
            return;
        }
        if (first == null) {
            first = told;
        } else if (first != told) {
            first.addSuppressed(told);
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
}
