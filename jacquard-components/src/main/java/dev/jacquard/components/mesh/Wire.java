package dev.jacquard.components.mesh;

import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Source;

/**
 * A sink that is plugged to a source.
 *
 * @param from the number of the part with the source
 * @param source of that part
 * @param to the number of the part with the sink
 * @param sink of that part
 */
public record Wire(int from, Source<?> source, int to, Sink<?> sink) {
    /** Returns true if it runs backwards, from a loop's exit to its entry. */
    public boolean isAgain() {
        return source.isAgain();
    }
}
