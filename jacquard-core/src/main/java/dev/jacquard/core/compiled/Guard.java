package dev.jacquard.core.compiled;

/**
 * A branch that must be chosen for a task to run.
 *
 * @param decision the decision that chooses; made before the task starts
 * @param branch from 0 on
 */
record Guard(Decision decision, int branch) {
    boolean isOpen() {
        return decision.isChosen(branch);
    }
}
