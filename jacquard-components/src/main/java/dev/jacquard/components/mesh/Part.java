package dev.jacquard.components.mesh;

import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component as it stands in a program: one of the nodes that are meshed.
 *
 * @param name its name in the program
 * @param component the component's name
 * @param where its place in the program file, for messages
 * @param sockets its sinks and sources
 * @param within the exit of the loop into which the program puts it; null if the program says nothing
 * @param withinWhere the place where it says so
 */
public record Part(
        String name,
        String component,
        String where,
        List<Socket<?>> sockets,
        @Nullable String within,
        String withinWhere) {
    public Part {
        sockets = List.copyOf(sockets);
    }

    /** Returns the sinks, in their order. */
    public List<Sink<?>> sinks() {
        return sockets.stream()
                .filter(Sink.class::isInstance)
                .<Sink<?>>map(socket -> (Sink<?>) socket)
                .toList();
    }

    /** Returns the sources, in their order. */
    public List<Source<?>> sources() {
        return sockets.stream()
                .filter(Source.class::isInstance)
                .<Source<?>>map(socket -> (Source<?>) socket)
                .toList();
    }

    /** Returns the name of a socket of this part, as files write it: {@code correct.rhs}. */
    public String name(Socket<?> socket) {
        return name + "." + socket.name();
    }
}
