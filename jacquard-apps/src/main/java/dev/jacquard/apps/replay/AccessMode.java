package dev.jacquard.apps.replay;

/**
 * How a task touches a resource. Program files call the two that write by the terms of the source: {@code write} reads
 * as well, {@code overwrite} does not.
 *
 * <p>Source: the resource-register document, section 4.2, table 1.
 */
enum AccessMode {
    /** Reads; readers run side by side. */
    READ("read", true, false),
    /** Reads and writes. */
    UPDATE("write", true, true),
    /** Writes everything without reading; conflicts like {@link #UPDATE}. */
    WRITE("overwrite", false, true),
    /** Adds, or subtracts, atomically: adders run side by side. */
    ADD("add", true, true),
    /** Multiplies, or divides, atomically: multipliers run side by side. */
    MUL("mul", true, true),
    /** Touches nothing. */
    NONE("none", false, false);

    private final String text;
    private final boolean reads;
    private final boolean writes;

    AccessMode(String text, boolean reads, boolean writes) {
        this.text = text;
        this.reads = reads;
        this.writes = writes;
    }

    /** Returns true if the task sees the earlier contents. */
    public boolean reads() {
        return reads;
    }

    /** Returns true if later tasks can see a difference. */
    public boolean writes() {
        return writes;
    }

    /** Returns true if tasks with this mode and {@code other} at one place need an order, or exclude each other. */
    public boolean conflictsWith(AccessMode other) {
        if (this == NONE || other == NONE) {
            return false;
        }
        boolean sideBySide = this == other && (this == READ || this == ADD || this == MUL);
        return !sideBySide;
    }

    /**
     * Returns true if this mode allows {@code other}, too: all that conflicts with {@code other} conflicts with this.
     */
    public boolean covers(AccessMode other) {
        return other == NONE || this == UPDATE || this == WRITE || this == other;
    }

    /** As files write it: {@code "read"}. */
    public String text() {
        return text;
    }
}
