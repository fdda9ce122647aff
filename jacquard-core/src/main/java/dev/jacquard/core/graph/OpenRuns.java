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

    /** Creates an empty list. */
    OpenRuns() {}

    /**
     * Adds a run that begins.
     *
     * @throws IllegalStateException when the session is closed
     */
    public synchronized void add(OpenRun run) {
        if (closed) {
            throw new IllegalStateException("a run was started after its session was closed");
        }
        runs.add(run);
    }

    /** Removes a run that is closed. */
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

    /** Returns a number that changes whenever one of the runs makes progress. */
    public long progress() {
        return all().stream().mapToLong(OpenRun::progress).sum();
    }

    boolean isAnyStuck() {
        return all().stream().anyMatch(OpenRun::isStuck);
    }

    /**
     * Ends all runs. From now on no run can be added.
     *
     * @return the first exception, with the others suppressed; null when there was none
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
