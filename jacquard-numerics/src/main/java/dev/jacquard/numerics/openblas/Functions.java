package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/** An OpenBLAS in one precision: its functions in two ways to call them, and their complements. */
final class Functions {
    /** The precision: {@code JAVA_DOUBLE} or {@code JAVA_FLOAT}. */
    final ValueLayout element;
    /** Loops in place of functions of the library. */
    final ElementLoops loops;
    /** Memory for copies of pieces that are not aligned. */
    final AlignedPieces pieces;

    private final Routines plain;
    private final Routines quick;

    Functions(NativeLibrary library, ValueLayout element) {
        boolean isDouble = element.equals(JAVA_DOUBLE);
        this.element = element;
        this.loops = isDouble ? ElementLoops.DOUBLES : ElementLoops.FLOATS;
        this.pieces = new AlignedPieces(element.byteSize());
        Binding<Routines> wide = Binding.of(MethodHandles.lookup(), Routines.class);
        Binding<Routines> binding =
                (isDouble ? wide : wide.narrow()).named(name -> name.replace('?', isDouble ? 'd' : 's'));
        plain = binding.to(library);
        quick = binding.critical(true).to(library);
    }

    /**
     * Returns the functions, one way or the other.
     *
     * @param isQuick true for calls of a few microseconds: they take arrays of the heap as they are, and hold the
     *     garbage collector off; false for native operands alone
     */
    Routines routines(boolean isQuick) {
        return isQuick ? quick : plain;
    }
}
