package dev.jacquard.libraries.metis;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** METIS 5. Its indices must have 32 bits, as is usual. */
final class MetisLibrary {
    /** {@code METIS_NOPTIONS}. */
    static final int OPTIONS = 40;

    final Functions functions;

    /** The functions that are called; the parameters are pointers, with the names of the manual. */
    interface Functions {
        /** Cuts a graph by bisections of bisections. */
        @Symbol("METIS_PartGraphRecursive")
        int recursive(
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

        /** Cuts a graph into all parts at once. */
        @Symbol("METIS_PartGraphKway")
        int kWay(
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

        /** Sets all options to their defaults. */
        @Symbol("METIS_SetDefaultOptions")
        int defaults(MemorySegment options);
    }

    /** One of the two functions that cut. */
    @FunctionalInterface
    interface PartGraph {
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

    private MetisLibrary(NativeLibrary library) {
        functions = Binding.of(MethodHandles.lookup(), Functions.class).to(library);
        requireShortIndices();
    }

    PartGraph recursive() {
        return functions::recursive;
    }

    PartGraph kWay() {
        return functions::kWay;
    }

    /** Throws if the library was built with indices of 64 bits: it sets options twice as long. */
    private void requireShortIndices() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = arena.allocate(JAVA_LONG, OPTIONS);
            functions.defaults(options);
            if (options.getAtIndex(JAVA_INT, OPTIONS) != 0) {
                throw new IllegalStateException(
                        "it has indices of 64 bits; expected 32 bits, IDXTYPEWIDTH 32 in its metis.h");
            }
        }
    }

    /** Returns the library. Loaded on first use, for ever, not when providers are listed. */
    static Found<MetisLibrary> found() {
        return Holder.FOUND;
    }

    /** Loads it when it is first needed. */
    private static final class Holder {
        static final Found<MetisLibrary> FOUND = LibrarySearch.named("libmetis.so.5", "libmetis.so", "libmetis.dylib")
                .help("on Debian: apt-get install libmetis5")
                .find()
                .map(MetisLibrary::new);
    }
}
