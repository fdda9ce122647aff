package dev.jacquard.expressions.tree;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs a graph again and again until this is closed. The session has two workers or more: one runs while
 * the thread that closes waits.
 */
public final class RunsBeside implements AutoCloseable {
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean stops;

    public RunsBeside(CompiledGraph graph) {
        thread = Thread.ofPlatform().unstarted(() -> {
            try {
                while (!stops) {
                    graph.run();
                }
            } catch (RuntimeException e) {
                failure.set(e);
            }
        });
        thread.start();
    }

    /** Ends the thread, and throws what a run threw. */
    @Override
    public void close() {
        stops = true;
        Watchdog.until(() -> !thread.isAlive(), "the last run");
        RuntimeException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }
}
