package dev.jacquard.core.access;

/** An access to a whole resource. */
public enum Mode implements Access {
    /** Reads; readers run side by side. */
    READ(true, false),
    /** Reads and writes. */
    WRITE(true, true),
    /** Writes everything without reading: conflicts like {@link #WRITE}, but does not need what was there. */
    OVERWRITE(false, true);

    private final boolean reads;
    private final boolean writes;

    Mode(boolean reads, boolean writes) {
        this.reads = reads;
        this.writes = writes;
    }

    @Override
    public boolean conflictsWith(Access earlier) {
        return writes || earlier.writes();
    }

    @Override
    public boolean covers(Access other) {
        return writes || !other.writes();
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
