package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * The tries of one task: in the same place, as often as the user said, then in other places where the task can run.
 *
 * <p>Threads: as for {@link TaskRun}.
 */
final class Tries {
    private final TaskNode task;
    private final TaskOptions options;
    /** The state that another try of the body needs; null if the body is not tried again, or the task is over. */
    private @Nullable Retry retry;
    /**
     * The choice of another place for a kernel after its device has failed; null for none. Written before the
     * submission.
     */
    private @Nullable TargetSelection route;
    /** The try that runs, if it can be interrupted; else null. Read by snapshots, without an order. */
    private @Nullable Attempt attempt;

    Tries(TaskNode task, TaskOptions options) {
        this.task = task;
        this.options = options;
        this.retry = options.retries == 0 ? null : new Retry(options.retries);
    }

    /** Sets the choice of the place of the task's kernel. */
    void route(TargetSelection its) {
        route = its;
    }

    @Nullable
    TargetSelection route() {
        return route;
    }

    @Nullable
    Attempt attempt() {
        return attempt;
    }

    /** Returns true if the values that the task updates are kept for another try. */
    boolean keeps() {
        return retry != null;
    }

    /** Returns true if a try of the task has failed. */
    boolean wereMade() {
        return (retry != null && retry.tries() > 0) || (route != null && route.wasTried());
    }

    /** Counts a try that begins. */
    void begins() {
        if (retry != null) {
            retry.begins();
        }
    }

    /** Keeps the values that the body updates, and lets it be interrupted, just before it runs. */
    void prepare() {
        if (retry != null) {
            retry.prepare(task.declared());
        }
        if (options.timeLimitNanos > 0 || options.interruptible) {
            Attempt next = new Attempt(task, options.timeLimitNanos);
            next.begin();
            attempt = next;
            task.scope().graph.running().begins(next);
            next.limit(task.scope().domain.dispatcher);
        }
    }

    /**
     * Keeps the value of a part of a resource that the task updates, before the body gets it. By any thread of the
     * body.
     */
    void touches(Handle<?> handle, AccessList accesses) {
        Retry its = retry;
        if (its != null) {
            its.touches(handle, task.name(), accesses);
        }
    }

    /**
     * Ends the interruptible part of a try; returns the error that counts, which may be the time limit's or a cancel's;
     * null when the try ended well.
     */
    @Nullable
    Throwable over(@Nullable Throwable error) {
        Attempt its = attempt;
        if (its == null) {
            return error;
        }
        attempt = null;
        task.scope().graph.running().ends(its);
        return its.over(error);
    }

    /**
     * Returns the number of the try that runs, from 1 on, if no other can follow in the same place; else 0. Any thread.
     */
    int lastTry() {
        Retry its = retry;
        return its == null ? 1 : its.lastTry();
    }

    /**
     * Chooses the place of the next try after {@code error}. Returns true if there is one. The next try of a task in a
     * cancelled graph is cancelled, like every task that has not started.
     */
    boolean goesOn(Throwable error) {
        boolean here = retry != null && !(error instanceof DeviceLostException) && retry.again(error);
        return here || (route != null && route.goesOn(task, error));
    }

    /** Notes that the task's effects cannot be taken back any more: no other try follows in the same place. */
    void end() {
        if (retry != null) {
            retry.end();
        }
    }

    /** Returns the outcome of the task, which failed with {@code error}. */
    Outcome failed(Throwable error) {
        return Outcome.failed(task.name(), error, details(retry == null ? 1 : retry.tries()));
    }

    /** Returns the exception for threads that wait for the task, after its last try. */
    Throwable explain(Throwable error) {
        return route == null ? error : route.explain(error);
    }

    /** Returns a text with the place where the task failed, the number of tries, and its accesses. */
    String details(int tries) {
        StringBuilder text = new StringBuilder("worker ").append(task.worker());
        if (options.retries > 0) {
            text.append(" after ").append(tries).append(tries == 1 ? " try" : " tries");
        }
        String how = Accesses.brief(task.accessesUnlessOver());
        text.append(how.isEmpty() ? "" : " (" + how + ')');
        return text.append(task.siteText()).toString();
    }

    /** Forgets the objects that the tries needed, since the task is over. */
    void forget() {
        retry = null;
        route = null;
    }
}
