package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The atoms of one data, which are disjoint and make up all of it, and its replicas.
 *
 * <p>An access cuts the atoms at its borders, so that it is made of whole ones; a write makes one of all that it wrote.
 * So there are as many as the accesses in use differ.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3 (time stamps of representations), for parts.
 */
final class Directory {
    final Data data;
    /** A reference for lineage, which must not keep it alive. */
    final WeakReference<Directory> self = new WeakReference<>(this);

    final BoxIndex<Replica> replicas = new BoxIndex<>();
    private final BoxIndex<Atom> atoms = new BoxIndex<>();
    /** The user's array; null where there is none. Written when the directory is made. */
    private @Nullable Replica home;

    /** The writes that live tasks have announced. */
    final LiveWrites writes = new LiveWrites();
    /** The parts that live tasks are to access on devices. */
    final BoxIndex<Want> wants = new BoxIndex<>();
    /** The claims that rest with it, or have rested and are in use: the eldest first. */
    final List<ReplicaClaim> resting = new ArrayList<>(0);
    /** Tasks that add to it; null before the first. */
    Adders.@Nullable OfData adders;
    /** Replicas that go after their users. */
    final List<Replica> going = new ArrayList<>(0);
    /** True once the contents of the data were released. */
    boolean wasReleased;
    /** True when the data is freed, or about to be: no task may have it. */
    boolean retired;
    /** True once its replicas were dropped for good: there is to be none any more but the home. */
    boolean gone;

    /** In checking mode, where there is a home. */
    @Nullable
    HomeChecksum watch;

    Directory(Data data) {
        this.data = data;
        atoms.add(new Atom(data.box(), data.home() == null ? 0 : 1, null, List.of(), List.of()));
    }

    /** Sets the replica that is the user's array, which has the first version. */
    void home(Replica its) {
        home = its;
        replicas.add(its);
        atoms.all().getFirst().valid.add(its);
    }

    /** The atoms that {@code box} is made of. */
    List<Atom> cut(Box box) {
        Atom same = atoms.exactly(box, any -> true);
        if (same != null) {
            return List.of(same);
        }
        List<Atom> within = new ArrayList<>();
        for (Atom atom : atoms.meeting(box)) {
            if (box.contains(atom.box)) {
                within.add(atom);
            } else {
                atoms.remove(atom);
                Atom inside = atom.part(atom.box.intersection(box));
                atom.box.without(box).forEach(rest -> atoms.add(atom.part(rest)));
                atom.arriving.forEach(copy -> copy.atoms.remove(atom));
                atoms.add(inside);
                within.add(inside);
            }
        }
        return within;
    }

    /** Returns the atom that is {@code box}; null where it is several, or a part of one. */
    @Nullable
    Atom atom(Box box) {
        return atoms.exactly(box, any -> true);
    }

    /** The atoms that have something of {@code box}, uncut: a list of the caller's own. */
    List<Atom> meeting(Box box) {
        return atoms.meeting(box);
    }

