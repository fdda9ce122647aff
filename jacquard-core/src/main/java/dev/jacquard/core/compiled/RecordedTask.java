package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task whose body was written for a live graph, and recorded. The body may ask for what a compiled task cannot do,
 * which is refused.
 */
final class RecordedTask extends CompiledTask implements TaskContext {
    /** Binds the task, and keeps what that gives as its body; null when its body does not bind. */
    private final @Nullable TaskBody binder;

    RecordedTask(RunState run, TaskBody given, TaskTraits traits, boolean alone) {
        super(run, given, traits, alone);
        binder = given instanceof BindingBody binding ? context -> bind(binding, context) : null;
        unbind();
    }

    private void bind(BindingBody binding, TaskContext context) throws Exception {
        TaskBody bound = binding.bind(context);
        if (mayBind()) {
            body = bound;
        }
        bound.run(context);
    }

    @Override
    void unbind() {
        super.unbind();
        if (binder != null) {
            body = binder;
        }
    }

    @Override
    public void refine(Consumer<? super Tasks> submission) {
        throw fixed("refined");
    }

    @Override
    public void afterwards(TaskBody rest) {
        throw fixed("continued");
    }

    @Override
    public void demote(Resource resource, Access to) {
        throw fixed("demoted");
    }

    private UnsupportedOperationException fixed(String what) {
        return new UnsupportedOperationException("task \"" + name() + "\" cannot be " + what
                + ": it belongs to a compiled graph, whose edges are the same in every run; submit it to a live graph");
    }
}
