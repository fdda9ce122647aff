package dev.jacquard.engine;

import dev.jacquard.base.machine.ThreadBinding;
import dev.jacquard.base.service.Services;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import java.lang.System.Logger.Level;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Binds the host's workers to processors, worker i to the i-th, for policies that need that. The engine's own threads
 * stay bound; a thread of the user's is while it takes steps. Where threads cannot be bound, that is said once.
 * Threads: any.
 */
final class Binding {
    private static final System.Logger LOG = System.getLogger(Binding.class.getName());
    private static final AtomicBoolean SAID = new AtomicBoolean();

    /** How the calling thread is bound; null if it is not. */
    private static final ThreadLocal<@Nullable Bound> BOUND = new ThreadLocal<>();

    /**
     * The binding of a thread.
     *
     * @param outer the one before it; null for none
     */
    private record Bound(
            ThreadBinding how,
            int number,
            Runnable undo,
            @Nullable Bound outer) {
        void apart(Runnable action) {
            undo.run();
            try {
                if (outer == null) {
                    action.run();
                } else {
                    outer.apart(action);
                }
            } finally {
                how.bind(number);
            }
        }
    }

    private final String policy;
    private final @Nullable ThreadBinding how;

    private Binding(String policy, @Nullable ThreadBinding how) {
        this.policy = policy;
        this.how = how;
    }

    /** A binding that does nothing unless {@code policy} needs it. */
    static Binding of(Policy policy) {
        if (!policy.needs().contains(Need.BOUND_THREADS)) {
            return new Binding(policy.name(), null);
        }
        String why = "neither the context class loader nor Jacquard's own finds a "
                + ThreadBinding.class.getSimpleName() + "; jacquard-devices has one for Linux";
        for (ThreadBinding offered :
                Services.all(ThreadBinding.class, loader -> ServiceLoader.load(ThreadBinding.class, loader))) {
            String missing = offered.missing();
            if (missing == null) {
                return new Binding(policy.name(), offered);
            }
            why = missing;
        }
        say(policy.name(), why);
        return new Binding(policy.name(), null);
    }

    private static void say(String policy, String why) {
        if (!SAID.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "policy \"" + policy + "\" keeps each task on its worker, but binds no worker to a processor: "
                            + why);
        }
    }

    /** Binds the calling thread to the processor of that worker; the result undoes it. */
    Runnable bind(int worker) {
        ThreadBinding its = how;
        if (its == null) {
            return Binding::unbound;
        }
        try {
            Bound outer = BOUND.get();
            Runnable undo = its.bind(worker);
            BOUND.set(new Bound(its, worker, undo, outer));
            return () -> {
                undo.run();
                BOUND.set(outer);
            };
        } catch (RuntimeException e) {
            say(policy, e.getMessage() == null ? e.toString() : e.getMessage());
            return Binding::unbound;
        }
    }

    /** Starts a thread, which does not inherit the binding of the calling thread. */
    static void start(Thread thread) {
        if (BOUND.get() == null) {
            thread.start(); // without a lambda: the stack may be nearly full
        } else {
            apart(thread::start);
        }
    }

    /** Runs an action that starts threads: they do not inherit the binding of the calling thread. */
    static void apart(Runnable action) {
        Bound bound = BOUND.get();
        if (bound == null) {
            action.run();
        } else {
            bound.apart(action);
        }
    }

    /** Undoes a binding that was none. */
    private static void unbound() {}
}
