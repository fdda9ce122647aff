package dev.jacquard.components.run;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.components.run.Program.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The end of a run: its trace, and its parts, which are closed. */
final class RunEnd {
    private RunEnd() {}

    /**
     * Writes the trace and closes all parts, also of a run that failed. The first failure has the others suppressed in
     * it; but results are worth more than their trace, and without it they are put in place before that is reported.
     *
     * @param name of the program
     */
    static void end(
            String name, OpenedParts opened, @Nullable RunTrace traces, Surroundings its, @Nullable Throwable failure)
            throws IOException, ComponentFailedException {
        @Nullable Throwable first = failure;
        @Nullable IOException lost = null;
        boolean areClosed;
        try {
            lost = writeTrace(name, traces, its.trace());
            if (failure == null) {
                first = lost;
            } else if (lost != null) {
                Suppressed.add(failure, lost);
            }
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                first = e;
                throw e;
            }
            Suppressed.add(failure, e);
        } finally {
            areClosed = close(opened, first);
        }
        if (lost == null || failure != null) {
            return;
        }
        if (!areClosed) {
            throw lost;
        }
        IOException told = lost;
        its.output().whenCommitted(() -> {
            throw told;
        });
    }

    /** Writes the trace. Returns the reason if it cannot be written. */
    private static @Nullable IOException writeTrace(String name, @Nullable RunTrace traces, @Nullable Path file) {
        if (traces != null && file != null) {
            try {
                traces.write(file, name);
            } catch (IOException e) {
                return new IOException("the trace " + e.getMessage(), e);
            }
        }
        return null;
    }

    /**
     * Closes all parts. A failure is thrown, unless something failed before or the run was cancelled. Returns false if
     * something went wrong.
     */
    private static boolean close(OpenedParts opened, @Nullable Throwable failure) throws ComponentFailedException {
        ComponentFailedException second = opened.close();
        if (second == null) {
            return true;
        }
        if (failure == null) {
            throw second;
        }
        if (!(failure instanceof CancellationException)) {
            Suppressed.add(failure, second);
        }
        return false;
    }
}
