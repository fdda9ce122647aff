package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.function.Consumer;

/**
 * A task of a compiled graph as the context of a body that was written for a live graph, and recorded. The body may ask
 * for operations that a compiled task does not support, which are refused.
 *
 * <p>All tasks are such, so that none has to be asked if it is one before its body is called. Without fields.
 */
abstract class RecordedTask extends OrderedNode implements TaskContext {
    RecordedTask(KernelBody body, boolean follows) {
        super(body, follows);
    }

    @Override
    public final void refine(Consumer<? super Tasks> submission) {
        throw fixed("refined");
    }

    @Override
    public final void afterwards(TaskBody rest) {
        throw fixed("continued");
    }

    @Override
    public final void demote(Resource resource, Access to) {
        throw fixed("demoted");
    }

    private UnsupportedOperationException fixed(String what) {
        return new UnsupportedOperationException("task \"" + name() + "\" cannot be " + what
                + ": it belongs to a compiled graph, whose edges are the same in every run; submit it to a live graph");
    }
}
