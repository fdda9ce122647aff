package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceLostException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Memory for recomputations, within the limits like everything else.
 *
 * <p>Threads: the threads of recomputations; takes the lock of the {@link Coherence} itself, except where noted.
 */
final class ScratchAllocator {
    private final Coherence coherence;
    private final Store store;
    private final LostDevices losses;
    /** The number of recomputations that wait. Guarded by the lock. */
    private int waiting;
    /** True once no task begins any more. Guarded by the lock. */
    private boolean ended;

    ScratchAllocator(Coherence coherence, Store store, LostDevices losses) {
        this.coherence = coherence;
        this.store = store;
        this.losses = losses;
    }

    Space hostSpace() {
        return store.host;
    }

    /** Returns the space where a step is done again: the host, or a device where the host has no implementation. */
    Space spaceFor(Lineage.Step step) {
        if (step.recipe().isForHost()) {
            return store.host;
        }
        synchronized (coherence.lock) {
            for (DeviceSpace device : store.devices) {
                if (device.lost == null && step.recipe().onDevice(device.device.target()) != null) {
                    return device;
                }
            }
        }
        throw new IllegalStateException(
                "task \"" + step.task() + "\" was done by " + step.recipe() + ", and no device for that is left");
    }

    /** Allocates memory for a recomputation; waits while others make room, or may give some back. */
    Replica allocate(Space space, DataNeed need) throws InterruptedException {
        AtomicBoolean idle = new AtomicBoolean();
        boolean asked = false;
        while (true) {
            DeferredActions after = new DeferredActions();
            Replica made = null;
            boolean asks = false;
            synchronized (coherence.lock) {
                if (space.lost == null && store.eviction.makeRoom(space, space.bytes(need), after)) {
                    made = allocateNow(space, need, after);
                } else if (space.lost != null) {
                    break;
                } else if (!after.hasCopies() && store.moving == 0 && (idle.get() || ended)) {
                    throw new IllegalStateException(
                            space + " has no room for " + need.data().name() + need.box());
                } else if (!after.hasCopies() && store.moving == 0 && !asked) {
                    asks = true;
                } else if (!after.hasCopies()) {
                    waiting++;
                    try { // until a copy has landed, a claim has given something back, or the engine is idle
                        coherence.lock.wait();
                    } finally {
                        waiting--;
                    }
                }
            }
            coherence.runner.perform(after);
            if (asks) {
                asked = true;
                coherence.threads.whenIdle(() -> foundIdle(idle));
            }
            if (made != null) {
                return made;
            }
        }
        throw Objects.requireNonNull(space.lost);
    }

    /** No task begins any more, and the engine does not answer: a request that finds no room fails. Under the lock. */
    void end() {
        ended = true;
        lookForRoom();
    }

    /** Lets recomputations that wait look for room again. Under the lock. */
    void lookForRoom() {
        if (waiting > 0) {
            coherence.lock.notifyAll();
        }
    }

    private void foundIdle(AtomicBoolean idle) {
        synchronized (coherence.lock) {
            idle.set(true);
            coherence.lock.notifyAll();
        }
    }

    /** Allocates at once; null when the device is lost, which this takes out of service. Under the lock. */
    private @Nullable Replica allocateNow(Space space, DataNeed need, DeferredActions after) {
        try {
            return store.scratch(space, need);
        } catch (DeviceLostException e) {
            losses.lose(space, e, after);
            return null;
        }
    }

    void discard(Replica scratch) {
        coherence.runner.changed(after -> store.discard(scratch));
    }

    /**
     * Takes back memory with the contents that the write of that number left, and gives it to the atoms that lack them;
     * not to atoms of data freed since: its memory would stay taken.
     */
    void settle(Replica scratch, long written) {
        synchronized (coherence.lock) {
            boolean lacking = false;
            for (Atom atom : scratch.directory.meeting(scratch.box)) {
                if (atom.version == written
                        && atom.valid.isEmpty()
                        && scratch.space.lost == null
                        && !scratch.directory.gone) {
                    atom.valid.add(scratch);
                    lacking = true;
                }
            }
            if (lacking) {
                store.adopt(scratch);
            } else {
                store.discard(scratch);
            }
        }
    }
}
