package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Box;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of some data that has not been cut by any access so far: each replica has all of its newest version, or nothing.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Atom implements Boxed {
    final Box box;
    /** Counts the writes; 0 when nobody has written it. */
    final long version;
    /** Who has this version. */
    final List<Replica> valid;
    /** Copies on their way. */
    final List<Copy> arriving;
    /** A task writes it: what replicas have of it need not be saved, and must not be written over what the task writes. */
    boolean beingWritten;

    Atom(Box box, long version, List<Replica> valid, List<Copy> arriving) {
        this.box = box;
        this.version = version;
        this.valid = new ArrayList<>(valid);
        this.arriving = new ArrayList<>(arriving);
    }

    @Override
    public Box box() {
        return box;
    }

    /** A part of it. */
    Atom part(Box part) {
        Atom made = new Atom(part, version, valid, arriving);
        made.beingWritten = beingWritten;
        for (Copy copy : arriving) {
            copy.atoms.add(made);
        }
        return made;
    }
}
