package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskContext;
import java.util.Objects;

/** A recorded task. Its body first looks up the memory of its data, once for as long as that stays where it is. */
final class BindingTask extends CompiledTask {
    /** Binds the task, and keeps the result as its body. */
    private final TaskBody binder;

    BindingTask(RunState run, BindingBody given, TaskTraits traits) {
        super(run, given, traits);
        binder = context -> bind(given, context);
        unbind();
    }

    private void bind(BindingBody binding, TaskContext context) throws Exception {
        TaskBody bound = Objects.requireNonNull(binding.bind(context), "bind returned null, and not the work");
        if (run.heldData() != null) { // the data stays where it is until unbind()
            body = bound;
        }
        bound.run(context);
    }

    @Override
    void unbind() {
        super.unbind();
        body = binder;
    }
}
