package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import java.util.Set;

/** The memory that the temporaries of a tree share, perhaps with the temporaries of others. */
@FunctionalInterface
interface Temporaries {
    /**
     * Returns a field in memory that other fields use at other times.
     *
     * @param number which of these memories
     * @param centrings the centrings that the memory has room for
     */
    GridField field(String name, Centring centring, int number, Set<Centring> centrings);

    /** Called after the submission of the tasks that use the memory. */
    default void submitted(Tasks graph) {}
}
