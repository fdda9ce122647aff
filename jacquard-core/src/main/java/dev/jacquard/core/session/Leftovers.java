package dev.jacquard.core.session;

import dev.jacquard.core.compiled.ShownRuns;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.engine.Engine;

/** The rest of a session's work when its engine has ended before its time. */
final class Leftovers {
    private Leftovers() {}

    /**
     * Ends the tasks and runs with which no worker goes on any more, so that nothing waits for ever for their end.
     * There is none of these where the engine has not ended before its time. By the thread that closes the session,
     * when engine and devices are closed.
     */
    static void end(Engine engine, DependencyDomain domain, ShownRuns runs) {
        domain.awaitFunctions(true);
        try {
            engine.requireUnbroken();
        } catch (RuntimeException why) { // thrown by each wait
            runs.abandon(engine.lastContext(), why);
        }
    }
}
