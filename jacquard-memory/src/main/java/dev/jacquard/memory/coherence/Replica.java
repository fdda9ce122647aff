package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy.Entry;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory for a part of some data in one space. The {@link Atom}s know which of its parts are the newest.
 *
 * <p>Guarded by the lock of the {@link Coherence}, except for constant fields.
 */
final class Replica extends Entry implements Boxed {
    private static final int MOST_OLDER = 64;

    final Directory directory;
    final Space space;
    final Box box;
    /** The places of the box's elements in the memory. */
    final Layout layout;
    /** A segment, a device's buffer, or a place in a file: the space knows. */
    final Object memory;
    /** The bytes that the space accounts for; 0 for the user's own array, which stays. */
    final long bytes;

    /** The number of tasks that use it and of copies from and to it. */
    int pins;
    /** The number of these that are copies. */
    int copies;
    /** True while its newest parts are being written to another space, after which it goes. */
    boolean leaving;
    /** True if its contents are of no use, and no task finds it any more: it goes as soon as it is not in use. */
    boolean released;
    /** The number of copies on their way that write these parts. */
    int writing;
    /**
     * The failure of the write to its next space, after which it stays, with the parts that only it has; null when
     * there was none, or another task has come since.
     */
    @Nullable
    Throwable stuck;

    /** True if it cannot be written anywhere for now, and so another one is to go. Set while room is made. */
    boolean passedOver;
    /** Copies that write into it. */
    final List<Transfer> incoming = new ArrayList<>(0);
    /** Copies that read from it. */
    final List<Transfer> outgoing = new ArrayList<>(0);
    /** The number of live tasks that are to access it. */
    int wanted;
    /** Its place among the residents of its space; -1 when it is none of them. */
    int slot = -1;

    /** The pieces that it still has of versions that are not the newest: recomputation may begin with them. */
    final List<Piece> older = new ArrayList<>(0);
    /** The parts that careful copies, and tasks that run with it, write. */
    final List<Box> written = new ArrayList<>(0);
    /** The number of recomputations that read it: nothing may write into it while there are any. */
    int frozen;

    Replica(Directory directory, Space space, Box box, Layout layout, Object memory, long bytes) {
        this.directory = directory;
        this.space = space;
        this.box = box;
        this.layout = layout;
        this.memory = memory;
        this.bytes = bytes;
    }

    /** Returns the place of the first element of {@code part}, which is within the box, in the memory: in elements. */
    long offset(Box part) {
        long offset = layout.lead();
        for (int d = 0; d < part.dimensions(); d++) {
            offset += (part.from(d) - box.from(d)) * layout.stride(d);
        }
        return offset;
    }

    /** Notes a piece that it has and that is the newest no more. Only the last {@value #MOST_OLDER} are known. */
    void keep(Piece piece) {
        if (older.size() >= MOST_OLDER) {
            older.removeFirst();
        }
        older.add(piece);
    }

    /** Returns true if it has something of {@code part} that is the newest no more. */
    boolean hasOlder(Box part) {
        for (Piece piece : older) {
            if (piece.box().intersects(part)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if it has something of {@code piece}, which is the newest no more. */
    boolean hasOlder(Piece piece) {
        for (Piece one : older) {
            if (one.version() == piece.version() && one.box().intersects(piece.box())) {
                return true;
            }
        }
        return false;
    }

    /** Notes that something else comes where {@code part} is. */
    void overwrite(Box part) {
        for (Piece piece : List.copyOf(older)) {
            if (piece.box().intersects(part)) {
                older.remove(piece);
                piece.box().without(part).forEach(rest -> keep(new Piece(rest, piece.version(), piece.writer())));
            }
        }
    }

    /** Returns true if no task writes any of {@code part} right now. */
    boolean isStable(Box part) {
        for (Box box : written) {
            if (box.intersects(part)) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if a task or an enqueued kernel writes all of {@code part}. */
    boolean comes(Box part) {
        for (Box box : written) {
            if (box.contains(part)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Box box() {
        return box;
    }

    @Override
    public Data data() {
        return directory.data;
    }

    @Override
    public Box part() {
        return box;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean mayGo() {
        return pins == 0
                && !leaving
                && !passedOver
                && (stuck == null || Eviction.isElsewhere(this))
                && !(space.sparing && wanted > 0);
    }

    /** Keeps it, and where it is, until {@link #unpin}. */
    void pin() {
        pins++;
    }

    /** Undoes one {@link #pin}. */
    void unpin() {
        pins--;
        goIfReleased();
    }

    /** Keeps it, and its contents, until {@link #thaw}. */
    void freeze() {
        pins++;
        frozen++;
    }

    /** Undoes one {@link #freeze}. */
    void thaw() {
        frozen--;
        unpin();
    }

    /** Gives its memory back, at once or after its users. */
    void release() {
        released = true;
        if (pins > 0) {
            directory.going.add(this);
        }
        goIfReleased();
    }

    /** Gives its memory back if it was released and is not in use. */
    void goIfReleased() {
        if (released && pins == 0) {
            released = false;
            directory.going.remove(this);
            space.residents().giveBack(this);
        }
    }

    boolean isHome() {
        return bytes == 0;
    }

    @Override
    public String toString() {
        return directory.data.name() + box + " in " + space.name;
    }
}
