package dev.jacquard.flow.memory;

/**
 * The value that an edge of permits lends. Such an edge allocates nothing: it bounds the number of items that are
 * between the task that takes and the task that releases, for memory that the user manages, for connections, or for
 * requests to a service.
 *
 * <p>Threads: immutable.
 */
public final class Permit {
    static final Permit HELD = new Permit();

    private Permit() {}

    @Override
    public String toString() {
        return "permit";
    }
}
