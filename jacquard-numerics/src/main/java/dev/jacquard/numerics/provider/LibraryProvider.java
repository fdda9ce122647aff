package dev.jacquard.numerics.provider;

import java.util.Optional;

/**
 * A numerical library that this process may have, found by {@link java.util.ServiceLoader}. Safe for use by many
 * threads.
 */
public interface LibraryProvider {
    /** The name by which users choose this library, in lower case. */
    String name();

    /** The reason why the library cannot be used on this machine, and its remedy; empty when it can. */
    Optional<String> absence();

    /** The rank of the library: {@code auto} takes the available library with the highest rank. */
    int rank();
}
