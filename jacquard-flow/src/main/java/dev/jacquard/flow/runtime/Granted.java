package dev.jacquard.flow.runtime;

/**
 * An item with the buffers that were granted for it: what the queue of a stage that takes from memory edges holds.
 *
 * <p>Threads: confined to the ledger until it is granted, then to the stage's lock, then to the copy that took it.
 */
final class Granted extends Request {
    final Object item;

    private final Stage stage;
    /** Per need: buffers granted and not yet taken by the body. Set once granted. */
    final int[] credits;

    Granted(Stage stage, Object item) {
        super(stage.needs());
        this.stage = stage;
        this.item = item;
        this.credits = new int[needs.length];
        for (int i = 0; i < needs.length; i++) {
            credits[i] = needs[i].count();
        }
    }

    /** Uses one credit of {@code pool}; false when there is none. */
    boolean use(Pool pool) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool && credits[i] > 0) {
                credits[i]--;
                return true;
            }
        }
        return false;
    }

    /** Whether the body took less than it was granted. */
    boolean unused() {
        for (int credit : credits) {
            if (credit > 0) {
                return true;
            }
        }
        return false;
    }

    Stage ofStage() {
        return stage;
    }

    static Object itemOf(Object queued) {
        return queued instanceof Granted granted ? granted.item : queued;
    }
}
