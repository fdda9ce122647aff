package dev.jacquard.flow.runtime;

/** The look for more items of a copy that is about to go to sleep. */
final class Lingering {
    /** The number of checks, with a pause after each: about a microsecond in all. */
    private static final int LOOKS = 4;

    private static final int SPINS = 8;
    private static final int ITEMS = 64;

    private Lingering() {}

    /**
     * Waits a moment for more items. Called before a copy goes to sleep that works through cheap items faster than
     * other threads send them: otherwise each item that is sent pays for a wake-up.
     */
    static void at(Stage stage) {
        for (int i = 0; stage.hasInboxes() && i < LOOKS && stage.backlog() < ITEMS && !stage.closed(); i++) {
            for (int j = 0; j < SPINS; j++) { // each look takes the sender's cache line away
                Thread.onSpinWait();
            }
        }
    }
}
