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
 * The tasks that add to data atomically, or multiply, and tasks that access data by kinds of the user's. The graph lets
 * them run at the same time, and so they must meet in one replica, unless none of them writes. A task whose replica
 * would be another one waits, without any replica, until the others are over; then it gets their additions by a copy.
 *
 * <p>On the host bodies then add to the same elements at once, as to handles
 * ({@link dev.jacquard.memory.data.Memory#addDouble}). A device runs its kernels one after the other anyhow, and there
 * they take turns, so that one with a launch that fails, and which goes elsewhere, leaves no data that another one has
 * added to.
 *
 * <p>Tasks that wait for the same reason stand in one {@link Turn}, of which only the first is examined when a task
 * that adds near is over: on a device the others would wait for the first. So each of many additions to one part costs
 * as much as each of a few.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the project's design, section 4.
 */
final class Adders {
    /** The parts where tasks that added are over: {@link #next} examines the claims that wait near. */
    private final List<Place> left = new ArrayList<>();
    /** The number of the last claim that was held back. */
    private long last;
    /** The number of times that a claim was compared with others. */
    private long looks;

    /** The claims that add to one data. */
    static final class OfData {
        /** The claims with replicas. */
        private final BoxIndex<Sum> sums = new BoxIndex<>();
        /** The claims that wait for some of these. */
        private final BoxIndex<Turn> turns = new BoxIndex<>();
    }

    /** A part of some data. */
    private record Place(OfData data, Box box) {}

    /** Claims that add to a part in one replica, or that only read there; never none. */
    private static final class Sum implements Boxed {
        final Box box;
        final Replica replica;
        final boolean writes;
        final Set<ReplicaClaim> claims = new LinkedHashSet<>();
        /**
         * True if a task that wrote the replica has failed, so that its contents are of no use. No other claim can
         * begin with it until all these claims are over.
         */
        boolean spoilt;

        Sum(DataNeed need, Replica replica) {
            this.box = need.box();
            this.replica = replica;
            this.writes = need.writes();
        }

        boolean isFor(DataNeed need, Replica its) {
            return replica == its && writes == need.writes();
        }

        @Override
        public Box box() {
            return box;
        }
    }

    /**
     * Claims that are to add to a part in a space, in replicas for {@code room}, and that wait for others which add
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

    /** Returns true if others add to the same part elsewhere: then {@code claim} waits here until {@link #next}. */
    boolean holdBack(ReplicaClaim claim, Store store) {
        boolean wasFirst = claim.heldAs != 0;
        boolean held = wait(claim, store);
        if (held && wasFirst) {
            leave(claim); // others waited for it, and need not wait for the tasks that it waits for now
        }
        return held;
    }

    private boolean wait(ReplicaClaim claim, Store store) {
        for (int i = 0; i < claim.needs.size(); i++) {
            if (claim.needs.get(i).shares() && isExcluded(claim, i, store)) {
                Turn turn = turn(claim, i, store);
                claim.heldAs = claim.heldAs == 0 ? ++last : claim.heldAs;
                turn.held.put(claim.heldAs, claim);
                claim.turn = turn;
                return true;
            }
        }
        return false;
    }

    private static Turn turn(ReplicaClaim claim, int index, Store store) {
        Box box = claim.needs.get(index).box();
        Box room = claim.room(index);
        OfData data = of(store.directory(claim.needs.get(index).data()));
        Turn known = data.turns.exactly(box, one -> one.isFor(claim.space, room));
        if (known == null) {
            known = new Turn(data, box, room, claim.space);
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
     * Returns true if others add to some of the data of the need of that number, but in another replica, or where
     * adders take turns, or in lost data: a copy of the contents before would take away their additions.
     */
    private boolean isExcluded(ReplicaClaim claim, int index, Store store) {
        looks++;
        DataNeed need = claim.needs.get(index);
        Directory directory = store.directory(need.data());
        OfData data = directory.adders;
        if (data == null) {
            return false;
        }
        Replica own = directory.find(claim.space, claim.room(index), claim.space.usesParts);
        for (Sum sum : data.sums.meeting(need.box())) {
            boolean apart = own == null || sum.replica != own || own.space.addsInTurn() || sum.spoilt;
            if (apart && (need.writes() || sum.writes)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes that a task which wrote {@code replica} failed: additions of others there are lost with its half-done
     * output.
     */
    void spoilt(Replica replica, DataNeed failed) {
        OfData data = replica.directory.adders;
        if (data != null) {
            ReplicaClaim.Spoilt spoilt = new ReplicaClaim.Spoilt(replica, failed.box());
            for (Sum sum : data.sums.meeting(failed.box())) {
                if (sum.replica == replica) {
                    sum.spoilt = true;
                    sum.claims.forEach(claim -> claim.spoilt.add(spoilt));
                }
            }
        }
    }

    /** Notes that {@code claim} has its replicas. */
    void began(ReplicaClaim claim) {
        for (int i = 0; i < claim.needs.size(); i++) {
            if (claim.needs.get(i).shares()) {
                Replica replica = claim.memoryOf(i);
                DataNeed need = claim.needs.get(i);
                OfData data = of(replica.directory);
                Sum known = data.sums.exactly(need.box(), one -> one.isFor(need, replica));
                if (known == null) {
                    known = new Sum(need, replica);
                    data.sums.add(known);
                }
                known.claims.add(claim);
                known.spoilt |= isSpoilt(claim, replica, need.box()); // one that has given up other rights comes again
            }
        }
    }

    private static boolean isSpoilt(ReplicaClaim claim, Replica replica, Box box) {
        for (ReplicaClaim.Spoilt half : claim.spoilt) {
            if (half.replica() == replica && half.box().intersects(box)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes that {@code claim} is over, or does not want its replicas any more.
     *
     * @return true if it was held back until now
     */
    boolean ended(ReplicaClaim claim) {
        Turn turn = claim.turn;
        if (turn != null) {
            stepOut(claim, turn);
            return true;
        }
        leave(claim);
        return false;
    }

    /** Notes that {@code claim} adds no more, or not now. */
    private void leave(ReplicaClaim claim) {
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed need = claim.needs.get(i);
            OfData data = need.shares() && need.data().directory() instanceof Directory its ? its.adders : null;
            if (data == null) {
                continue;
            }
            Replica replica = claim.replicas[i];
            Sum sum = replica == null ? null : data.sums.exactly(need.box(), one -> one.isFor(need, replica));
            if (sum != null && sum.claims.remove(claim) && sum.claims.isEmpty()) {
                data.sums.remove(sum);
            }
            if (data.turns.size() > 0) {
                left.add(new Place(data, need.box()));
            }
        }
    }

    /** Ends the wait of a claim. */
    private static void stepOut(ReplicaClaim claim, Turn turn) {
        claim.turn = null;
        turn.held.remove(claim.heldAs);
        if (turn.held.isEmpty()) {
            turn.data.turns.remove(turn);
        }
    }

    /** Returns true if {@link #next} has something to examine. */
    boolean anyLeft() {
        return !left.isEmpty();
    }

    /** Takes out the claims that need not wait any more; of claims that wait for each other the first. */
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

    /** Returns true if {@code claim} waits for the same reason as the claims in {@code turn}. */
    private static boolean isIn(ReplicaClaim claim, Turn turn) {
        Turn its = Objects.requireNonNull(claim.turn);
        return its.data == turn.data && its.box.equals(turn.box) && its.isFor(turn.space, turn.room);
    }

    /** Returns true if a claim that is not over adds to some of the data of {@code need}, in {@code directory}. */
    boolean isAdding(Directory directory, DataNeed need) {
        OfData data = directory.adders;
        return need.shares()
                && data != null
                && data.sums.meeting(need.box()).stream().anyMatch(sum -> sum.writes);
    }

    long looks() {
        return looks;
    }
}
