package dev.jacquard.numerics.openblas;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A native function in two ways to call it, both with doubles wherever the function has floats, so that one caller
 * serves both precisions.
 *
 * @param plain for native operands; the garbage collector goes on meanwhile
 * @param quick for calls of a few microseconds: takes arrays of the heap as they are, and holds the collector off
 */
record Function(MethodHandle plain, MethodHandle quick) {
    static Function bind(SymbolLookup symbols, String name, FunctionDescriptor type) {
        MemorySegment address =
                symbols.find(name).orElseThrow(() -> new IllegalStateException("the library has no function " + name));
        Linker linker = Linker.nativeLinker();
        return new Function(
                withDoubles(linker.downcallHandle(address, type)),
                withDoubles(linker.downcallHandle(address, type, Linker.Option.critical(true))));
    }

    /** Either way. */
    MethodHandle handle(boolean isQuick) {
        return isQuick ? quick : plain;
    }

    /**
     * Returns the exception of a handle: an unchecked exception as it is, since a native function has no checked ones.
     */
    static RuntimeException thrown(Throwable thrown) {
        if (thrown instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError(thrown);
    }

    private static MethodHandle withDoubles(MethodHandle handle) {
        MethodType type = handle.type();
        for (int i = 0; i < type.parameterCount(); i++) {
            if (type.parameterType(i) == float.class) {
                type = type.changeParameterType(i, double.class);
            }
        }
        if (type.returnType() == float.class) {
            type = type.changeReturnType(double.class);
        }
        return MethodHandles.explicitCastArguments(handle, type);
    }
}
