package dev.jacquard.memory.access;

/**
 * The built-in accesses to a whole resource.
 *
 * <p>Two of them conflict unless both read, both add, both multiply, or one does nothing. One may be demoted to a mode
 * that it covers:
 *
 * <pre>
 *                       ┌─▶ READ ─┐
 *  UPDATE ◀─▶ WRITE ────┼─▶ ADD  ─┼─▶ NONE
 *                       └─▶ MUL  ─┘
 * </pre>
 *
 * <p>Source: the resource-register document, table 1 and section 7.1.1.
 */
public enum Mode implements Access {
    /** Reads; readers run side by side. */
    READ(Bits.READ, true, false, Bits.ANY - Bits.READ, Bits.READ),
    /** Reads and writes. */
    UPDATE(Bits.UPDATE, true, true, Bits.ANY, Bits.ANY),
    /**
     * Writes everything without reading: conflicts like {@link #UPDATE}, but does not need the contents from before.
     */
    WRITE(Bits.WRITE, false, true, Bits.ANY, Bits.ANY),
    /** Adds or subtracts; tasks that add run side by side, so the body must add to each element atomically. */
    ADD(Bits.ADD, true, true, Bits.ANY - Bits.ADD, Bits.ADD),
    /** Multiplies or divides; like {@link #ADD}, side by side with its own kind only. */
    MUL(Bits.MUL, true, true, Bits.ANY - Bits.MUL, Bits.MUL),
    /** Does nothing: conflicts with nothing, and everything covers it. */
    NONE(Bits.NONE, false, false, 0, 0);

    /** Stands for this mode in sets of modes. */
    final int bit;

    private final boolean reads;
    private final boolean writes;
    /** The modes with which this one conflicts. */
    private final int conflicts;
    /** The modes that this one covers. */
    private final int covered;

    Mode(int bit, boolean reads, boolean writes, int conflicts, int covered) {
        this.bit = bit;
        this.reads = reads;
        this.writes = writes;
        this.conflicts = conflicts;
        this.covered = covered | Bits.NONE;
    }

    /** Sets of modes. Apart, since the constants of an enum cannot name static fields of their own. */
    private static final class Bits {
        static final int READ = 1;
        static final int UPDATE = 1 << 1;
        static final int WRITE = 1 << 2;
        static final int ADD = 1 << 3;
        static final int MUL = 1 << 4;
        static final int NONE = 1 << 5;
        /** Whatever does something. */
        static final int ANY = READ | UPDATE | WRITE | ADD | MUL;
    }

    /** Returns the mode that an access of an unknown kind counts as, by whether it reads and writes; none is atomic. */
    public static Mode ofStranger(Access access) {
        return of(access.reads(), access.writes());
    }

    static Mode of(boolean reads, boolean writes) {
        if (writes) {
            return reads ? UPDATE : WRITE;
        }
        return reads ? READ : NONE;
    }

    @Override
    public boolean conflictsWith(Access earlier) {
        Mode other = earlier instanceof Mode mode ? mode : wholeOf(earlier);
        return (conflicts & other.bit) != 0;
    }

    @Override
    public boolean covers(Access other) {
        Mode part = other instanceof Mode mode ? mode : wholeOf(other);
        return (covered & part.bit) != 0;
    }

    /** The mode of an access to a part, or the mode that stands for a kind that is unknown here. */
    private static Mode wholeOf(Access access) {
        Access whole = access.whole();
        return whole instanceof Mode mode ? mode : ofStranger(whole);
    }

    @Override
    public boolean reads() {
        return reads;
    }

    @Override
    public boolean writes() {
        return writes;
    }
}
