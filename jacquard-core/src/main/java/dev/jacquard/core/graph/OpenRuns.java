package dev.jacquard.core.graph;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runs of other fronts that use a session's workers, from their start until they are closed.
 *
 * <p>Threads: any; guarded by itself, and no run is called under it.
 */
public final class OpenRuns {
    private final Set<OpenRun> runs = new LinkedHashSet<>();
    private boolean closed;

    /** Creates the list, which is empty. */
    OpenRuns() {}

    /**
     * A run begins.
     *
     * @throws IllegalStateException when the session is closed
     */
    public synchronized void add(OpenRun run) {
        if (closed) {
            throw new IllegalStateException("a run was started after its session was closed");
        }
        runs.add(run);
    }

    /** A run is closed. */
    public synchronized void remove(OpenRun run) {
        runs.remove(run);
    }

    private synchronized List<OpenRun> all() {
        return List.copyOf(runs);
    }

    List<String> describe() {
        List<String> lines = new ArrayList<>();
        all().forEach(run -> lines.addAll(run.describe()));
        return lines;
    }

    /** A number that changes whenever something moves in one of the runs. */
    public long progress() {
        return all().stream().mapToLong(OpenRun::progress).sum();
    }

    boolean isAnyStuck() {
        return all().stream().anyMatch(OpenRun::isStuck);
    }

    /**
     * Ends all; from now on there are no others.
     *
     * @return the first that had something to say, with the others suppressed; or null
     */
    public @Nullable RuntimeException end() {
        synchronized (this) {
            closed = true;
        }
        RuntimeException first = null;
        for (OpenRun run : all()) {
            try {
                run.end();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }
}
