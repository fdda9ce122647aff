package dev.jacquard.engine;

import dev.jacquard.engine.work.RangeBody;

/**
 * The loops that workers run right now and that others may help with. A worker looks here when it has found nothing
 * else.
 *
 * <p>Sleep: who opens a loop writes a volatile field and then looks for sleepers; who sleeps says so and then looks
 * here.
 */
final class Loops {
    private static final Loop[] NONE = {};

    private final Sleepers sleepers;
    /** There is no worker that could help. */
    private final boolean alone;
    /** The open loops, the newest last; a new array with every change, under this one's monitor. */
    private volatile Loop[] open = NONE;

    Loops(Sleepers sleepers, boolean alone) {
        this.sleepers = sleepers;
        this.alone = alone;
    }

    /** Runs a loop on this thread and on idle workers. */
    void run(long from, long to, long grain, RangeBody body) throws Exception {
        if (from < to && to - from > 0 && to - from <= grain) {
            body.run(from, to); // one part, which no other thread can help with
            return;
        }
        Loop loop = new Loop(from, to, grain, body);
        if (loop.room() > 0 && !alone) {
            open(loop);
            try {
                sleepers.wake(loop.room());
                loop.runAll();
            } finally {
                close(loop);
                loop.awaitHelpers();
            }
        } else {
            loop.runAll();
        }
        loop.throwFailure();
    }

    private synchronized void open(Loop loop) {
        Loop[] more = new Loop[open.length + 1];
        System.arraycopy(open, 0, more, 0, open.length);
        more[open.length] = loop;
        open = more;
    }

    private synchronized void close(Loop loop) {
        Loop[] fewer = new Loop[open.length - 1];
        int kept = 0;
        for (Loop other : open) {
            if (other != loop) {
                fewer[kept++] = other;
            }
        }
        open = kept == 0 ? NONE : fewer;
    }

    /** Does one part of the newest loop that has one left. Whether there was one. */
    boolean help() {
        Loop[] all = open;
        for (int i = all.length - 1; i >= 0; i--) {
            if (all[i].help()) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if a part is left to do. */
    boolean areOpen() {
        for (Loop loop : open) {
            if (loop.isOpen()) {
                return true;
            }
        }
        return false;
    }
}
