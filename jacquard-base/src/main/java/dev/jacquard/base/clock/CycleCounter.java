package dev.jacquard.base.clock;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The time stamp counter of an x86 processor, by the instruction {@code rdtsc}, for which Java has no method: ten bytes of machine code in a
 * page of their own, called like a native function. The page is written before it becomes executable, and is never both; it
 * lives as long as the process.
 *
 * <p>Of a current processor the counter runs at a constant rate, whatever the cores' frequencies, and the cores' counters agree (Intel
 * 64 and IA-32 Architectures Software Developer's Manual, volume 3, "Time-Stamp Counter", "Invariant TSC"; AMD64 Architecture Programmer's
 * Manual, volume 2, "Time-Stamp Counter"). Whether these do is the {@linkplain CycleTrust kernel's} to know.
 *
 * <p>Class initialization fails where there is no such page to be had. Only for x86 processors of 64 bits and Linux, whose numbers these are.
 */
final class CycleCounter {
    private static final byte[] CODE = {
        0x0f,
        0x31, // rdtsc: the halves to edx and eax
        0x48,
        (byte) 0xc1,
        (byte) 0xe2,
        0x20, // shl rdx, 32
        0x48,
        0x09,
        (byte) 0xd0, // or rax, rdx
        (byte) 0xc3, // ret
    };

    private static final long PAGE = 4096;
    private static final int READABLE = 1;
    private static final int WRITABLE = 2;
    private static final int EXECUTABLE = 4;
    /** Private and anonymous: of no file. */
    private static final int OURS = 0x22;

    private static final int NO_FILE = -1;
    /** What {@code mmap} answers when it fails. */
    private static final long FAILED = -1;

    private static final MethodHandle READ = Linker.nativeLinker()
            .downcallHandle(
                    code(),
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG),
                    Linker.Option.critical(
                            false)); // no change of the thread's state, which costs more than the instruction

    private CycleCounter() {}

    /** Cycles since the processor was reset, as an unsigned number. */
    static long read() {
        try {
            return (long) READ.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("reading a counter throws nothing", e);
        }
    }

    /** The code's address. */
    private static MemorySegment code() {
        try {
            MethodHandle map = function(
                    "mmap",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG));
            MethodHandle protect = function(
                    "mprotect",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
            long at = (long) map.invokeExact(0L, PAGE, READABLE | WRITABLE, OURS, NO_FILE, 0L);
            if (at == FAILED) {
                throw new UnsupportedOperationException("mmap gives no page of memory");
            }
            MemorySegment page = MemorySegment.ofAddress(at);
            page.reinterpret(PAGE).copyFrom(MemorySegment.ofArray(CODE));
            if ((int) protect.invokeExact(at, PAGE, READABLE | EXECUTABLE) != 0) {
                throw new UnsupportedOperationException("mprotect lets no page of memory become executable");
            }
            return page;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native functions throw nothing", e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        MemorySegment found = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("the C library has no " + name));
        return linker.downcallHandle(found, type);
    }
}