    /** Returns true if {@code replica} has the newest of all of {@code box}. */
    boolean isValid(Box box, Replica replica) {
        Atom same = atoms.exactly(box, any -> true);
        if (same != null) {
            return same.valid.contains(replica);
        }
        for (Atom atom : atoms.meeting(box)) {
            if (!atom.valid.contains(replica)) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if {@code piece} is the newest, and memories that are no device's have all of it. */
    boolean isOnHost(Piece piece) {
        for (Atom atom : atoms.meeting(piece.box())) {
            if (atom.version != piece.version()
                    || atom.valid.stream().allMatch(replica -> replica.space.device() != null)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Notes that {@code writer} wrote all of {@code box} into {@code replica}, which has it unless its space is lost.
     *
     * @param version the number of the write
     */
    void written(Box box, Replica replica, long version, String writer) {
        if (replica.released) {
            return; // its contents were given up, concurrently with a run without a place
        }
        List<Atom> old = cut(box);
        for (Atom atom : old) {
            for (Replica other : atom.valid) {
                if (other != replica) {
                    other.keep(atom.piece());
                }
            }
        }
        old.forEach(atoms::remove);
        boolean there = replica.space.lost == null;
        atoms.add(new Atom(box, version, writer, there ? List.of(replica) : List.of(), List.of()));
    }

    /** Notes that the contents of {@code box} in {@code replica} are of no use any more. */
    void spoilt(Box box, Replica replica) {
        if (replica.released) {
            return;
        }
        for (Atom atom : cut(box)) {
            atom.valid.remove(replica);
            atom.beingWritten = false;
            atom.lossTold = atom.valid.isEmpty(); // by the task that failed
        }
    }

    /**
     * Notes that the contents of {@code box} in {@code replica} may have been written by a task that was cancelled: the
     * output of an earlier task that ended well may be lost with that, and no task reports it.
     */
    void overtaken(Box box, Replica replica) {
        for (Atom atom : cut(box)) {
            atom.valid.remove(replica);
            atom.beingWritten = false;
        }
    }

    /** Notes that a task has failed since no memory has {@code lost}, which it was to read. */
    void lossTold(Piece lost) {
        for (Atom atom : atoms.meeting(lost.box())) {
            atom.lossTold |= atom.version == lost.version();
        }
    }

    /** A copy that will write into {@code box} of {@code replica}; null when there is none. */
    @Nullable
    Transfer writingInto(Replica replica, Box box) {
        for (int i = 0; i < replica.incoming.size(); i++) {
            Transfer copy = replica.incoming.get(i);
            if (copy.box.intersects(box)) {
                return copy;
            }
        }
        return null;
    }

    /** A copy that reads some of {@code box} in {@code replica}; null when there is none. */
    @Nullable
    Transfer readingFrom(Replica replica, Box box) {
        for (int i = 0; i < replica.outgoing.size(); i++) {
            Transfer copy = replica.outgoing.get(i);
            if (copy.box.intersects(box)) {
                return copy;
            }
        }
        return null;
    }

    /**
     * Returns true if no task or enqueued kernel writes any of {@code box} right now in other memory than {@code own}.
     */
    boolean isStableBeside(Replica own, Box box) {
        for (Replica replica : replicas.meeting(box)) {
            if (replica != own && !replica.isStable(box)) {
                return false;
            }
        }
        return true;
    }

    /** All replicas. */
    List<Replica> all() {
        return replicas.all();
    }

    /** The atoms of which {@code replica} has the newest version. */
    List<Atom> heldBy(Replica replica) {
        List<Atom> held = atoms.meeting(replica.box);
        held.removeIf(atom -> !atom.valid.contains(replica));
        return held;
    }

    /**
     * Returns a replica in {@code space} that holds {@code box}; one that is larger only if {@code larger}. In the
     * space of the home it is the home, so that the newest is there, whatever safekeeping has put next to it.
     */
    @Nullable
    Replica find(Space space, Box box, boolean larger) {
        if (home != null && home.space == space && larger) {
            return home;
        }
        Replica same = replicas.exactly(box, replica -> replica.space == space);
        return same == null && larger ? replicas.containing(box, replica -> replica.space == space) : same;
    }

    /** Removes a replica from the replicas and from all atoms. */
    void forget(Replica replica) {
        replicas.remove(replica);
        for (Atom atom : atoms.meeting(replica.box)) {
            atom.valid.remove(replica);
        }
    }

    /** Forgets all writes and all replicas. */
    void reset() {
        replicas.all().forEach(replicas::remove);
        atoms.all().forEach(atoms::remove);
        atoms.add(new Atom(data.box(), 0, null, List.of(), List.of()));
    }

    /** Returns a picture of the atoms and replicas, for people. */
    ReplicaLocations whereabouts() {
        List<ReplicaLocations.Part> parts = new ArrayList<>();
        for (Atom atom : atoms.all()) {
            List<String> newest = atom.valid.stream()
                    .map(replica -> replica.space.name)
                    .distinct()
                    .toList();
            parts.add(new ReplicaLocations.Part(atom.box, atom.version, newest, atom.beingWritten));
        }
        List<ReplicaLocations.Held> held = new ArrayList<>();
        for (Replica replica : replicas.all()) {
            held.add(new ReplicaLocations.Held(
                    replica.space.name,
                    replica.box,
                    replica.isHome(),
                    replica.bytes,
                    isValid(replica.box, replica),
                    replica.pins));
        }
        return new ReplicaLocations(parts, held);
    }
}
