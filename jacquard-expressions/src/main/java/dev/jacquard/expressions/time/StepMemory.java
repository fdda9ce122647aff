package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.MemoryPlan;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bytes of the fields of a step.
 *
 * @param stages in their order
 * @param names fields that are others by a second name
 */
record StepMemory(Grid grid, List<ExpressionTree> stages, List<Tag<?>> names) {
    /** Returns the bytes of fields that stay between the stages, and of the temporaries of the most in one. */
    long planned() {
        return staying()
                + stages.stream()
                        .mapToLong(stage -> stage.memory().temporaryBytes())
                        .max()
                        .orElse(0);
    }

    /** Returns the bytes of all fields if no temporaries shared memory. */
    long withoutSharing() {
        return staying()
                + stages.stream()
                        .mapToLong(stage -> stage.memory().staticTemporaryBytes())
                        .sum();
    }

    private long staying() {
        Set<Tag<?>> staying = new LinkedHashSet<>();
        stages.forEach(stage -> staying.addAll(stage.memory().persistent()));
        names.forEach(staying::remove);
        return MemoryPlan.bytes(grid, staying);
    }
}
