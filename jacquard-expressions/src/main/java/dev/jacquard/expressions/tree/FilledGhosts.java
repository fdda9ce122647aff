package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.Target;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The task that fills the ghosts of a field: on the host. */
record FilledGhosts(Boundaries boundaries) implements FieldTask {
    @Override
    public String name() {
        return boundaries.taskName();
    }

    @Override
    public List<String> parameters() {
        return List.of(Boundaries.TIME);
    }

    @Override
    public Task<@Nullable Void> submit(
            Session session, Tasks graph, @Nullable Target where, Parameters parameters, Task<?>... after) {
        return boundaries.submit(graph, parameters, after);
    }

    @Override
    public List<Field> inputs() {
        return List.of(boundaries.field());
    }

    @Override
    public List<Field> results() {
        return inputs();
    }

    @Override
    public String source(@Nullable Language language) {
        return "// " + boundaries.taskName();
    }

    @Override
    public void requireRunsOn(Target where) {
        if (!where.equals(Target.HOST)) {
            throw new IllegalArgumentException(boundaries.taskName() + " are filled on the host, and not on " + where);
        }
    }
}
