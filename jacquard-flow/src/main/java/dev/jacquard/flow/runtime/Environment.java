package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.OpenRun;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.memory.data.Handle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run stands on: workers, and the tasks, data and devices of a session where there is one.
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

    /** The workers of {@code session}, its tasks and its data. */
    public static Environment of(Session session) {
        Objects.requireNonNull(session, "session");
        return new Environment(session.executor(), session);
    }

    /** Workers alone: for flows that submit no tasks, and whose memory edges lend no data. */
    public static Environment of(Workers workers) {
        return new Environment(Objects.requireNonNull(workers, "workers"), null);
    }

    /** The workers that run the copies. */
    Workers workers() {
        return workers;
    }

    /**
     * The session.
     *
     * @param flow the name of the flow
     * @param what the flow does that needs a session, for the message
     * @throws IllegalStateException when there is none
     */
    Session session(String flow, String what) {
        if (session == null) {
            throw new IllegalStateException(
                    "flow \"" + flow + "\" " + what + ": it must be started with a session, not with workers alone");
        }
        return session;
    }

    /** A handle on what is lent: of the session, where there is one, so that its tasks may access it. */
    Handle<Object> lend(String name, Object value, Lease loan) {
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

    /** The run is closed. */
    void remove(OpenRun run) {
        if (session != null) {
            session.openRuns().remove(run);
        }
    }
}
