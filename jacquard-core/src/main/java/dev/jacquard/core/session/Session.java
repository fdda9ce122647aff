package dev.jacquard.core.session;

import dev.jacquard.core.data.Handle;
import dev.jacquard.core.engine.Workers;

/** The front door. */
public interface Session extends Workers, AutoCloseable {
    /** A handle on the user's own object, which is not copied. */
    <T> Handle<T> wrap(String name, T value);

    @Override
    void close();
}
