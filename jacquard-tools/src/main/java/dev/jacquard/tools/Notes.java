package dev.jacquard.tools;

import dev.jacquard.components.program.Progress;
import java.io.PrintWriter;

/** The progress of a run without a terminal: notes alone. Thread-safe. */
final class Notes implements Progress {
    private final PrintWriter err;

    Notes(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void start(String stage, long steps) {}

    @Override
    public void advance(long steps) {}

    @Override
    public void note(String line) {
        err.println(TerminalProgress.NOTE + line);
        err.flush();
    }

    @Override
    public Progress part(String name) {
        return Progress.NONE;
    }
}
