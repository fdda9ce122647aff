package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which tasks of one level must be cancelled, which must not, and which of the tasks that ran must have failed. The end
 * of a task is judged by the actual ends of the others, not by the right ones.
 */
final class StateCheck {
    private final ResourceTree tree;
    private final AccessRights rights;
    private final Consumer<String> violations;

    StateCheck(ResourceTree tree, AccessRights rights, Consumer<String> violations) {
        this.tree = tree;
        this.rights = rights;
        this.violations = violations;
    }

    /** Checks all tasks of a level, which is in the order of submission. */
    void check(List<TaskRun> level) {
        Poison poison = new Poison(tree, rights);
        Set<String> notDone = new HashSet<>();
        for (TaskRun task : level) {
            if (task.ran()) {
                checkNeeds(task, poison, notDone);
                checkEnd(task);
                // One that failed has written the accesses that it gave up before, and poisons again the ones that it
                // kept.
                task.spec().accesses().forEach(poison::clear);
            }
            if (task.state() != EndState.DONE) {
                task.heldLast().forEach(access -> poison.add(task.name(), access));
                notDone.add(task.spec().name());
            }
        }
        checkReasons(level);
    }

    private void checkNeeds(TaskRun task, Poison poison, Set<String> notDone) {
        task.spec().after().stream()
                .filter(notDone::contains)
                .findFirst()
                .ifPresent(before -> violations.accept(task.name() + " ran, though \"" + before
                        + "\", which it names in \"after\", did not end well"));
        Poison left = poison.copy();
        task.spec().accesses().forEach(left::clear); // a place that it overwrites and reads may be its own
        for (AccessSpec access : task.spec().accesses()) {
            Optional<String> writer = left.readBy(access);
            if (writer.isPresent()) {
                violations.accept(task.name() + " ran, though it has " + access + ", which " + writer.get()
                        + " was to write and did not");
                return;
            }
        }
    }

    private void checkEnd(TaskRun task) {
        boolean subFailed =
                task.result().tasks().stream().map(TaskResult::state).anyMatch(state -> state != EndState.DONE);
        boolean fails = task.spec().fails() || subFailed;
        if (fails && task.state() != EndState.FAILED) {
            violations.accept(task.name() + " is " + task.state().text() + ", though "
                    + (subFailed ? "a sub-task did not end well" : "its body throws"));
        }
        if (!fails && task.state() != EndState.DONE) {
            violations.accept(task.name() + " is " + task.state().text() + " without a reason");
        }
    }

    /** Every cancelled task must be within reach of a failed one. */
    private void checkReasons(List<TaskRun> level) {
        Reach reach = new Reach(tree, rights, level);
        reach.unreached().forEach(task -> violations.accept(task.name() + " is cancelled without a reason"));
    }
}
