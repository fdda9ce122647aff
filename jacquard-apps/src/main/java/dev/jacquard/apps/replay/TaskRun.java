package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;

/** A task and its outcome. Immutable. */
final class TaskRun {
    /**
     * The accesses of the task from a time on, until the next stage or its end.
     *
     * @param from nanoseconds from the start of the run
     * @param held the accesses it then had
     */
    record Stage(long from, List<AccessSpec> held) {}

    private static final long NEVER_IN_THE_WAY = Long.MIN_VALUE;

    private final TaskSpec spec;
    private final TaskResult result;
    private final List<Stage> stages;

    TaskRun(TaskSpec spec, TaskResult result, AccessRights rights) {
        this.spec = spec;
        this.result = result;
        this.stages = result.execution() == null ? List.of() : stages(rights);
    }

    private List<Stage> stages(AccessRights rights) {
        List<Stage> all = new ArrayList<>();
        all.add(new Stage(start(), spec.accesses()));
        List<DemoteSpec> demotions = spec.demotionsInOrder();
        for (int i = 0; i < Math.min(demotions.size(), result.demoted().size()); i++) {
            List<AccessSpec> before = all.getLast().held();
            all.add(new Stage(
                    result.demoted().get(i).time(),
                    rights.demote(before, demotions.get(i).to()).orElse(before)));
        }
        return List.copyOf(all);
    }

    TaskSpec spec() {
        return spec;
    }

    TaskResult result() {
        return result;
    }

    String name() {
        return '"' + spec.name() + '"';
    }

    EndState state() {
        return result.state();
    }

    boolean ran() {
        return result.execution() != null;
    }

    Execution execution() {
        return Objects.requireNonNull(result.execution());
    }

    long start() {
        return execution().start();
    }

    long end() {
        return execution().end();
    }

    /** The accesses left at the end of the task: all that it declared when it did not run. */
    List<AccessSpec> heldLast() {
        return stages.isEmpty() ? spec.accesses() : stages.getLast().held();
    }

    /** The time from which no access that it still holds is in the way of the accesses of {@code later}. */
    long outOfTheWay(TaskRun later, BiPredicate<AccessSpec, AccessSpec> conflict) {
        for (int i = 0; i < stages.size(); i++) {
            boolean inTheWay = stages.get(i).held().stream()
                    .anyMatch(mine -> later.spec.accesses().stream().anyMatch(theirs -> conflict.test(mine, theirs)));
            if (!inTheWay) {
                return i == 0 ? NEVER_IN_THE_WAY : stages.get(i).from();
            }
        }
        return end();
    }
}
