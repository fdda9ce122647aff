package dev.jacquard.base.failure;

import org.jspecify.annotations.Nullable;

/**
 * Adds the exceptions of other calls to the first exception. Two calls may throw the same object, such as a constant or
 * one that both waited for, which {@link Throwable#addSuppressed} refuses with another exception.
 *
 * <p>Threads: any, as for the exceptions.
 */
public final class Suppressed {
    private Suppressed() {}

    /** Adds {@code more} to {@code first}, unless they are the same object. */
    public static void add(Throwable first, Throwable more) {
        if (first != more) {
            first.addSuppressed(more);
        }
    }

    /** Adds each of {@code more}, unless it is {@code first}. */
    public static void addAll(Throwable first, Iterable<? extends Throwable> more) {
        for (Throwable each : more) {
            add(first, each);
        }
    }

    /** Returns {@code first} with {@code more} suppressed; {@code more} where there is no first. */
    public static <T extends Throwable> T join(@Nullable T first, T more) {
        if (first == null) {
            return more;
        }
        add(first, more);
        return first;
    }
}
