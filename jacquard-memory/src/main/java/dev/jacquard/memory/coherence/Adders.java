package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tasks that add to data atomically, or multiply: the graph lets them run at the same time, and so they must meet in
 * one replica. Those whose own would be another one wait, with nothing in their hands, until the others are over; then
 * they get what these added by a copy.
 *
 * <p>On the host bodies then add to the same elements at once, as to handles
 * ({@link dev.jacquard.memory.data.Memory#addDouble}). A device runs its kernels one after the other anyhow, and there
 * they take turns, so that one whose launch fails, and which goes elsewhere, leaves nothing behind that another one has
 * added to.
 *
 * <p>Those that wait for the same reason stand in one {@link Turn}, of which the first alone is looked at when a task
 * that adds near is over: on a device the others would wait for that one. So many additions to one part cost as much
 * each as a few.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the project's design, section 4.
 */
final class Adders {
    /** Where others have added, and are over: who waits near is looked at by {@link #next}. */
    private final List<Place> left = new ArrayList<>();
    /** The number of the last lease that was held back. */
    private long last;
    /** How often a lease was held against others. */
    private long looks;

    /** Who adds to one data. */
    static final class OfData {
        /** Those with replicas. */
        private final BoxIndex<Sum> sums = new BoxIndex<>();
        /** Those who wait for some of these. */
        private final BoxIndex<Turn> turns = new BoxIndex<>();
    }

    /** A part of some data. */
    private record Place(OfData data, Box box) {}

    /** Leases that add to a part in one replica; never none. */
    private static final class Sum implements Boxed {
        final Box box;
        final Replica replica;
        final Set<ReplicaClaim> leases = new LinkedHashSet<>();
        /**
         * What is in the replica is of no use: one that wrote it has failed. Until all who are here are over nobody
         * else can begin with it.
         */
        boolean spoilt;

        Sum(Box box, Replica replica) {
            this.box = box;
            this.replica = replica;
        }

        @Override
        public Box box() {
            return box;
        }
    }

    /**
     * Leases that are to add to a part in a space, in replicas for {@code room}, and that wait for others which add
     * elsewhere; never none.
     */
    static final class Turn implements Boxed {
        final OfData data;
        final Box box;
        final Box room;
        final Space space;
        /** By their numbers, in the order in which they came. */
        final TreeMap<Long, ReplicaClaim> held = new TreeMap<>();

        Turn(OfData data, Box box, Box room, Space space) {
            this.data = data;
            this.box = box;
            this.room = room;
            this.space = space;
        }

        boolean isFor(Space its, Box itsRoom) {
            return space == its && room.equals(itsRoom);
        }

        @Override
        public Box box() {
            return box;
        }
    }

    /** Whether others add to what {@code lease} is to add to, elsewhere: then it waits here until {@link #next}. */
    boolean holdBack(ReplicaClaim lease, Store store) {
        boolean wasFirst = lease.heldAs != 0;
        boolean held = wait(lease, store);
        if (held && wasFirst) {
            leave(lease); // others waited for it, and need not wait for what it waits for now
        }
        return held;
    }

    private boolean wait(ReplicaClaim lease, Store store) {
        for (int i = 0; i < lease.needs.size(); i++) {
            if (lease.needs.get(i).adds() && isExcluded(lease, i, store)) {
                Turn turn = turn(lease, i, store);
                lease.heldAs = lease.heldAs == 0 ? ++last : lease.heldAs;
                turn.held.put(lease.heldAs, lease);
                lease.turn = turn;
                return true;
            }
        }
        return false;
    }

    private static Turn turn(ReplicaClaim lease, int index, Store store) {
        Box box = lease.needs.get(index).box();
        Box room = lease.room(index);
        OfData data = of(store.directory(lease.needs.get(index).data()));
        Turn known = data.turns.exactly(box, one -> one.isFor(lease.space, room));
        if (known == null) {
            known = new Turn(data, box, room, lease.space);
            data.turns.add(known);
        }
        return known;
    }

    private static OfData of(Directory directory) {
        OfData known = directory.adders;
        if (known == null) {
            known = new OfData();
            directory.adders = known;
        }
        return known;
    }

    /**
     * Whether others add to something of what the need of that number is for, but not in its replica, or on a device,
     * or in what is lost: a copy of what was there before would take away what they have added.
     */
    private boolean isExcluded(ReplicaClaim lease, int index, Store store) {
        looks++;
        Box box = lease.needs.get(index).box();
        Directory directory = store.directory(lease.needs.get(index).data());
        OfData data = directory.adders;
        if (data == null) {
            return false;
        }
        Replica own = directory.find(lease.space, lease.room(index), lease.space.usesParts);
        for (Sum sum : data.sums.meeting(box)) {
            if (own == null || sum.replica != own || own.space.addsInTurn() || sum.spoilt) {
                return true;
            }
        }
        return false;
    }

    /** A task that wrote {@code replica} failed: what others add there is lost with what it has left half done. */
    void spoilt(Replica replica, Need failed) {
        OfData data = replica.directory.adders;
        if (data != null) {
            ReplicaClaim.Spoilt spoilt = new ReplicaClaim.Spoilt(replica, failed.box());
            for (Sum sum : data.sums.meeting(failed.box())) {
                if (sum.replica == replica) {
                    sum.spoilt = true;
                    sum.leases.forEach(lease -> lease.spoilt.add(spoilt));
                }
            }
        }
    }

    /** {@code lease} has its replicas. */
    void began(ReplicaClaim lease) {
        for (int i = 0; i < lease.needs.size(); i++) {
            if (lease.needs.get(i).adds()) {
                Replica replica = lease.memoryOf(i);
                Box box = lease.needs.get(i).box();
                OfData data = of(replica.directory);
                Sum known = data.sums.exactly(box, one -> one.replica == replica);
                if (known == null) {
                    known = new Sum(box, replica);
                    data.sums.add(known);
                }
                known.leases.add(lease);
                known.spoilt |= isSpoilt(lease, replica, box); // one that has given up other rights comes again
            }
        }
    }

    private static boolean isSpoilt(ReplicaClaim lease, Replica replica, Box box) {
        for (ReplicaClaim.Spoilt half : lease.spoilt) {
            if (half.replica() == replica && half.box().intersects(box)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code lease} is over, or does not want its replicas any more.
     *
     * @return whether it was held back until now
     */
    boolean ended(ReplicaClaim lease) {
        Turn turn = lease.turn;
        if (turn != null) {
            stepOut(lease, turn);
            return true;
        }
        leave(lease);
        return false;
    }

    /** {@code lease} adds no more, or not now. */
    private void leave(ReplicaClaim lease) {
        for (int i = 0; i < lease.needs.size(); i++) {
            Need need = lease.needs.get(i);
            OfData data = need.adds() && need.data().directory() instanceof Directory its ? its.adders : null;
            if (data == null) {
                continue;
            }
            Replica replica = lease.replicas[i];
            Sum sum = replica == null ? null : data.sums.exactly(need.box(), one -> one.replica == replica);
            if (sum != null && sum.leases.remove(lease) && sum.leases.isEmpty()) {
                data.sums.remove(sum);
            }
            if (data.turns.size() > 0) {
                left.add(new Place(data, need.box()));
            }
        }
    }

    /** The lease waits no more. */
    private static void stepOut(ReplicaClaim lease, Turn turn) {
        lease.turn = null;
        turn.held.remove(lease.heldAs);
        if (turn.held.isEmpty()) {
            turn.data.turns.remove(turn);
        }
    }

    /** Whether {@link #next} has something to look at. */
    boolean anyLeft() {
        return !left.isEmpty();
    }

    /** Takes those out who need not wait any more; of those who wait for each other the first. */
    List<ReplicaClaim> next(Store store) {
        if (left.isEmpty()) {
            return List.of();
        }
        Set<Turn> near = new LinkedHashSet<>();
        left.forEach(place -> near.addAll(place.data.turns.meeting(place.box)));
        left.clear();
        List<Turn> inOrder = new ArrayList<>(near);
        inOrder.sort(Comparator.comparing(turn -> turn.held.firstKey()));
        List<ReplicaClaim> free = new ArrayList<>();
        inOrder.forEach(turn -> next(turn, store, free));
        return free;
    }

    private void next(Turn turn, Store store, List<ReplicaClaim> free) {
        boolean more = true;
        while (more && !turn.held.isEmpty()) {
            ReplicaClaim first = Objects.requireNonNull(turn.held.firstEntry()).getValue();
            stepOut(first, turn);
            if (!wait(first, store)) {
                free.add(first);
                more = !turn.space.addsInTurn(); // else the others wait for that one
            } else {
                more = !isIn(first, turn);
            }
        }
    }

    /** Whether {@code lease} waits for the same reason as those in {@code turn}. */
    private static boolean isIn(ReplicaClaim lease, Turn turn) {
        Turn its = Objects.requireNonNull(lease.turn);
        return its.data == turn.data && its.box.equals(turn.box) && its.isFor(turn.space, turn.room);
    }

    /** Whether somebody who is not over adds to some of what {@code need} is for, in {@code directory}. */
    boolean isAdding(Directory directory, Need need) {
        OfData data = directory.adders;
        return need.adds() && data != null && !data.sums.meeting(need.box()).isEmpty();
    }

    long looks() {
        return looks;
    }
}
