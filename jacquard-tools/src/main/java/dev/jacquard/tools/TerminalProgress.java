package dev.jacquard.tools;

import dev.jacquard.components.program.Progress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One line on the terminal that fills up, or shows the parts of a program that run at the same time: the name of each,
 * its stage and how far that is. Drawn by the thread that makes a step that moves it by a percent, so that it needs
 * neither a thread nor a clock.
 *
 * <p>The line is written over the one before and only then erased after its end, so that it does not flicker; it has as
 * many parts as the terminal is wide enough for, and the number of the others. Parts that a terminal that has become
 * narrower cannot show are left out rather than wrapped: erasing would miss lines above.
 *
 * <p>Thread-safe: all parts are guarded by this, since the drawn line must follow the counts.
 */
final class TerminalProgress implements Progress, AutoCloseable {
    private static final int WIDTH = 40;
    /** A shorter bar says less than the number after it. */
    private static final int LEAST_WIDTH = 8;

    private static final String BETWEEN = " | ";
    /** Before a line that stays. */
    static final String NOTE = "jacquard: ";

    private static final String ERASE_LINE = "\r\033[2K";
    /** Before a line: from the left, with the terminal's wrapping off. */
    private static final String BEGIN = "\r\033[?7l";
    /** After a line: the rest of the earlier line is erased, and wrapping on. */
    private static final String END = "\033[K\033[?7h";

    private final PrintWriter err;
    /** Without the last column, where some terminals wrap nevertheless. */
    private final int columns;

    private final Part whole = new Part("");
    /** The parts that have begun and not ended, in the order in which they began. Guarded by this. */
    private final List<Part> shown = new ArrayList<>();
    /** The line that is on the terminal; empty before the first. Guarded by this. */
    private String drawn = "";

    TerminalProgress(PrintWriter err, int columns) {
        this.err = err;
        this.columns = Math.max(1, columns - 1);
    }

    @Override
    public void start(String stage, long steps) {
        whole.start(stage, steps);
    }

    @Override
    public void advance(long count) {
        whole.advance(count);
    }

    @Override
    public void end() {
        whole.end();
    }

    @Override
    public Progress part(String name) {
        return new Part(name);
    }

    @Override
    public synchronized void note(String line) {
        err.println((drawn.isEmpty() ? "" : ERASE_LINE) + NOTE + line);
        if (drawn.isEmpty()) {
            err.flush();
            return;
        }
        drawn = "";
        draw();
    }

    /** Takes the line away. */
    @Override
    public synchronized void close() {
        if (!drawn.isEmpty()) {
            err.print(ERASE_LINE);
            err.flush();
        }
    }

    /** Guarded by this. */
    private void draw() {
        String line = shown.size() == 1 ? shown.getFirst().bar() : texts();
        line = line.length() > columns ? line.substring(0, columns) : line;
        if (!line.equals(drawn)) {
            drawn = line;
            err.print(BEGIN + line + END);
            err.flush();
        }
    }

    private String texts() {
        StringBuilder line = new StringBuilder();
        int told = 0;
        for (Part part : shown) {
            String text = part.text();
            int others = shown.size() - told - 1;
            int room = columns - (others == 0 ? 0 : more(others).length());
            if (told > 0 && line.length() + BETWEEN.length() + text.length() > room) {
                break;
            }
            line.append(told == 0 ? "" : BETWEEN).append(text);
            told++;
        }
        return told == shown.size() ? line.toString() : line + more(shown.size() - told);
    }

    private static String more(int parts) {
        return " +" + parts;
    }

    /** The progress of the whole program, which has no name, or of a part of it. Guarded by the line. */
    private final class Part implements Progress {
        private final String name;
        private String stage = "";
        private long steps = 1;
        private long done;
        private int percent;

        Part(String name) {
            this.name = name.isEmpty() ? "" : name + ": ";
        }

        @Override
        public void start(String itsStage, long itsSteps) {
            synchronized (TerminalProgress.this) {
                stage = itsStage;
                steps = itsSteps;
                done = 0;
                percent = 0;
                if (!shown.contains(this)) {
                    shown.add(this);
                }
                draw();
            }
        }

        @Override
        public void advance(long count) {
            synchronized (TerminalProgress.this) {
                done += count;
                int now = steps == UNKNOWN ? 0 : (int) Math.min(100, 100 * done / steps);
                if (now != percent) {
                    percent = now;
                    if (shown.contains(this)) {
                        draw();
                    }
                }
            }
        }

        /** It stays on the terminal until something else is to be reported. */
        @Override
        public void end() {
            synchronized (TerminalProgress.this) {
                shown.remove(this);
            }
        }

        private String text() {
            return steps == UNKNOWN ? name + stage : String.format(Locale.ROOT, "%s%s %3d %%", name, stage, percent);
        }

        private String bar() {
            String end = "] " + percent + " %";
            int width = Math.min(WIDTH, columns - name.length() - stage.length() - " [] 100 %".length());
            int full = width * percent / 100;
            return width < LEAST_WIDTH || steps == UNKNOWN
                    ? text()
                    : name + stage + " [" + "=".repeat(full) + " ".repeat(width - full) + end;
        }
    }
}
