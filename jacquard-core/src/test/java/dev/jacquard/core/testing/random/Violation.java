package dev.jacquard.core.testing.random;

/** Something that must not happen. */
record Violation(Kind kind, String text) {
    /** The kinds of violations. */
    enum Kind {
        /** Two conflicting bodies ran at the same time. */
        OVERLAP,
        /** A body ran where it must not. */
        PLACE,
        /** A body ran on when its task was over. */
        OUTLIVED,
        /** A body ran when its session was closed. */
        AFTER_CLOSE,
        /** A task ended otherwise than it must. */
        STATE,
        /** Cells hold something else than after a sequential run. */
        VALUE,
        /** A task waited for nothing, or did not wait. */
        READY,
        /** An execution of a component or an item began too early, or their program ended otherwise than it must. */
        COMPONENTS,
        /** The engine threw what it must not. */
        ERROR,
        /** Something is not over in time. */
        HANG;

        /** True if it must not happen in a run either that is ended in the midst of it. */
        boolean holdsAlways() {
            return switch (this) {
                case OVERLAP, PLACE, OUTLIVED, AFTER_CLOSE, HANG -> true;
                case STATE, VALUE, READY, COMPONENTS, ERROR -> false;
            };
        }
    }

    @Override
    public String toString() {
        return kind + " " + text;
    }
}
