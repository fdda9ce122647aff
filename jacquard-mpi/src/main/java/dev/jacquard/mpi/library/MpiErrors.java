package dev.jacquard.mpi.library;

import dev.jacquard.base.foreign.Binding.Symbol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The functions that explain the codes of errors, which each implementation numbers in another way. */
interface MpiErrors {
    @Symbol("MPI_Error_class")
    int errorClass(int code, MemorySegment result);

    @Symbol("MPI_Error_string")
    int text(int code, MemorySegment text, MemorySegment length);

    /** Returns the exception of a call that failed. */
    default MpiException failure(String function, int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            int its = errorClass(code, number) == 0 ? number.get(ValueLayout.JAVA_INT, 0) : -1;
            MemorySegment text = arena.allocate(Abi.LONGEST_TEXT);
            String words = text(code, text, number) == 0 ? text.getString(0).strip() : "no text";
            return new MpiException(function + " failed: " + words + " (error class " + its + ")", its);
        }
    }
}
