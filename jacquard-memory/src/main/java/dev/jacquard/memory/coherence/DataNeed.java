package dev.jacquard.memory.coherence;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.List;

/** One access of a task to data; one that adds, or multiplies, also reads and writes. */
record DataNeed(Data data, Box box, boolean reads, boolean writes, boolean adds) {
    DataNeed(Data data, Box box, boolean reads, boolean writes) {
        this(data, box, reads, writes, false);
    }

    /** The needs of those among {@code accesses} that are to data. */
    static List<DataNeed> of(AccessList accesses) {
        List<DataNeed> needs = new ArrayList<>(accesses.size());
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data) {
                Access access = accesses.access(i);
                Access whole = access.whole();
                boolean adds = whole == Mode.ADD || whole == Mode.MUL;
                needs.add(new DataNeed(data, Parts.box(data, access), access.reads(), access.writes(), adds));
            }
        }
        return needs;
    }

    /** Returns the need for all of {@code larger} in the place of this box. */
    DataNeed within(Box larger) {
        return larger.equals(box) ? this : new DataNeed(data, larger, reads, writes, adds);
    }

    /** True if it was given up. */
    boolean isNone() {
        return !reads && !writes;
    }

    /** Returns the bytes of a replica for just this; 0 for what is given up. */
    long bytes() {
        return isNone() ? 0 : box.elements() * data.layout().type().bytes();
    }

    /** Returns how many bytes {@code needs} are for, each for itself. */
    static long bytes(List<DataNeed> needs) {
        long bytes = 0;
        for (DataNeed need : needs) {
            bytes += need.bytes();
        }
        return bytes;
    }
}
