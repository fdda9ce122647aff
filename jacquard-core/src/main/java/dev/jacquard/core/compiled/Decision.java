package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.KernelBody;

/** The body of a task that chooses, with the chosen branch. */
final class Decision implements KernelBody {
    private static final int NONE = -1;

    private final String task;
    private final TaskChoice choice;
    private final int branches;

    /**
     * The chosen branch. Written by the worker of the choosing task; read by the workers of tasks that come after that
     * task.
     */
    private int chosen = NONE;

    Decision(String task, int branches, TaskChoice choice) {
        this.task = task;
        this.branches = branches;
        this.choice = choice;
    }

    @Override
    public void run(BodyContext context) throws Exception {
        chosen = NONE;
        int branch = choice.choose(context);
        if (branch < 0 || branch >= branches) {
            throw new IllegalArgumentException(
                    "task \"" + task + "\" chose branch " + branch + ", but has branches 0 to " + (branches - 1));
        }
        chosen = branch;
    }

    /** Forgets the choice, since the choosing task did not run: no branch is chosen. */
    void forget() {
        chosen = NONE;
    }

    boolean isChosen(int branch) {
        return chosen == branch;
    }

    int branches() {
        return branches;
    }
}
