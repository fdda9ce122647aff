package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CacheEntry;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory for a part of some data in one space. What of it is the newest is known by the {@link Atom}s.
 *
 * <p>Guarded by the lock of the {@link Coherence}, but for what is constant.
 */
final class Replica extends CacheEntry implements Boxed {
    private static final int MOST_OLDER = 64;

    final Directory directory;
    final Space space;
    final Box box;
    /** Where the elements of the box lie in the memory. */
    final Layout layout;
    /** A segment, a device's buffer, or a place in a file: the space knows. */
    final Object memory;
    /** How much the space accounts for; 0 for the user's own array, which stays. */
    final long bytes;

    /** Tasks that use it and copies from and to it. */
    int pins;
    /** How many of these are copies. */
    int copies;
    /** Its newest parts are being written to another space, behind which it goes. */
    boolean leaving;
    /** What it holds is worth nothing, and nobody finds it any more: it goes as soon as nobody uses it. */
    boolean released;
    /** How many copies that write them are on their way. */
    int writing;
    /** It cannot be written anywhere for now, and so another one is to go. Set while room is made. */
    boolean passedOver;
    /** Copies that write into it. */
    final List<Transfer> incoming = new ArrayList<>(0);
    /** Copies that read from it. */
    final List<Transfer> outgoing = new ArrayList<>(0);
    /** How many live tasks are to access it. */
    int wanted;
    /** Where it stands among the residents of its space; -1 for none of them. */
    int slot = -1;

    /** What it still has of versions that are not the newest: where recomputation may begin. */
    final List<Piece> older = new ArrayList<>(0);
    /** What tasks that run with it write, and careful copies. */
    final List<Box> written = new ArrayList<>(0);
    /** How many recomputations read it: nobody may write into it meanwhile. */
    int frozen;

    Replica(Directory directory, Space space, Box box, Layout layout, Object memory, long bytes) {
        this.directory = directory;
        this.space = space;
        this.box = box;
        this.layout = layout;
        this.memory = memory;
        this.bytes = bytes;
    }

    /** Where the first element of {@code part}, which is within the box, lies in the memory: in elements. */
    long offset(Box part) {
        long offset = 0;
        for (int d = 0; d < part.dimensions(); d++) {
            offset += (part.from(d) - box.from(d)) * layout.stride(d);
        }
        return offset;
    }

    /** It has this, which is the newest no more. Only so many are known. */
    void keep(Piece piece) {
        if (older.size() >= MOST_OLDER) {
            older.removeFirst();
        }
        older.add(piece);
    }

    /** Whether it has something of {@code part} that is the newest no more. */
    boolean hasOlder(Box part) {
        for (Piece piece : older) {
            if (piece.box().intersects(part)) {
                return true;
            }
        }
        return false;
    }

    /** Something else comes where {@code part} is. */
    void overwrite(Box part) {
        for (Piece piece : List.copyOf(older)) {
            if (piece.box().intersects(part)) {
                older.remove(piece);
                piece.box().without(part).forEach(rest -> keep(new Piece(rest, piece.version(), piece.writer())));
            }
        }
    }

    /** Whether no task writes any of {@code part} right now. */
    boolean isStable(Box part) {
        for (Box box : written) {
            if (box.intersects(part)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a task writes all of {@code part}, or a device was told to. */
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
        return pins == 0 && !leaving && !passedOver && !(space.sparing && wanted > 0);
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

    /** Keeps it, and what it holds, until {@link #thaw}. */
    void freeze() {
        pins++;
        frozen++;
    }

    /** Undoes one {@link #freeze}. */
    void thaw() {
        frozen--;
        unpin();
    }

    /** Gives its memory back, at once or behind the copies that use it. */
    void release() {
        released = true;
        directory.going++;
        goIfReleased();
    }

    /** Gives its memory back if it was released and is not in use. */
    void goIfReleased() {
        if (released && pins == 0) {
            released = false;
            directory.going--;
            space.giveBack(this);
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
