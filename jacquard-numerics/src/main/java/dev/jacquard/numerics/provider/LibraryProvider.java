package dev.jacquard.numerics.provider;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A numerical library that this process may have, found by {@link java.util.ServiceLoader}. Safe for use by many
 * threads.
 */
public interface LibraryProvider {
    /** The name that stands for the available library with the highest rank. */
    String AUTO = "auto";

    /** The name by which users choose this library, in lower case. */
    String name();

    /** The reason why the library cannot be used on this machine, and its remedy; empty when it can. */
    Optional<String> absence();

    /** The rank of the library: {@code auto} takes the available library with the highest rank. */
    int rank();

    /** The libraries of {@code found}, whether or not this machine has them, the highest rank first. */
    static <P extends LibraryProvider> List<P> sorted(List<P> found) {
        return found.stream()
                .sorted(Comparator.<P>comparingInt(LibraryProvider::rank)
                        .reversed()
                        .thenComparing(LibraryProvider::name))
                .toList();
    }

    /**
     * The library of {@code known} called {@code name}; {@link #AUTO} is the first that this machine has.
     *
     * @param kind the name of the library in messages, like {@code FFT}
     * @throws IllegalArgumentException when there is no such name
     * @throws IllegalStateException when the machine lacks that library, or for {@code auto} all of them
     */
    static <P extends LibraryProvider> P choose(String kind, List<P> known, String name) {
        Objects.requireNonNull(name, "name");
        if (name.equals(AUTO)) {
            return firstAvailable(kind, known);
        }
        for (P provider : known) {
            if (name.equals(provider.name())) {
                provider.absence().ifPresent(reason -> {
                    throw new IllegalStateException("the " + kind + " library '" + name + "' is absent: " + reason);
                });
                return provider;
            }
        }
        String names = known.stream().map(LibraryProvider::name).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "there is no " + kind + " library '" + name + "'; known are: " + AUTO + ", " + names);
    }

    private static <P extends LibraryProvider> P firstAvailable(String kind, List<P> known) {
        for (P provider : known) {
            if (provider.absence().isEmpty()) {
                return provider;
            }
        }
        String reasons = known.stream()
                .map(provider -> provider.name() + ": " + provider.absence().orElse("there by now"))
                .collect(Collectors.joining("; "));
        throw new IllegalStateException("this machine has no " + kind + " library"
                + (reasons.isEmpty() ? ", and none is known" : " (" + reasons + ")"));
    }
}
