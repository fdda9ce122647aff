package dev.jacquard.devices.cuda;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The thing that was looked for, or the reason for its absence. */
record Found<T>(@Nullable T thing, @Nullable String why) {
    static <T> Found<T> of(T thing) {
        return new Found<>(thing, null);
    }

    static <T> Found<T> absent(String why) {
        return new Found<>(null, why);
    }

    /** The reason for its absence, if it is absent. */
    Optional<String> absence() {
        return Optional.ofNullable(why);
    }

    /** It. @throws IllegalStateException when it is absent */
    T orThrow() {
        if (thing == null) {
            throw new IllegalStateException(why);
        }
        return thing;
    }

    /** Applies {@code use} to the thing; a library without a function that is needed is absent, too. */
    <R> Found<R> map(Function<T, R> use) {
        if (thing == null) {
            return absent(String.valueOf(why));
        }
        try {
            return of(use.apply(thing));
        } catch (IllegalStateException | LinkageError unfit) {
            String name = thing instanceof SharedLibrary library ? library.name() : thing.toString();
            return absent(name + " cannot be used: " + unfit.getMessage());
        }
    }
}
