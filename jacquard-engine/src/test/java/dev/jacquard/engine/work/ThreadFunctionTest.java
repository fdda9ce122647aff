package dev.jacquard.engine.work;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interrupts of functions that nest, while nodes run inside of them. */
class ThreadFunctionTest {
    private final ThreadFunction outer = new ThreadFunction() {};
    private final ThreadFunction inner = new ThreadFunction() {};

    @AfterEach
    void nothingIsLeft() {
        assertNull(ThreadFunction.innermost());
        assertFalse(Thread.interrupted());
    }

    @Test
    void anInterruptOfEitherWaitsUntilTheNodesAreOver() {
        outer.begin();
        inner.begin();
        ThreadFunction paused = paused();
        assertSame(inner, paused);
        assertTrue(outer.interrupt());
        assertTrue(inner.interrupt());
        assertFalse(Thread.currentThread().isInterrupted(), "a node runs");
        paused.goOn();
        assertTrue(Thread.interrupted(), "the functions go on");
        inner.end();
        assertTrue(Thread.currentThread().isInterrupted(), "the outer one goes on");
        outer.end();
    }

    @Test
    void theOuterOneHearsOfItsInterruptWhenTheInnerIsOver() {
        outer.begin();
        inner.begin();
        ThreadFunction paused = paused();
        assertTrue(outer.interrupt());
        paused.goOn();
        inner.end();
        assertTrue(Thread.currentThread().isInterrupted(), "the inner one was not interrupted");
        outer.end();
    }

    @Test
    void theOuterOneHearsOfItsInterruptThoughTheInnerTookIt() {
        outer.begin();
        inner.begin();
        assertTrue(outer.interrupt());
        assertTrue(inner.interrupt());
        assertTrue(Thread.interrupted(), "the inner one takes it");
        inner.end();
        assertTrue(Thread.interrupted());
        ThreadFunction another = new ThreadFunction() {};
        another.begin();
        another.end();
        assertFalse(Thread.currentThread().isInterrupted(), "once behind each function inside");
        outer.end();
    }

    @Test
    void aFunctionThatANodeRunsDoesNotLetTheOuterGoOn() {
        outer.begin();
        ThreadFunction around = paused();
        inner.begin(); // by the node
        assertTrue(outer.interrupt());
        ThreadFunction within = paused();
        within.goOn();
        assertFalse(Thread.currentThread().isInterrupted(), "the node still runs");
        assertTrue(inner.interrupt());
        assertTrue(Thread.currentThread().isInterrupted());
        inner.end();
        assertFalse(Thread.currentThread().isInterrupted());
        around.goOn();
        assertTrue(Thread.currentThread().isInterrupted());
        outer.end();
    }

    @Test
    void oneThatIsPausedIsNotPausedAgain() {
        outer.begin();
        ThreadFunction paused = paused();
        assertNull(ThreadFunction.pauseInnermost());
        paused.goOn();
        outer.end();
    }

    @Test
    void oneThatDoesNotRunIsNotInterrupted() {
        assertFalse(inner.interrupt());
        inner.begin();
        inner.end();
        assertFalse(inner.interrupt());
        assertFalse(inner.isInterrupted());
    }

    private static ThreadFunction paused() {
        return Objects.requireNonNull(ThreadFunction.pauseInnermost());
    }
}
