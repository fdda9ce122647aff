package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.Data;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one data: disjoint atoms that make up all of it, and the replicas.
 *
 * <p>An access cuts the atoms at its borders, so that it is made of whole ones; a write makes one of all that it wrote. So there are as many as
 * the accesses in use differ.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3 (time stamps of representations), for parts.
 */
final class Directory {
    final Data data;
    /** For who must not keep it alive. */
    final WeakReference<Directory> self = new WeakReference<>(this);

    final List<Replica> replicas = new ArrayList<>();
    /** Copies on their way, also of what has been written anew since. */
    final List<Copy> copies = new ArrayList<>();

    private final List<Atom> atoms = new ArrayList<>();

    /** The device of the task that was last submitted to write it; null before the first. */
    @Nullable
    DeviceSpace planned;

    Directory(Data data) {
        this.data = data;
        atoms.add(new Atom(data.box(), data.home() == null ? 0 : 1, null, List.of(), List.of()));
    }

    /** The user's array has the first version. */
    void home(Replica home) {
        replicas.add(home);
        atoms.getFirst().valid.add(home);
    }

    /** The atoms that {@code box} is made of. */
    List<Atom> cut(Box box) {
        if (atoms.size() == 1 && atoms.getFirst().box.equals(box)) {
            return List.of(atoms.getFirst());
        }
        List<Atom> within = new ArrayList<>();
        for (int i = atoms.size() - 1; i >= 0; i--) {
            Atom atom = atoms.get(i);
            if (box.contains(atom.box)) {
                within.add(atom);
            } else if (box.intersects(atom.box)) {
                remove(i);
                Atom inside = atom.part(atom.box.intersection(box));
                atom.box.without(box).forEach(rest -> atoms.add(atom.part(rest)));
                atom.arriving.forEach(copy -> copy.atoms.remove(atom));
                atoms.add(inside);
                within.add(inside);
            }
        }
        return within;
    }

    /** Whether {@code replica} has the newest of all of {@code box}. */
    boolean isValid(Box box, Replica replica) {
        for (Atom atom : atoms) {
            if (atom.box.intersects(box) && !atom.valid.contains(replica)) {
                return false;
            }
        }
        return true;
    }

    private void remove(int index) {
        Atom last = atoms.removeLast();
        if (index < atoms.size()) {
            atoms.set(index, last);
        }
    }

    /** All of {@code box} was written by {@code writer}, as the write of that number, and {@code replica} has it, unless its space is lost. */
    void written(Box box, Replica replica, long version, String writer) {
        List<Atom> old = cut(box);
        for (Atom atom : old) {
            for (Replica other : atom.valid) {
                if (other != replica) {
                    other.keep(atom.piece());
                }
            }
        }
        atoms.removeAll(old);
        atoms.add(
                new Atom(box, version, writer, replica.space.lost() == null ? List.of(replica) : List.of(), List.of()));
    }

    /** What {@code replica} has of {@code box} is worth nothing any more. */
    void spoilt(Box box, Replica replica) {
        for (Atom atom : cut(box)) {
            atom.valid.remove(replica);
            atom.beingWritten = false;
        }
    }

    /** A copy that will write into {@code box} of {@code replica}; null when there is none. */
    @Nullable
    Copy writingInto(Replica replica, Box box) {
        for (Copy copy : copies) {
            if (copy.to == replica && copy.box.intersects(box)) {
                return copy;
            }
        }
        return null;
    }

    /** The atoms that have something in common with {@code box}. */
    List<Atom> meeting(Box box) {
        return atoms.stream().filter(atom -> atom.box.intersects(box)).toList();
    }

    /** All replicas. */
    List<Replica> all() {
        return replicas;
    }

    /** The atoms of which {@code replica} has the newest version. */
    List<Atom> heldBy(Replica replica) {
        return atoms.stream().filter(atom -> atom.valid.contains(replica)).toList();
    }

    /** A replica in {@code space} that holds {@code box}: one that is larger only if {@code larger}. */
    @Nullable
    Replica find(Space space, Box box, boolean larger) {
        for (Replica replica : replicas) {
            if (replica.space == space && (larger ? replica.box.contains(box) : replica.box.equals(box))) {
                return replica;
            }
        }
        return null;
    }

    /** Nobody has any of it any more. */
    void forget(Replica replica) {
        replicas.remove(replica);
        for (Atom atom : atoms) {
            atom.valid.remove(replica);
        }
    }
}
