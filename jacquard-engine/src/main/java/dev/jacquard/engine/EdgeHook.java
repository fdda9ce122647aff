package dev.jacquard.engine;

import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.Edges;
import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/** Tells a policy of submissions, so that it may add edges. Threads: any; one at a time when the policy wants that. */
final class EdgeHook {
    private final Engine engine;
    private final Policy policy;
    private final boolean exclusive;

    private EdgeHook(Engine engine, Policy policy) {
        this.engine = engine;
        this.policy = policy;
        this.exclusive = policy.needs().contains(Need.EXCLUSIVE_CALLS);
    }

    /** Null for a policy that does not want to be told. */
    static @Nullable EdgeHook of(Engine engine, Policy policy) {
        return policy.needs().contains(Need.SUBMISSIONS) ? new EdgeHook(engine, policy) : null;
    }

    void submitted(ReadyTask task, Edges edges) {
        try {
            if (exclusive) {
                synchronized (this) {
                    policy.submitted(task, edges);
                }
            } else {
                policy.submitted(task, edges);
            }
        } catch (Throwable e) {
            engine.fail(new PolicyException(
                    policy.name(), task.name(), "threw when task \"" + task.name() + "\" was submitted", e));
        }
    }
}
