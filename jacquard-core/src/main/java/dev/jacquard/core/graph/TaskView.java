package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.memory.access.AccessList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A task as others see it: policies, snapshots, people, and those who wait for it. Holds no state, all of which is the
 * task's.
 *
 * <p>Threads: any, while workers go on, where nothing else is said.
 */
abstract sealed class TaskView extends Node implements Task<@Nullable Void> permits RunningTask {
    @Override
    public abstract String name();

    abstract Scope scope();

    abstract @Nullable Extras extras();

    /** The accesses, or null when the task is over; without an order to who replaces them. */
    abstract @Nullable AccessList accessesNow();

    /** The later tasks' links right now; null when there are none. */
    abstract @Nullable Link laterTasks();

    /** Whether it is over; then how is known. */
    abstract boolean isOver();

    /** How it ended, when it is over. */
    abstract @Nullable Outcome fate();

    /** Waits until it is known how the task ends; throws when that is not well. */
    abstract void awaitEnd();

    /** How the task ends, where that is known before its code has ended; else null. */
    final @Nullable Outcome toldEarly() {
        Extras mine = extras();
        return mine == null ? null : mine.told;
    }

    /** True if it is known how the task ends: it is over, or its limit has passed. */
    final boolean isDecided() {
        return isOver() || toldEarly() != null;
    }

    // ---- policies

    @Override
    public final long id() {
        Extras mine = extras();
        return mine == null ? -1 : mine.id;
    }

    @Override
    public final int priority() {
        Extras mine = extras();
        return mine == null ? 0 : mine.priority;
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
        Extras mine = extras();
        return mine != null && mine.flags.contains(Flag.named(flag));
    }

    @Override
    public final int affinity() {
        Extras mine = extras();
        return mine == null ? -1 : mine.affinity;
    }

    @Override
    public final Object locality() {
        return KernelTask.locality(accessesUnlessOver(), name());
    }

    // ---- snapshots and people

    /** The accesses as they are now; none when it is over. */
    final AccessList accessesUnlessOver() {
        AccessList known = accessesNow();
        return known == null ? AccessList.of() : known;
    }

    /** The accesses for people, as far as they are seen: none when the task is over. */
    final String accessText() {
        return accessesUnlessOver().toString();
    }

    /** Where it was submitted, when that is known; to be appended. */
    final String siteText() {
        Extras mine = extras();
        return mine == null || mine.site == null ? "" : ", submitted at " + mine.site;
    }

    /** The inside, where one is seen. */
    final @Nullable Refinement refinementNow() {
        Extras mine = extras();
        return mine == null ? null : mine.refinement;
    }

    // ---- those who wait

    /** Whether it stands for the tasks of a compiled graph, and never runs itself. */
    final boolean isRecorded() {
        return scope() instanceof RecordingScope;
    }

    final void requireLive() {
        if (isRecorded()) {
            throw new IllegalStateException(
                    "task \"" + name() + "\" is recorded: it runs when its compiled graph does, whose run"
                            + " can be waited for; afterwards call() has left its last result");
        }
    }

    /** Whether the task is over and later accesses need not know of it. */
    final boolean isForgotten(boolean wrote) {
        return isOver() && !(wrote && fate() != null);
    }

    /** How a decided task ends; null when that is well. */
    final @Nullable Outcome ending() {
        return isOver() ? fate() : toldEarly();
    }

    /** The exception for threads that wait for a decided task; null when it ended well. */
    final @Nullable RuntimeException failure() {
        Outcome how = ending();
        if (how == null) {
            return null;
        }
        Outcome root = how.root();
        return root == null
                ? new CancellationException("task \"" + name() + "\" was cancelled " + cancelledWith(how))
                : TaskFailedException.of(root, how.isFailure() ? "" : "\n  so " + how.path() + " was cancelled");
    }

    /** Which graph's cancellation ended the task, and when. */
    private String cancelledWith(Outcome how) {
        TaskGraph graph = scope().graph;
        String stopped = how.stopped();
        if (how.isConsequence() && !stopped.isEmpty() && !stopped.equals(graph.text())) {
            return "before it started, since " + stopped + " was cancelled\n  so " + how.path() + " was cancelled";
        }
        return "with its graph " + (how.isConsequence() ? "before it started" : how.details()) + graph.why();
    }

    @Override
    @SuppressWarnings("NullAway") // a task without a result has null
    public final @Nullable Void join() {
        awaitEnd();
        return null;
    }

    @Override
    @SuppressWarnings("NullAway") // likewise
    public final CompletionStage<@Nullable Void> stage() {
        return StageLink.of((TaskNode) this, () -> null);
    }

    @Override
    public final String toString() {
        return name();
    }
}
