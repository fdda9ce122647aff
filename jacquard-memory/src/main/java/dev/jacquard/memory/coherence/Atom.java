package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of some data that has not been cut by any access so far: each replica has all of its newest version, or
 * nothing.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Atom implements Boxed {
    final Box box;
    /** The number of the write that made it, of all in the session; 0 when it was never written. */
    final long version;
    /** The task that wrote it; null when the user did, or it was never written. */
    final @Nullable String writer;
    /** The replicas that have this version. */
    final List<Replica> valid;
    /** Copies on their way. */
    final List<Transfer> arriving;
    /**
     * True while a task writes it: its contents in replicas need not be saved, and must not be written over the output
     * of the task.
     */
    boolean beingWritten;
    /** True if no memory has it and the failure of a task has said so. */
    boolean lossTold;

    Atom(Box box, long version, @Nullable String writer, List<Replica> valid, List<Transfer> arriving) {
        this.box = box;
        this.version = version;
        this.writer = writer;
        this.valid = new ArrayList<>(valid);
        this.arriving = new ArrayList<>(arriving);
    }

    /** True if neither the user nor a task has written it. */
    boolean isUnwritten() {
        return version == 0 && valid.isEmpty();
    }

    Piece piece() {
        return new Piece(box, version, writer);
    }

    @Override
    public Box box() {
        return box;
    }

    /** A part of it. */
    Atom part(Box part) {
        Atom made = new Atom(part, version, writer, valid, arriving);
        made.beingWritten = beingWritten;
        made.lossTold = lossTold;
        for (Transfer copy : arriving) {
            copy.atoms.add(made);
        }
        return made;
    }
}
