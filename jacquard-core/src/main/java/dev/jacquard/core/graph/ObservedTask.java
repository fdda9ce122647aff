package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The view of a task that policies, snapshots, messages and waiting threads have. Holds no state; all state is in
 * {@link TaskNode}.
 *
 * <p>Threads: any, while workers go on, unless said otherwise.
 */
abstract class ObservedTask extends LinkedNode implements Task<@Nullable Void> {
    @Override
    public abstract String name();

    abstract Scope scope();

    /** Returns the run of a task that is more than a body; null for others. */
    abstract @Nullable TaskRun taskRun();

    /** Returns the accesses, or null when the task is over; read without an order to the threads that replace them. */
    abstract @Nullable AccessList accessesNow();

    /** Returns the outcome of the task where it is known before the task's code has ended; else null. */
    final @Nullable Outcome toldEarly() {
        TaskRun mine = taskRun();
        return mine == null ? null : mine.told();
    }

    /** Returns the data of the task; null if it has none brought. */
    final @Nullable StagedData data() {
        TaskRun run = taskRun();
        return run == null ? null : run.data;
    }

    /** Returns true if the task is a barrier. */
    final boolean isBarrier() {
        TaskRun run = taskRun();
        return run != null && run.options.synchronizing;
    }

    /** Returns the flags of the task. */
    final Set<Flag> flags() {
        TaskRun run = taskRun();
        return run == null ? Set.of() : run.options.flags;
    }

    /** Returns true if it is known how the task ends: the task is over, or its time limit has passed. */
    final boolean isDecided() {
        return isOver() || toldEarly() != null;
    }

    // ---- policies

    @Override
    public final long id() {
        TaskRun mine = taskRun();
        return mine == null ? -1 : mine.id;
    }

    @Override
    public final int priority() {
        TaskRun mine = taskRun();
        return mine == null ? 0 : mine.options.priority;
    }

    @Override
    public final int consumers() {
        int count = 0;
        for (Link link = laterTasks(); link != null; link = link.next) {
            count++;
        }
        return count;
    }

    @Override
    public final boolean has(String flag) {
        return flags().contains(Flag.named(flag));
    }

    @Override
    public final int affinity() {
        TaskRun mine = taskRun();
        return mine == null ? -1 : mine.options.affinity;
    }

    @Override
    public final Object locality() {
        return KernelTask.locality(accessesUnlessOver(), name());
    }

    // ---- snapshots and messages

    /** Returns the accesses as they are now; none when the task is over. */
    final AccessList accessesUnlessOver() {
        AccessList known = accessesNow();
        return known == null ? AccessList.of() : known;
    }

    /** Returns a text of the accesses, as far as they can be seen: none when the task is over. */
    final String accessText() {
        return accessesUnlessOver().toString();
    }

    /** Returns a text of where the task was submitted, to be appended to a message; empty when that is not known. */
    final String siteText() {
        TaskRun mine = taskRun();
        return mine == null || mine.options.site == null ? "" : ", submitted at " + mine.options.site;
    }

    /** Returns the inside of the task, if there is one that can be seen; else null. */
    final @Nullable Refinement refinementNow() {
        TaskRun mine = taskRun();
        return mine == null ? null : mine.refinement();
    }

    // ---- waiting threads

    /** Returns true if the task was recorded for a compiled graph, and never runs itself. */
    final boolean isRecorded() {
        TaskRun mine = taskRun();
        return mine != null && mine.recorded;
    }

    final void requireLive() {
        if (isRecorded()) {
            throw new IllegalStateException(
                    "task \"" + name() + "\" is recorded: it runs when its compiled graph does, whose run"
                            + " can be waited for; afterwards call() has left its last result");
        }
    }

    /**
     * Adds {@code link}, to be notified of the task's end; returns false if the task is over already. Any thread.
     *
     * @throws IllegalStateException when the task is recorded
     */
    final boolean tell(Link link) {
        requireLive();
        return addLink(link);
    }

    /** Returns true if the task is over and later accesses need not know of it. */
    final boolean isForgotten(boolean wrote) {
        return isOver() && !(wrote && fate() != null);
    }

    /** Returns the outcome of a decided task; null when it ends well. */
    final @Nullable Outcome ending() {
        return isOver() ? fate() : toldEarly();
    }

    /** Returns the exception for threads that wait for a decided task; null when the task ended well. */
    final @Nullable RuntimeException failure() {
        Outcome how = ending();
        if (how == null) {
            return null;
        }
        Outcome root = how.root();
        return root == null
                ? new CancellationException("task \"" + name() + "\" was cancelled " + cancelledWith(how))
                : TaskFailedException.of(root, how.isFailure() ? "" : how.consequence());
    }

    /** Returns a text that says which graph's cancellation ended the task, and when. */
    private String cancelledWith(Outcome how) {
        TaskGraph graph = scope().graph;
        String stopped = how.stopped();
        if (how.isConsequence() && !stopped.isEmpty() && !stopped.equals(graph.text())) {
            return "before it started, since " + stopped + " was cancelled" + how.consequence();
        }
        return "with its graph " + (how.isConsequence() ? "before it started" : how.details()) + graph.why();
    }

    @Override
    @SuppressWarnings("NullAway") // a task without a result has null
    public final @Nullable Void join() {
        TaskWait.forTask((TaskNode) this);
        return null;
    }

    @Override
    @SuppressWarnings("NullAway") // a task without a result has null
    public final CompletionStage<@Nullable Void> stage() {
        return StageLink.of((TaskNode) this, () -> null);
    }

    @Override
    public final String toString() {
        return name();
    }
}
