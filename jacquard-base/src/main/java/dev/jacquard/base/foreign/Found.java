package dev.jacquard.base.foreign;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search: the thing, or the reason for its absence.
 *
 * @param thing null if it is absent
 * @param reason null if it is there
 */
public record Found<T>(@Nullable T thing, @Nullable String reason) {
    /** Returns a thing that is there. */
    public static <T> Found<T> of(T thing) {
        return new Found<>(thing, null);
    }

    /** Returns an absence. */
    public static <T> Found<T> absent(String reason) {
        return new Found<>(null, reason);
    }

    /** Returns the reason for its absence; empty if it is there. */
    public Optional<String> absence() {
        return Optional.ofNullable(reason);
    }

    /**
     * Returns the thing.
     *
     * @throws IllegalStateException with the reason if it is absent
     */
    public T orThrow() {
        if (thing == null) {
            throw new IllegalStateException(reason);
        }
        return thing;
    }

    /** Applies {@code use} to the thing. A library that lacks a function, or may not be called, is absent too. */
    public <R> Found<R> map(Function<? super T, ? extends R> use) {
        if (thing == null) {
            return absent(String.valueOf(reason));
        }
        try {
            return of(use.apply(thing));
        } catch (IllegalStateException | IllegalCallerException | UnsupportedOperationException | LinkageError unfit) {
            return absent(thing + " cannot be used: " + unfit.getMessage());
        }
    }
}
