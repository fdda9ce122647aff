package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.OpenRun;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Loan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a run: workers and, if there is a session, its tasks, data and devices.
 *
 * <p>Threads: any.
 */
public final class Environment {
    private final Workers workers;
    private final @Nullable Session session;

    private Environment(Workers workers, @Nullable Session session) {
        this.workers = workers;
        this.session = session;
    }

    /** Returns the environment of {@code session}: its workers, tasks and data. */
    public static Environment of(Session session) {
        Objects.requireNonNull(session, "session");
        return new Environment(session.executor(), session);
    }

    /** Returns an environment of workers alone, for flows that submit no tasks and whose memory edges lend no data. */
    public static Environment of(Workers workers) {
        return new Environment(Objects.requireNonNull(workers, "workers"), null);
    }

    /** Returns the workers that run the copies. */
    Workers workers() {
        return workers;
    }

    /**
     * Returns the session.
     *
     * @param flow the name of the flow
     * @param what the flow does that needs a session, for the message
     * @throws IllegalStateException if there is none
     */
    Session session(String flow, String what) {
        if (session == null) {
            throw new IllegalStateException(
                    "flow \"" + flow + "\" " + what + ": it must be started with a session, not with workers alone");
        }
        return session;
    }

    /**
     * Returns a handle on a lent value. The handle belongs to the session, if there is one, so that its tasks may
     * access the value.
     */
    Handle<Object> lend(String name, Object value, Loan loan) {
        return session == null
                ? new Handle<>(name, this, value, null, null, null, loan)
                : session.lend(name, value, loan);
    }

    /** Makes a run known to the session, if there is one. */
    void add(OpenRun run) {
        if (session != null) {
            session.openRuns().add(run);
        }
    }

    /** Removes a closed run from the session, if there is one. */
    void remove(OpenRun run) {
        if (session != null) {
            session.openRuns().remove(run);
        }
    }
}
