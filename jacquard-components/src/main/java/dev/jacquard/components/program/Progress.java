package dev.jacquard.components.program;

/** Tells a user how far a component is. Any thread may call it; calls are cheap. */
public interface Progress {
    /** Ignores all calls. */
    Progress NONE = new Progress() {
        @Override
        public void start(String stage, long steps) {}

        @Override
        public void advance(long steps) {}
    };

    /** Begins a stage of {@code steps} steps, and ends the one before, if any. */
    void start(String stage, long steps);

    /** Counts {@code steps} more steps of the stage as done. */
    void advance(long steps);

    /** Ends the stage, if any: there is nothing to tell until the next one begins. */
    default void end() {}

    /** Returns the progress of the part of a program of that name, which is reported next to that of other parts. */
    default Progress part(String name) {
        return this;
    }
}
