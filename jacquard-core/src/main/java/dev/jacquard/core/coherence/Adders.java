package dev.jacquard.core.coherence;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that add to data atomically, or multiply: the graph lets them run at the same time, and so they must meet in one replica. Those whose own would be
 * another one wait, with nothing in their hands, until the others are over; then they get what these added by a copy.
 *
 * <p>On the host bodies then add to the same elements at once, as to handles ({@link dev.jacquard.core.data.Memory#addDouble}). A device runs its
 * kernels one after the other anyhow, and there they take turns, so that one whose launch fails, and which goes elsewhere, leaves nothing behind that another one has added to.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the project's design, section 4.
 */
final class Adders {
    /** Those with replicas. */
    private final List<Lease> adding = new ArrayList<>();
    /** Those who wait for some of these, in order. */
    private final List<Lease> waiting = new ArrayList<>();

    /** Whether others add to what {@code lease} is to add to, elsewhere: then it waits here until {@link #next}. */
    boolean holdBack(Lease lease, Store store) {
        boolean held = isExcluded(lease, store);
        if (held) {
            waiting.add(lease);
        }
        return held;
    }

    /** A task that wrote {@code replica} failed: what others add there is lost with what it has left half done. */
    void spoilt(Replica replica, Need failed) {
        for (Lease lease : adding) {
            for (int i = 0; i < lease.replicas.length; i++) {
                if (lease.replicas[i] == replica && lease.needs.get(i).box().intersects(failed.box())) {
                    lease.spoilt.add(new Lease.Spoilt(replica, failed.box()));
                }
            }
        }
    }

    private boolean isExcluded(Lease lease, Store store) {
        for (int i = 0; i < lease.needs.size(); i++) {
            Need need = lease.needs.get(i);
            if (need.adds()) {
                Directory directory = store.directory(need.data());
                Replica own = directory.find(lease.space, lease.room(i), lease.space.usesParts);
                for (Lease other : adding) {
                    if (isElsewhere(other, need, own)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether {@code other} adds to something of what {@code need} is for, but not in {@code own}, or on a device. */
    private static boolean isElsewhere(Lease other, Need need, @Nullable Replica own) {
        for (int i = 0; i < other.replicas.length; i++) {
            Need its = other.needs.get(i);
            if (its.adds()
                    && its.data() == need.data()
                    && its.box().intersects(need.box())
                    && (own == null || other.replicas[i] != own || own.space instanceof DeviceSpace)) {
                return true;
            }
        }
        return false;
    }

    /** {@code lease} has its replicas. */
    void began(Lease lease) {
        if (adds(lease)) {
            adding.add(lease);
        }
    }

    /** {@code lease} is over, or does not want its replicas any more. */
    void ended(Lease lease) {
        if (adds(lease)) {
            adding.remove(lease);
            waiting.remove(lease);
        }
    }

    /** Takes those out who need not wait any more. */
    List<Lease> next(Store store) {
        List<Lease> free = new ArrayList<>();
        for (Iterator<Lease> all = waiting.iterator(); all.hasNext(); ) {
            Lease lease = all.next();
            if (!isExcluded(lease, store)) {
                all.remove();
                free.add(lease);
            }
        }
        return free;
    }

    /** Whether somebody who is not over adds to some of what {@code need} is for. */
    boolean isAdding(Need need) {
        return need.adds() && adding.stream().anyMatch(other -> isElsewhere(other, need, null));
    }

    private static boolean adds(Lease lease) {
        for (Need need : lease.needs) {
            if (need.adds()) {
                return true;
            }
        }
        return false;
    }
}
