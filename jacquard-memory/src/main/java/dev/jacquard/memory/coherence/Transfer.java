package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One transfer: a part of some data, from a replica to another. Both are pinned while it lasts.
 *
 * <p>Guarded by the lock of the {@link Coherence}, but for what is constant.
 */
final class Transfer {
    final Replica from;
    final Replica to;
    final Box box;
    /** What arrives with it: one atom at first, more when that is cut meanwhile. */
    final List<Atom> atoms = new ArrayList<>();
    /** Whether what is at its end stays as it is unless it ends well: recomputation may need that. */
    final boolean careful;
    /** Whether something has arrived, though it may be damaged. By whoever hears of its end. */
    boolean arrived;
    /** How often it failed. By whoever hears of its end. */
    int failures;
    /** Tasks that wait for it. */
    final List<ReplicaClaim> waiting = new ArrayList<>(1);
    /** What is to be done, under the lock, when it is over: with what went wrong or null. */
    final List<Consumer<@Nullable Throwable>> whenOver = new ArrayList<>(0);

    Transfer(Replica from, Replica to, Atom atom) {
        this(from, to, atom.box);
        atoms.add(atom);
    }

    /** One with which no atom arrives. */
    Transfer(Replica from, Replica to, Box box) {
        this.from = from;
        this.to = to;
        this.box = box;
        this.careful = from.space instanceof DeviceSpace && to.space instanceof HostSpace && to.hasOlder(box);
    }

    long bytes() {
        return box.elements() * from.directory.data.layout().type().bytes();
    }

    @Override
    public String toString() {
        return from.directory.data.name() + box + " from " + from.space.name + " to " + to.space.name;
    }
}
