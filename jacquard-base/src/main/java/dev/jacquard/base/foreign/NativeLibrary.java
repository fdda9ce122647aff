package dev.jacquard.base.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** A library that this process has loaded, for ever. Threads: any. */
public final class NativeLibrary {
    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /** Returns the C library, with the mathematical functions and the dynamic loader. */
    public static NativeLibrary ofC() {
        return new NativeLibrary("the C library", Linker.nativeLinker().defaultLookup());
    }

    /**
     * Loads a library by its name from the loader's path, or returns the one of that name that the process has.
     *
     * @throws IllegalStateException with the loader's message if it cannot be loaded
     */
    public static NativeLibrary load(String name) {
        return load(name, () -> SymbolLookup.libraryLookup(name, Arena.global()));
    }

    /**
     * Loads a file.
     *
     * @throws IllegalStateException with the loader's message if it cannot be loaded
     */
    public static NativeLibrary load(Path file) {
        return load(file.toString(), () -> SymbolLookup.libraryLookup(file, Arena.global()));
    }

    private static NativeLibrary load(String name, Supplier<SymbolLookup> loading) {
        try {
            return new NativeLibrary(name, loading.get());
        } catch (IllegalArgumentException refused) { // without the loader's reason
            throw new IllegalStateException(
                    name + " cannot be loaded: "
                            + LoaderMessage.of(name).orElseGet(() -> String.valueOf(refused.getMessage())),
                    refused);
        }
    }

    /** Returns the name under which it was found: that of a file, or one on the loader's path. */
    public String name() {
        return name;
    }

    /** Returns true if the library has a function, or data, of this name. */
    public boolean has(String symbol) {
        return find(symbol).isPresent();
    }

    /** Returns the address of a function or of data; empty if there is none of this name. */
    public Optional<MemorySegment> find(String symbol) {
        return symbols.find(symbol);
    }

    /**
     * Returns the address of a function or of data.
     *
     * @throws IllegalStateException if there is none of this name
     */
    public MemorySegment require(String symbol) {
        return find(symbol)
                .orElseThrow(() -> new IllegalStateException(name + " has no function and no data named " + symbol));
    }

    @Override
    public String toString() {
        return name;
    }
}
