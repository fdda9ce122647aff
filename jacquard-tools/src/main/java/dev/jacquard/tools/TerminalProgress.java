package dev.jacquard.tools;

import dev.jacquard.components.program.Progress;
import java.io.PrintWriter;

/**
 * One line on the terminal that fills up. Drawn by the thread that makes a step that moves it by a percent, so that it
 * needs neither a thread nor a clock. Thread-safe.
 */
final class TerminalProgress implements Progress, AutoCloseable {
    private static final int WIDTH = 40;
    private static final String ERASE_LINE = "\r\033[2K";

    private final PrintWriter err;
    // Guarded by this: what is drawn must follow what is counted.
    private String stage = "";
    private long steps = 1;
    private long done;
    private int percent = -1;

    TerminalProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public synchronized void start(String stage, long steps) {
        this.stage = stage;
        this.steps = Math.max(1, steps);
        done = 0;
        percent = -1;
        draw();
    }

    @Override
    public synchronized void advance(long count) {
        done += count;
        draw();
    }

    /** Takes the line away. */
    @Override
    public synchronized void close() {
        if (!stage.isEmpty()) {
            err.print(ERASE_LINE);
            err.flush();
        }
    }

    private void draw() {
        int now = (int) Math.min(100, 100 * done / steps);
        if (now != percent) {
            percent = now;
            int full = WIDTH * now / 100;
            err.print(ERASE_LINE + stage + " [" + "=".repeat(full) + " ".repeat(WIDTH - full) + "] " + now + " %");
            err.flush();
        }
    }
}
