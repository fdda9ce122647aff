package dev.jacquard.memory.coherence;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.List;

/** One access of a task to data; one that writes concurrently with others also reads. */
record DataNeed(Data data, Box box, boolean reads, boolean writes, Beside beside) {
    /** The tasks that may write the same part while this task has it. */
    enum Beside {
        /** None. */
        NONE,
        /** Others that add, or multiply, atomically: the contents left when one of them fails are of no use. */
        ADDERS,
        /** Others of which an access kind of the user's says that they write other elements. */
        STRANGERS
    }

    DataNeed(Data data, Box box, boolean reads, boolean writes) {
        this(data, box, reads, writes, Beside.NONE);
    }

    /** The needs of the accesses to data among {@code accesses}. */
    static List<DataNeed> of(AccessList accesses) {
        List<DataNeed> needs = new ArrayList<>(accesses.size());
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data) {
                needs.add(of(data, accesses.access(i)));
            }
        }
        return needs;
    }

    private static DataNeed of(Data data, Access access) {
        boolean reads = access.reads();
        boolean writes = access.writes();
        Beside beside = beside(access, reads, writes);
        boolean keeps = writes && beside == Beside.STRANGERS; // the elements that it does not write
        return new DataNeed(data, Parts.box(data, access), reads || keeps, writes, beside);
    }

    private static Beside beside(Access access, boolean reads, boolean writes) {
        if (!reads && !writes) {
            return Beside.NONE;
        }
        if (!Parts.isBuiltIn(access)) {
            return Beside.STRANGERS;
        }
        return access.whole() == Mode.ADD || access.whole() == Mode.MUL ? Beside.ADDERS : Beside.NONE;
    }

    /** Returns true if other tasks may write the same part while this task has it. */
    boolean shares() {
        return beside != Beside.NONE;
    }

    /** Returns the need for all of {@code larger} in the place of this box. */
    DataNeed within(Box larger) {
        return larger.equals(box) ? this : new DataNeed(data, larger, reads, writes, beside);
    }

    /** Returns the need that also reads the contents. */
    DataNeed reading() {
        return reads ? this : new DataNeed(data, box, writes, writes, beside);
    }

    /** True if it was given up. */
    boolean isNone() {
        return !reads && !writes;
    }

    /** Returns the bytes of its elements, as a copy moves them; 0 for a need that is given up. */
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
