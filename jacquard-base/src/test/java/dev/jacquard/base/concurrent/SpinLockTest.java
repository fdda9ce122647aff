package dev.jacquard.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SpinLockTest {
    @Test
    void aThreadWaitsWhileAnotherHasTheLock() throws InterruptedException {
        SpinLock lock = new SpinLock(new Breakage());
        AtomicBoolean given = new AtomicBoolean();
        AtomicBoolean early = new AtomicBoolean();
        lock.lock();
        Thread other = Thread.ofPlatform().start(() -> {
            lock.lock();
            early.set(!given.get());
            lock.unlock();
        });
        awaitNap(other);
        given.set(true);
        lock.unlock();
        other.join();
        assertFalse(early.get());
    }

    @Test
    void aLockThatIsNotGivenBackIsPassedWhereSomethingBroke() throws InterruptedException {
        Breakage broken = new Breakage();
        SpinLock lock = new SpinLock(broken);
        lock.lock();
        Thread other = Thread.ofPlatform().daemon().start(lock::lock);
        awaitNap(other);
        broken.by = new StackOverflowError();
        assertTrue(other.join(Duration.ofSeconds(30)));
    }

    /** Waits until {@code thread} naps, as it does when it has waited for a lock for a while. */
    private static void awaitNap(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
