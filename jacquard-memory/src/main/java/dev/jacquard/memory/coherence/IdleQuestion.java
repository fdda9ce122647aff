package dev.jacquard.memory.coherence;

/**
 * The question whether the engine is idle, which is asked before a claim fails for want of room. Where no claim has
 * replicas for a moment, the tasks that give room back may be ready, and have not begun yet: only when no task is left
 * that could begin does the claim wait for ever.
 *
 * <p>Threads: guarded by the lock of the {@link Coherence}, but where a method says otherwise.
 */
final class IdleQuestion {
    private final Coherence coherence;
    private boolean asked;
    private boolean idle;

    IdleQuestion(Coherence coherence) {
        this.coherence = coherence;
    }

    /** Returns true, for one claim, if the engine has just said that it is idle; else asks it. */
    boolean isAnswered(DeferredActions after) {
        if (idle) {
            idle = false; // a failure may let other tasks go on
            return true;
        }
        if (!asked) {
            asked = true;
            after.then(this::ask);
        }
        return false;
    }

    /** Forgets the answer, since tasks may begin from now on, and notifies recomputations that there may be room. */
    void changed() {
        idle = false;
        coherence.scratch.lookForRoom();
    }

    /** Without the lock. */
    private void ask() {
        coherence.threads.whenIdle(() -> coherence.runner.changed(after -> {
            asked = false;
            idle = true;
        }));
    }
}
