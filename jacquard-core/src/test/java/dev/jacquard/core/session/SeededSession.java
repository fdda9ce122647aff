package dev.jacquard.core.session;

import dev.jacquard.engine.SeededSchedule;

/** Opens sessions whose engine has no threads: a schedule takes the steps of its workers. */
public final class SeededSession {
    private SeededSession() {}

    /** Opens the session; the caller is its first worker. */
    public static Session open(SessionBuilder builder, SeededSchedule schedule) {
        return builder.clock(schedule.clock()).open((options, trace) -> schedule.make(options));
    }
}
