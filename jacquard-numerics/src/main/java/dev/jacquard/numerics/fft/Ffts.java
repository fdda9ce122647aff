package dev.jacquard.numerics.fft;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The Fourier transform libraries of this process, by name. */
public final class Ffts {
    private static final String AUTO = "auto";

    private Ffts() {}

    /** All libraries that are known, whether or not this machine has them, the highest rank first. */
    public static List<FftProvider> providers() {
        return ServiceLoader.load(FftProvider.class, Ffts.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(FftProvider::rank).reversed().thenComparing(FftProvider::name))
                .toList();
    }

    /**
     * The library called {@code name}; {@code auto} is the highest ranked one that this machine has.
     *
     * @throws IllegalArgumentException when there is no such name
     * @throws IllegalStateException when the machine lacks that library
     */
    public static FftProvider byName(String name) {
        List<FftProvider> known = providers();
        for (FftProvider provider : known) {
            boolean wanted = name.equals(AUTO) ? provider.absence().isEmpty() : name.equals(provider.name());
            if (wanted) {
                provider.absence().ifPresent(reason -> {
                    throw new IllegalStateException("the FFT library '" + name + "' is absent: " + reason);
                });
                return provider;
            }
        }
        String names = known.stream().map(FftProvider::name).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("there is no FFT library '" + name + "'; known are: " + AUTO + ", " + names);
    }
}
