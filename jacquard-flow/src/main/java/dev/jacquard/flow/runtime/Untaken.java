package dev.jacquard.flow.runtime;

import dev.jacquard.base.text.UserText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The refusals of items that no edge takes. */
final class Untaken {
    private Untaken() {}

    /** Refuses an item that is sent to a graph whose input has no edge. */
    static IllegalStateException atInput(@Nullable Object item) {
        return new IllegalStateException("item " + UserText.of(Objects.requireNonNull(item))
                + " was sent, and no task takes it: connect the graph's input, builder.input().to(task)");
    }

    /** Refuses an item of a part without an edge. */
    static IllegalStateException withoutEdge(String from, Object item) {
        return new IllegalStateException(from + " emitted " + UserText.of(item)
                + ", and no edge leads from it: join it with to(...), or declare endsHere()");
    }

    /** Refuses an item of a part whose edges take other types only. */
    static IllegalStateException byEdges(String what, @Nullable Object item) {
        Object its = Objects.requireNonNull(item);
        return new IllegalStateException(what + " " + UserText.of(its) + " of type "
                + its.getClass().getTypeName() + ", and no edge takes this type: add only("
                + its.getClass().getSimpleName() + ".class).to(...), or declare endsHere()");
    }
}
