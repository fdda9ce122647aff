package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.text.UserText;
import dev.jacquard.engine.schedule.PolicyException;
import java.lang.System.Logger.Level;

/** The end of an engine: closed by its owner, or broken by a failure. Threads: any. */
final class Ending {
    /** The log of the engine, under the name of its public class. */
    private static final System.Logger LOG = System.getLogger("dev.jacquard.engine.Engine");

    private final News news;
    private final Waiters waiters;
    private volatile boolean closed;
    /**
     * The failure that ended the engine before its time, one of several. Written by any thread; in this class, or where
     * there may be no stack left for the call of {@link #fail}.
     */
    final Breakage broken = new Breakage();
    /** The action to take then, which only starts a thread. Set once, before any node runs. */
    private volatile Runnable behind = () -> {};
    /** True once a thread was thrown that failure. Written by any; a failure reported twice does no harm. */
    private volatile boolean told;

    Ending(News news, Waiters waiters) {
        this.news = news;
        this.waiters = waiters;
    }

    /** The engine is closed. The caller wakes the workers and the threads that wait. */
    void close() {
        closed = true; // volatile, like the field read next: a worker that announces its sleep later sees it
        news.end();
    }

    /** Ends the engine: every wait throws the reason, one of several. */
    void fail(Throwable e) {
        if (broken.by == null) { // first: it may be the stack that is full
            broken.by = e;
        }
        news.end();
        waiters.signalAll();
        LOG.log(Level.ERROR, "the engine stops", e);
        behind.run();
    }

    /** Does {@code action} too, whenever the engine fails. */
    void whenBroken(Runnable action) {
        behind = action;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isBroken() {
        return broken.by != null;
    }

    /** Throws the failure that ended the engine before its time, if no thread was thrown it before. */
    void requireTold() {
        if (!told) {
            requireUnbroken();
        }
    }

    /** Throws the failure that ended the engine before its time, if there is one. */
    void requireUnbroken() {
        Throwable why = broken.by;
        if (why != null) {
            told = true;
        }
        if (why instanceof PolicyException policy) {
            throw new PolicyException(policy);
        }
        if (why != null) {
            throw new IllegalStateException("the engine ended because of ".concat(UserText.of(why)), why);
        }
    }

    /** Returns true when the engine is neither closed nor broken. */
    boolean goesOn() {
        return !news.any() || (!closed && broken.by == null);
    }
}
