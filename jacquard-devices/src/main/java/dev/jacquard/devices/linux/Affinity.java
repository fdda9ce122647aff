package dev.jacquard.devices.linux;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

/** The calling thread's set of processors, in the C library. Threads: any, each for itself. */
final class Affinity {
    /** For 8,192 processors, more than any machine has. */
    private static final long BYTES = 1024;
    /** The calling thread, for the C library. */
    private static final int SELF = 0;

    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final FunctionDescriptor TYPE =
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, POINTER);
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final Call getter = function("sched_getaffinity");
    private final Call setter = function("sched_setaffinity");

    /** One of the two functions; {@code state} takes the error's number. */
    public interface Call {
        int call(MemorySegment state, int process, long bytes, MemorySegment mask);
    }

    private static Call function(String name) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        MemorySegment address = library.find(name)
                .orElseThrow(() -> new IllegalStateException("the C library has no function " + name));
        MethodHandle handle = linker.downcallHandle(address, TYPE, Linker.Option.captureCallState("errno"));
        return MethodHandleProxies.asInterfaceInstance(Call.class, handle);
    }

    /** The processors on which the calling thread may run. */
    BitSet get() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(BYTES);
            call("sched_getaffinity", getter, mask, arena);
            return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Lets the calling thread run on these processors only. */
    void set(BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(BYTES);
            byte[] bits = processors.toByteArray();
            MemorySegment.copy(bits, 0, mask, ValueLayout.JAVA_BYTE, 0, bits.length);
            call("sched_setaffinity", setter, mask, arena);
        }
    }

    private static void call(String name, Call function, MemorySegment mask, Arena arena) {
        MemorySegment state = arena.allocate(STATE);
        if (function.call(state, SELF, BYTES, mask) != 0) {
            throw new IllegalStateException(name + " failed with errno " + (int) ERRNO.get(state, 0L));
        }
    }
}
