package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One transfer: a part of some data, from a replica to another. Both are pinned while it lasts.
 *
 * <p>Guarded by the lock of the {@link Coherence}, except for constant fields.
 */
final class Transfer {
    final Replica from;
    final Replica to;
    final Box box;
    /** The atoms that arrive with it: one at first, more when that is cut before it arrives. */
    final List<Atom> atoms = new ArrayList<>();

    private final TransferPath path;
    /** True if the target stays as it is unless the transfer ends well: recomputation may need its contents. */
    final boolean careful;
    /** True if bytes have arrived, though they may be damaged. Written by the thread that hears of the end. */
    boolean arrived;
    /**
     * The space with the checksum that is read, once bytes have arrived; null before. Written like {@link #arrived}.
     */
    @Nullable
    Space summed;
    /** True if it was begun for a task before that was ready, or by a prefetch. */
    boolean ahead;
    /** True if a task had to wait for it though it was begun early. */
    boolean late;
    /** The number of tries that failed. Written by the thread that hears of the end. */
    int failures;
    /** The tasks that wait for the transfer. */
    final List<ReplicaClaim> waiting = new ArrayList<>(1);
    /** The actions when it is over, under the lock: with the failure or null. */
    final List<Consumer<@Nullable Throwable>> whenOver = new ArrayList<>(0);

    Transfer(Replica from, Replica to, Atom atom, Lineage lineage) {
        TransferPath path = path(from, to);
        boolean careful = path.canBeCareful() && to.hasOlder(atom.box) && lineage.mayBeginWith(to, atom.piece());
        this(from, to, atom.box, path, careful);
        atoms.add(atom);
    }

    /** Makes a transfer with which no atom arrives. The spaces must have a path. */
    Transfer(Replica from, Replica to, Box box) {
        this(from, to, box, path(from, to), false);
    }

    private Transfer(Replica from, Replica to, Box box, TransferPath path, boolean careful) {
        this.from = from;
        this.to = to;
        this.box = box;
        this.path = path;
        this.careful = careful;
    }

    private static TransferPath path(Replica from, Replica to) {
        return Objects.requireNonNull(from.space.pathTo(to.space));
    }

    /**
     * Moves the bytes. Without the lock.
     *
     * @param then called when they are there, with null, or with the failure; by any thread
     */
    void move(Consumer<@Nullable Throwable> then) {
        summed = null;
        path.move(from.memory, to.memory, Shapes.of(from, to, box), careful, then);
    }

    /** Returns true if the bytes pass through host memory that belongs to neither space. */
    boolean isStaged() {
        return path.isStaged(from.memory, to.memory, careful);
    }

    /** Returns the space with the device that {@code error} reports lost; null when it reports none. */
    @Nullable
    Space lostBy(Throwable error) {
        if (DeviceLostException.in(error) == null) {
            return null;
        }
        return summed != null ? summed : path.lost(from.space, error instanceof DeviceLostException);
    }

    long bytes() {
        return box.elements() * from.directory.data.layout().type().bytes();
    }

    @Override
    public String toString() {
        return from.directory.data.name() + box + " from " + from.space.name + " to " + to.space.name;
    }
}
