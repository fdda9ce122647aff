package dev.jacquard.apps.replay.program;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a task touches a resource. Source: the resource-register document, section 4.2, table 1. */
public enum AccessMode {
    /** Reads; readers run side by side. */
    READ(true, false),
    /** Reads and writes. */
    WRITE(true, true),
    /** Writes everything without reading; conflicts like {@link #WRITE}. */
    OVERWRITE(false, true),
    /** Adds, or subtracts, atomically: adders run side by side. */
    ADD(true, true),
    /** Multiplies, or divides, atomically: multipliers run side by side. */
    MUL(true, true),
    /** Touches nothing. */
    NONE(false, false);

    private final boolean reads;
    private final boolean writes;

    AccessMode(boolean reads, boolean writes) {
        this.reads = reads;
        this.writes = writes;
    }

    /** Whether what was there before matters. */
    public boolean reads() {
        return reads;
    }

    /** Whether what comes later can tell the difference. */
    public boolean writes() {
        return writes;
    }

    /** Whether two tasks that do this and {@code other} to the same place need an order, or exclude each other. */
    public boolean conflictsWith(AccessMode other) {
        if (this == NONE || other == NONE) {
            return false;
        }
        boolean sideBySide = this == other && (this == READ || this == ADD || this == MUL);
        return !sideBySide;
    }

    /** Whether who may do this may do {@code other}: all that conflicts with {@code other} conflicts with this. */
    public boolean covers(AccessMode other) {
        return other == NONE || this == WRITE || this == OVERWRITE || this == other;
    }

    /** As files write it: {@code "read"}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them as files write them. */
    public static List<String> texts() {
        return Arrays.stream(values()).map(AccessMode::text).toList();
    }
}
