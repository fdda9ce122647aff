package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.OpenRuns.OpenRun;
import dev.jacquard.flow.report.FlowReport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run: its copies and their tasks are waited for, and then its buffers freed. A wait that the calling
 * thread itself holds up is refused, and the run stays open.
 *
 * <p>Threads: any; one closes the run, and others wait for it.
 */
final class RunEnd {
    private final RunContext context;
    private final DedicatedThreads threads;
    /** Stops the run unless it is done. */
    private final Runnable cancel;

    private final Closing closing = new Closing();

    RunEnd(RunContext context, DedicatedThreads threads, Runnable cancel) {
        this.context = context;
        this.threads = threads;
        this.cancel = cancel;
    }

    /** Closes the run, or waits until another thread has closed it. Returns true if this call is the first. */
    boolean close(OpenRun standing) {
        context.submissions().requireMayEnd();
        ClosingWaits waits = new ClosingWaits(context.workers());
        boolean first;
        RuntimeException problem = null;
        try {
            first = begins(waits);
            if (first) {
                problem = endAll(waits, standing);
            }
        } catch (Error e) { // a second call frees nothing
            context.life().broken.by = e;
            context.life().endBroken();
            throw e;
        } finally {
            waits.interruptAgain();
        }
        waits.tell(problem);
        return first;
    }

    /**
     * Returns true if the calling thread is to close the run; else another call does, and this call waits for its end.
     */
    private boolean begins(ClosingWaits waits) {
        boolean first = closing.begin();
        if (first || closing.isHere()) {
            return first;
        }
        do {
            waits.await(this::awaitCopies); // after the close too: throws where the engine has ended before
            waits.await(() -> context.workers().awaitUntil(closing::isIdle));
            first = closing.begin(); // the other call may have been refused
        } while (!first && !closing.isOver());
        return first;
    }

    /** Stops the run and frees all. Returns the exception to throw; null for none. */
    private @Nullable RuntimeException endAll(ClosingWaits waits, OpenRun standing) {
        try {
            cancel.run();
            waits.await(this::awaitCopies);
            RuntimeException problem = endLoans(waits, standing);
            requireMayEnd(); // after the last submission; the buffers are still in use if this throws
            return end(waits, standing, problem);
        } finally {
            closing.end();
            context.workers().signal();
        }
    }

    private void awaitCopies() throws InterruptedException {
        BooleanSupplier completed = context.life()::completed;
        while (!completed.getAsBoolean()) {
            context.workers()
                    .awaitUntil(() ->
                            completed.getAsBoolean() || context.submissions().isHeldUp());
            requireMayEnd(); // nothing is waited for again where another thread has closed the view since
        }
        threads.await();
    }

    /** Throws, and leaves the close to a later call, if the tasks wait for the calling thread. */
    private void requireMayEnd() {
        try {
            context.submissions().requireMayEnd();
        } catch (IllegalStateException e) {
            closing.refuse();
            throw e;
        }
    }

    /** Lets the end wait for the tasks that use buffers. Returns the exception that was thrown; null for none. */
    private @Nullable RuntimeException endLoans(ClosingWaits waits, OpenRun standing) {
        try {
            context.loans().endBehindTasks();
            return null;
        } catch (RuntimeException e) { // the session's run was ended
            return e;
        } catch (Error e) {
            RuntimeException _ = end(waits, standing, null);
            throw e;
        }
    }

    /** Frees all, after the copies. Returns the exception to throw; null for none. */
    private @Nullable RuntimeException end(ClosingWaits waits, OpenRun standing, @Nullable RuntimeException earlier) {
        RuntimeException problem = earlier;
        try {
            context.submissions().end(waits);
        } catch (RuntimeException e) { // the session's run was ended, say by a listener
            problem = e;
        } finally {
            try {
                problem = toTell(
                        problem, context.loans().outstanding(), context.loans().freeAll());
            } finally {
                context.submissions().remove(standing);
            }
        }
        return problem;
    }

    /** Returns the first of the problems, with the others as suppressed ones; null when there are none. */
    private @Nullable RuntimeException toTell(
            @Nullable RuntimeException ended, List<String> leaked, List<Throwable> unfreed) {
        List<Throwable> all = new ArrayList<>();
        RuntimeException failure =
                context.life().isTold() ? null : context.life().failure();
        if (ended != null) {
            all.add(ended);
        }
        if (failure != null) {
            all.add(failure);
        }
        if (all.isEmpty() && !leaked.isEmpty() && context.life().outcome() == Outcome.DONE) {
            all.add(new IllegalStateException("flow \"" + context.plan().graph()
                    + "\" is done, and these buffers were never released: " + String.join(", ", leaked)));
        }
        if (all.isEmpty() && !unfreed.isEmpty()) {
            all.add(new IllegalStateException(
                    "flow \"" + context.plan().graph() + "\": freeing a buffer failed", unfreed.getFirst()));
            all.addAll(unfreed.subList(1, unfreed.size()));
        } else {
            all.addAll(unfreed);
        }
        if (all.isEmpty()) {
            return null;
        }
        RuntimeException first = (RuntimeException) all.getFirst();
        Suppressed.addAll(first, all.subList(1, all.size()));
        return first;
    }
}
