package dev.jacquard.core.compiled;

/**
 * A task runs only when this branch is chosen.
 *
 * @param decision who chooses; over before the task starts
 * @param branch from 0 on
 */
record Guard(Decision decision, int branch) {
    boolean isOpen() {
        return decision.isChosen(branch);
    }
}
