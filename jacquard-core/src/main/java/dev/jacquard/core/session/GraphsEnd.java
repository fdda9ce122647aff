package dev.jacquard.core.session;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.WaitInterruptedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings a session's graphs to their end: waits, and when interrupted cancels and waits for running tasks. */
final class GraphsEnd {
    private final List<Ending> endings = new ArrayList<>();
    private final Supplier<List<TaskGraph>> known;
    private final Set<TaskGraph> graphs = new LinkedHashSet<>();
    private final List<CompiledGraph> compiled;
    private final BooleanSupplier engineBroken;
    private final Predicate<Throwable> stallsThrew;
    private boolean interrupted;
    /** True once the engine has ended, so that no wait does anything more. */
    private boolean broken;
    /** The first exception, with the others suppressed. */
    private @Nullable Throwable first;

    /** The actions that bring one graph to its end. */
    private record Ending(Runnable await, Runnable cancel, BooleanSupplier isOver) {}

    /**
     * The end of the known graphs, and of {@code compiled}.
     *
     * @param known returns the graphs; tasks that are not over may make more
     * @param engineBroken returns true once the engine has ended, so that no wait does anything more
     * @param stallsThrew returns true for exceptions of the consumer of the stall watch, which end no wait for good
     */
    GraphsEnd(
            Supplier<List<TaskGraph>> known,
            List<CompiledGraph> compiled,
            BooleanSupplier engineBroken,
            Predicate<Throwable> stallsThrew) {
        this.engineBroken = engineBroken;
        this.stallsThrew = stallsThrew;
        this.known = known;
        this.compiled = compiled;
        boolean _ = addNew();
        compiled.forEach(graph -> endings.add(new Ending(graph::join, graph::cancel, () -> !graph.isRunning())));
    }

    /** Waits for all; throws the exception of the first of them. */
    void await() {
        boolean over = endings.isEmpty();
        // While a later one was waited for, its tasks may have submitted to an earlier one, or a run has begun. A task
        // that was submitted since a round of waits began may have failed unreported, though it is over.
        while (!over) {
            long before = submitted();
            endings.forEach(this::await);
            boolean more = !broken && addNew();
            over = broken || (!more && areOver() && areClosed() && areOver() && !addNew() && submitted() == before);
        }
        if (broken) { // for the functions and bodies that are to be interrupted; nothing more begins
            endings.forEach(each -> each.cancel.run());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }

    /** Adds the graphs that were made since the last call. Returns true if there were any. */
    private boolean addNew() {
        boolean any = false;
        for (TaskGraph graph : known.get()) {
            if (graphs.add(graph)) {
                any = true;
                endings.add(new Ending(graph::await, graph::cancel, graph::isOver));
                if (interrupted) {
                    graph.cancel();
                }
            }
        }
        return any;
    }

    private void await(Ending graph) {
        boolean heard;
        do {
            heard = true;
            try {
                graph.await.run();
            } catch (RuntimeException | Error e) {
                boolean stall = stallsThrew.test(e);
                heard = !stall && !(e instanceof WaitInterruptedException);
                if (stall) {
                    keep(e, false); // the wait goes on
                } else {
                    ended(e);
                }
            }
        } while (!(heard && graph.isOver.getAsBoolean()) && !broken); // a wait that was cut short reports no failure
    }

    private void ended(Throwable why) {
        switch (why) {
            case WaitInterruptedException e -> {
                interrupted |= Thread.interrupted();
                endings.forEach(each -> each.cancel.run());
            }
            case DeadlineException e -> keep(e, e.isRepeated());
            case CancellationException e -> keepSuppressed(e); // of itself the thread knows that cancelled
            case RunEndedException e -> keep(e, e.isRepeated());
            case RuntimeException e -> {
                broken = engineBroken.getAsBoolean();
                keep(e, false);
            }
            default -> throw (Error) why;
        }
    }

    private void keep(Throwable told, boolean isRepeated) {
        if (isRepeated) {
            keepSuppressed(told);
        } else {
            first = Suppressed.join(first, told);
        }
    }

    /** Keeps the failures that came with {@code known}, which is known itself. */
    private void keepSuppressed(Throwable known) {
        for (Throwable each : known.getSuppressed()) {
            if (!(each instanceof CancellationException)) {
                keep(each, false);
            }
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
