package dev.jacquard.libraries.metis;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandleProxies;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The functions of METIS 5 that are called. Its indices must have 32 bits, as is usual. */
final class MetisLibrary {
    private static final String[] NAMES = {"libmetis.so.5", "libmetis.so", "libmetis.dylib"};
    /** {@code METIS_NOPTIONS}. */
    static final int OPTIONS = 40;

    /** Cuts a graph by bisections of bisections. */
    final PartGraph recursive;
    /** Cuts a graph into all parts at once. */
    final PartGraph kWay;
    /** Sets all options to their defaults. */
    final SetOptions defaults;

    /** A function that cuts a graph; the parameters are pointers, with the names of the manual. */
    public interface PartGraph {
        int call(
                MemorySegment nvtxs,
                MemorySegment ncon,
                MemorySegment xadj,
                MemorySegment adjncy,
                MemorySegment vwgt,
                MemorySegment vsize,
                MemorySegment adjwgt,
                MemorySegment nparts,
                MemorySegment tpwgts,
                MemorySegment ubvec,
                MemorySegment options,
                MemorySegment edgecut,
                MemorySegment part);
    }

    /** A function of an array of options. */
    public interface SetOptions {
        int call(MemorySegment options);
    }

    private MetisLibrary(SymbolLookup symbols) {
        MemoryLayout[] pointers = new MemoryLayout[13];
        Arrays.fill(pointers, ADDRESS);
        FunctionDescriptor partGraph = FunctionDescriptor.of(JAVA_INT, pointers);
        recursive = bind(PartGraph.class, symbols, "METIS_PartGraphRecursive", partGraph);
        kWay = bind(PartGraph.class, symbols, "METIS_PartGraphKway", partGraph);
        defaults = bind(SetOptions.class, symbols, "METIS_SetDefaultOptions", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        requireShortIndices();
    }

    private static <F> F bind(Class<F> function, SymbolLookup symbols, String name, FunctionDescriptor type) {
        MemorySegment address =
                symbols.find(name).orElseThrow(() -> new IllegalStateException("the library has no function " + name));
        return MethodHandleProxies.asInterfaceInstance(
                function, Linker.nativeLinker().downcallHandle(address, type));
    }

    /** Throws if the library was built with indices of 64 bits: it sets options twice as long. */
    private void requireShortIndices() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = arena.allocate(JAVA_LONG, OPTIONS);
            defaults.call(options);
            if (options.getAtIndex(JAVA_INT, OPTIONS) != 0) {
                throw new IllegalStateException(
                        "it has indices of 64 bits; expected 32 bits, IDXTYPEWIDTH 32 in its metis.h");
            }
        }
    }

    /** The library, or the reason why there is none. Loaded on first use, for ever, not when providers are listed. */
    record Found(@Nullable MetisLibrary library, @Nullable String absence) {
        static final Found FOUND = load();

        private static Found load() {
            for (String name : NAMES) {
                SymbolLookup symbols;
                try {
                    symbols = SymbolLookup.libraryLookup(name, Arena.global());
                } catch (IllegalArgumentException notThere) {
                    continue; // The next name may be; the reason below names all.
                }
                try {
                    return new Found(new MetisLibrary(symbols), null);
                } catch (RuntimeException | LinkageError unfit) {
                    return new Found(null, name + " cannot be used: " + unfit.getMessage());
                }
            }
            return new Found(
                    null,
                    "none of " + String.join(", ", NAMES)
                            + " is on the loader's path; on Debian: apt-get install libmetis5");
        }
    }
}
