package dev.jacquard.components.program;

/** Shows a user how far a component is. Any thread may call it; calls are cheap. */
public interface Progress {
    /** Ignores all calls. */
    Progress NONE = new Progress() {
        @Override
        public void start(String stage, long steps) {}

        @Override
        public void advance(long steps) {}
    };

    /** The number of steps of a stage with an unknown number. */
    long UNKNOWN = 0;

    /**
     * Begins a stage, and ends the one before, if any.
     *
     * @param steps their number, or {@link #UNKNOWN}: then the name of the stage alone is shown
     */
    void start(String stage, long steps);

    /** Counts {@code steps} more steps of the stage as done. */
    void advance(long steps);

    /** Ends the stage, if any: nothing is shown until the next one begins. */
    default void end() {}

    /** Shows a line that stays. */
    default void note(String line) {}

    /** Returns the progress of the part of a program of that name, which is reported next to that of other parts. */
    default Progress part(String name) {
        return this;
    }
}
