package dev.jacquard.base.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that native code allocated, by its address. A wrong address or size ends the process. */
public final class NativeMemory {
    private NativeMemory() {}

    /**
     * Returns memory at an address.
     *
     * @param bytes its size
     * @param arena the scope of the segment: it cannot be used after the arena's end, which frees nothing
     */
    public static MemorySegment of(long address, long bytes, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    /** Returns the text in UTF-8 that begins at an address and ends before a zero; an empty one for address 0. */
    public static String text(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Returns the text at the address of {@code pointer}, as {@link #text(long)} does. */
    public static String text(MemorySegment pointer) {
        return text(pointer.address());
    }
}
