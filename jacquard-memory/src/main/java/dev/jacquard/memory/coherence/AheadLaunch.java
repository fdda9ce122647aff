package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A launch enqueued before the task was ready, after the launches of all tasks before it, on the same stream. So the
 * device waits for no thread of the host between two kernels.
 *
 * <pre>
 *  told ── the task is ready, and claims ──▶ claimed ── its body launches ──▶ wanted
 *                                                      ── the device has done it: the task is over
 *       ── the task is over without ──▶ abandoned: its output is lost
 *       ── something before it failed on the device ──▶ not done: the task claims and launches as others do
 * </pre>
 *
 * <p>It pins the replicas that it uses until the device has done it and the task has claimed the same, or is over
 * without.
 *
 * <p>Guarded by the lock of the {@link Coherence}, except for constant fields.
 */
final class AheadLaunch {
    private final Coherence coherence;
    private final ReplicaClaim claim;
    private final DeviceBody body;
    private final List<Object> numbers;
    private final CompletableFuture<Object> done = new CompletableFuture<>();

    /** True while the device has it and has not said that it is over. */
    boolean inFlight;
    /** True once the task is ready, and has pinned the same itself. */
    boolean claimed;
    /** True if the device did nothing of it, and it was not enqueued again. */
    private boolean notDone;
    /** True once the body has asked for it. */
    private boolean wanted;
    /** True once the task is over without it. */
    boolean abandoned;
    /** Run when the device is done with it; null for nothing. */
    private @Nullable Runnable whenOver;

    AheadLaunch(Coherence coherence, ReplicaClaim claim, DeviceBody body, List<Object> numbers) {
        this.coherence = coherence;
        this.claim = claim;
        this.body = body;
        this.numbers = numbers;
    }

    /** Enqueues it in the stream of that number. Without the lock. */
    DataClaim.Ahead tell(int stream) {
        ClaimWork work = new ClaimWork(claim, numbers);
        long told = coherence.launches.now();
        return claim.space.kernels().tellAhead(stream, enqueued(work), error -> over(told, error));
    }

    private TransferQueue.Work enqueued(ClaimWork work) {
        return stream -> {
            work.stream = stream;
            body.enqueue(work);
        };
    }

    /** The task's body launches it. Returns a future that completes when the device has done it. Without the lock. */
    CompletableFuture<Object> launch() {
        boolean again;
        synchronized (coherence.lock) {
            wanted = true;
            again = notDone;
            notDone = false;
        }
        if (again) {
            tellAgain();
        }
        return done;
    }

    /** Enqueues it again, in any stream: all that comes before the launch is over. */
    private void tellAgain() {
        ClaimWork work = new ClaimWork(claim, numbers);
        long told = coherence.launches.now();
        claim.toldOn(claim.space.kernels().tell(enqueued(work), finished(told)));
    }

    private Consumer<@Nullable Throwable> finished(long told) {
        return error -> claim.launched(told, error, done);
    }

    /** By the thread that waits for the device, or by the one that enqueues it. */
    private void over(long told, @Nullable Throwable error) {
        boolean undone = error instanceof TransferQueue.NotDone;
        boolean again;
        boolean last;
        boolean left;
        Runnable then;
        synchronized (coherence.lock) {
            inFlight = false;
            then = whenOver;
            left = abandoned;
            again = undone && wanted;
            notDone = undone && !wanted;
            last = claimed || abandoned;
            if (!last && (undone || error instanceof DeviceLostException)) {
                // A task before this one may be tried again, and need replicas pinned for this one.
                last = true;
                claim.forgetAhead();
            }
            if (last) {
                coherence.launches.letGo(claim);
            }
        }
        if (last) {
            coherence.runner.changed(after -> {});
        }
        if (again) {
            tellAgain();
        } else if (!undone && !left) {
            claim.launched(told, error, done);
        }
        if (then != null) {
            then.run();
        }
    }

    /** See {@link DataClaim#isSettled}. Without the lock. */
    boolean isSettled(Runnable then) {
        synchronized (coherence.lock) {
            whenOver = inFlight ? then : null;
            return !inFlight;
        }
    }

    /** Returns true if the device may have changed data that the task was to write. Under the lock. */
    boolean mayHaveRun() {
        return !notDone;
    }
}
