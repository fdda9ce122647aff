package dev.jacquard.apps.program;

/** What a component tells a user who waits. Any thread may call it; calls are cheap. */
public interface Progress {
    /** Tells nobody. */
    Progress NONE = new Progress() {
        @Override
        public void start(String stage, long steps) {}

        @Override
        public void advance(long steps) {}
    };

    /** A new stage begins, of so many steps; the one before, if any, is over. */
    void start(String stage, long steps);

    /** So many more steps of the stage are done. */
    void advance(long steps);
}
