package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts transfers once the lock is given back, tries failed ones again, and lets their claims go on.
 *
 * <p>Threads: any; takes the lock of the {@link Coherence} itself.
 */
final class TransferRunner implements Consumer<Transfer> {
    /** The number of times that a copy which failed is tried again. */
    static final int COPY_RETRIES = 2;

    private final Object lock;
    private final Store store;
    private final Fetcher supply;
    private final Admission admission;
    private final LostDevices losses;
    /** Where work that breaks off half way is noted. */
    private final Breakage broken;
    /** Null when copies are trusted. Written before the first task. */
    private @Nullable Verification verification;

    TransferRunner(Object lock, Store store, Fetcher supply, Admission admission, LostDevices losses, Breakage broken) {
        this.lock = lock;
        this.broken = broken;
        this.store = store;
        this.supply = supply;
        this.admission = admission;
        this.losses = losses;
    }

    /** Compares checksums after each copy from now on. */
    void verify(FaultLog faults) {
        verification = new Verification(faults);
    }

    /** Returns true if copies that are found damaged are made again. */
    boolean verifies() {
        return verification != null;
    }

    /** Makes a change under the lock, after which claims that wait try again. Without the lock. */
    void changed(Consumer<DeferredActions> change) {
        DeferredActions after = new DeferredActions();
        try {
            synchronized (lock) {
                change.accept(after);
                admission.advance(after);
            }
            perform(after);
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    /** Starts copies and goes on with tasks. Without the lock. The caller notes work that breaks off half way. */
    void perform(DeferredActions after) {
        after.perform(this);
    }

    /** Starts a copy, which is tried again when it fails. Without the lock. */
    @Override
    public void accept(Transfer copy) {
        move(copy, error -> arrived(copy, error));
    }

    /** Does a copy. Without the lock. */
    void move(Transfer copy, Consumer<@Nullable Throwable> then) {
        Verification verified = verification;
        if (verified == null) {
            copy.move(then);
        } else {
            verified.move(copy, then);
        }
    }

    private void arrived(Transfer copy, @Nullable Throwable error) {
        Space gone = error == null ? null : copy.lostBy(error);
        if (error != null && gone == null && copy.failures++ < COPY_RETRIES) {
            move(copy, another -> arrived(copy, another)); // its source is still there
            return;
        }
        changed(after -> {
            DeviceLostException why = DeviceLostException.in(error);
            if (gone != null && why != null) {
                losses.lose(gone, why, after);
            }
            store.landed(copy, error);
            for (ReplicaClaim claim : copy.waiting) {
                supply.oneLess(claim, error == null ? null : failureOf(claim, copy, error, gone), after);
            }
            copy.whenOver.forEach(over -> over.accept(error));
            store.eviction.letLeave(copy);
            lock.notifyAll();
        });
    }

    /** Returns how a claim fails that waited for a copy; null when it can get the data from elsewhere. */
    private static @Nullable Throwable failureOf(
            ReplicaClaim claim, Transfer copy, Throwable error, @Nullable Space gone) {
        if (gone == null) {
            return LostDevices.repeated(copy, error);
        }
        return claim.space == gone ? gone.lost : null;
    }

    /** Notes that a device has failed to do its work. Without the lock. */
    void failed(Space device, Throwable error) {
        if (error instanceof DeviceLostException lost) {
            changed(after -> losses.lose(device, lost, after));
        }
    }

    /** Notes that a copy of a recomputation has failed. Without the lock. */
    void copyFailed(Transfer copy, Throwable error) {
        Space gone = copy.lostBy(error);
        DeviceLostException why = DeviceLostException.in(error);
        if (gone != null && why != null) {
            failed(gone, why);
        }
    }
}
