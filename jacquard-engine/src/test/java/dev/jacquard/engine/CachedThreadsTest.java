package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads for users' code: none waits for another, and none is left. */
@Timeout(180)
class CachedThreadsTest {
    private final CachedThreads threads = new CachedThreads("cached");

    @AfterEach
    void close() {
        threads.close();
    }

    private <T> T on(Supplier<T> action) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.execute(() -> answer.complete(action.get()));
        return answer.join();
    }

    /** Runs an action, and returns its thread when that is idle. */
    private Thread idle() {
        Thread thread = on(Thread::currentThread);
        awaitIdle(thread);
        return thread;
    }

    private static void awaitIdle(Thread thread) {
        Watchdog.until(() -> thread.getState() == Thread.State.TIMED_WAITING, "the thread is idle");
    }

    /** An action that waits so is not taken for an idle thread. */
    private static void spinUntil(CountDownLatch event) {
        while (event.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anIdleThreadTakesTheNextAction() {
        Thread first = idle();
        assertSame(first, on(Thread::currentThread));
        assertEquals("cached-1", first.getName());
        assertTrue(first.isDaemon());
        assertFalse(first.isVirtual());
    }

    @Test
    void theThreadThatBecameIdleLastTakesIt() {
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Thread> other = new CompletableFuture<>();
        threads.execute(() -> {
            other.complete(Thread.currentThread());
            spinUntil(goOn);
        });
        Thread first = idle();
        assertNotSame(first, other.join());
        goOn.countDown();
        awaitIdle(other.join());
        assertSame(other.join(), on(Thread::currentThread));
    }

    @Test
    void actionsWaitForEachOther() {
        int all = 4 * Runtime.getRuntime().availableProcessors();
        CyclicBarrier together = new CyclicBarrier(all);
        for (int round = 0; round < 3; round++) {
            CountDownLatch over = new CountDownLatch(all);
            for (int i = 0; i < all; i++) {
                threads.execute(() -> {
                    try {
                        together.await();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    over.countDown();
                });
            }
            Watchdog.await(over, "all meet");
        }
    }

    @Test
    void anActionLeavesNoInterruptToTheNext() {
        Thread first = on(() -> {
            Thread.currentThread().interrupt();
            return Thread.currentThread();
        });
        awaitIdle(first);
        assertFalse(on(Thread::interrupted));
        assertSame(first, idle());
    }

    @Test
    void anActionThatThrowsEndsNoThread() {
        CompletableFuture<Thread> thrower = new CompletableFuture<>();
        threads.execute(() -> {
            thrower.complete(Thread.currentThread());
            throw new IllegalStateException("planned");
        });
        awaitIdle(thrower.join());
        assertSame(thrower.join(), on(Thread::currentThread));
    }

    @Test
    void anActionHasTheClassLoaderOfItsCaller() throws Exception {
        Thread first = idle();
        Thread current = Thread.currentThread();
        ClassLoader own = current.getContextClassLoader();
        try (URLClassLoader other = new URLClassLoader(new URL[0], own)) {
            current.setContextClassLoader(other);
            assertSame(other, on(() -> Thread.currentThread().getContextClassLoader()));
        } finally {
            current.setContextClassLoader(own);
        }
        awaitIdle(first);
        assertSame(own, on(() -> Thread.currentThread().getContextClassLoader()));
    }

    @Test
    void anActionInheritsNoThreadLocals() {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("of the test");
        assertNull(on(() -> local.get()));
        local.remove();
    }

    @Test
    void closingEndsIdleThreadsAndWaitsForTheirEnd() {
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Thread> busy = new CompletableFuture<>();
        threads.execute(() -> {
            busy.complete(Thread.currentThread());
            Watchdog.await(goOn, "the session is closed");
        });
        CountDownLatch both = new CountDownLatch(2);
        List<Thread> idle = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Thread> its = new CompletableFuture<>();
            threads.execute(() -> {
                its.complete(Thread.currentThread());
                both.countDown();
                spinUntil(both);
            });
            idle.add(its.join());
        }
        idle.forEach(CachedThreadsTest::awaitIdle);
        threads.close();
        idle.forEach(thread -> assertFalse(thread.isAlive()));
        assertTrue(busy.join().isAlive(), "users' code runs on");
        goOn.countDown();
        Threads.join(busy.join());
    }

    @Test
    void actionsRunAfterTheEndToo() {
        idle();
        threads.close();
        Thread late = on(Thread::currentThread);
        Threads.join(late);
        assertNotSame(late, on(Thread::currentThread));
    }

    /** A thread may be about to end when an action comes. */
    @Test
    void noActionIsLostWithAThreadThatEnds() {
        CachedThreads brief = new CachedThreads("brief", 1);
        Set<Thread> used = new HashSet<>();
        int rounds = Rounds.run(200, round -> {
            CompletableFuture<Thread> its = new CompletableFuture<>();
            brief.execute(() -> its.complete(Thread.currentThread()));
            Thread thread = its.join();
            used.add(thread);
            Watchdog.until(() -> thread.getState() != Thread.State.RUNNABLE, "the thread is idle, or has ended");
            for (int i = 0; i < 150; i++) { // some hundred microseconds, in which it ends now and then
                Rounds.drift(round);
            }
        });
        assertTrue(rounds > 0);
        used.forEach(Threads::join);
        Thread last = used.iterator().next();
        assertFalse(last.isAlive());
        brief.close();
    }

    /** Races of actions, idle threads and the end: each action runs once. */
    @Test
    void eachActionRunsOnceWhileThreadsComeAndGo() {
        for (int round = 0; round < 20; round++) {
            CachedThreads some = new CachedThreads("raced");
            Set<Integer> ran = ConcurrentHashMap.newKeySet();
            Semaphore over = new Semaphore(0);
            int all = 500;
            for (int i = 0; i < all; i++) {
                int number = i;
                some.execute(() -> {
                    if (!ran.add(number)) {
                        throw new AssertionError("ran twice: " + number);
                    }
                    over.release();
                });
                if (i == 25 * round) {
                    some.close();
                }
            }
            over.acquireUninterruptibly(all);
            Set<Integer> expected = new HashSet<>();
            for (int i = 0; i < all; i++) {
                expected.add(i);
            }
            assertEquals(expected, ran);
            some.close();
        }
    }
}
