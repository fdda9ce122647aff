package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** The memory of one emulated device: how much of it is in use, and by which buffers. Threads: any. */
final class EmulatedMemory {
    /** As vendors align at the least. */
    private static final long ALIGNMENT = 64;
    /** Not a number as a double or a float, -1 as an integer: code that takes new memory for zeroed finds out. */
    private static final byte NONSENSE = (byte) 0xFF;

    private final String device;
    private final long limit;
    /** Guarded by this. */
    private final Set<EmulatedBuffer> live = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Guarded by this: the bytes of live buffers, and of buffers that are being made. */
    private long used;

    EmulatedMemory(String device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    EmulatedBuffer allocate(EmulatedDevice owner, long bytes) {
        take(bytes);
        EmulatedBuffer buffer;
        try {
            Arena arena = Arena.ofShared();
            buffer = new EmulatedBuffer(owner, arena, host(arena, bytes, device));
        } catch (DeviceMemoryException e) {
            give(bytes);
            throw e;
        }
        buffer.segment().fill(NONSENSE);
        synchronized (this) {
            live.add(buffer);
        }
        return buffer;
    }

    /** Zeroed memory of the host in {@code arena}, which is closed when there is none. */
    static MemorySegment host(Arena arena, long bytes, String device) {
        try {
            return arena.allocate(bytes, ALIGNMENT);
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new DeviceMemoryException(
                    "the host has not the " + bytes + " bytes that " + device + " was asked for: " + e.getMessage());
        }
    }

    private synchronized void take(long bytes) {
        if (bytes > limit - used) {
            throw new DeviceMemoryException(device + " has " + (limit - used) + " of " + limit + " bytes left, not "
                    + bytes + "; give buffers back, or ask for less");
        }
        used += bytes;
    }

    private synchronized void give(long bytes) {
        used -= bytes;
    }

    /** A second call does nothing. */
    synchronized void free(EmulatedBuffer buffer) {
        if (live.contains(buffer)) {
            buffer.arena().close(); // refuses while a copy is under way, and then nothing has changed
            live.remove(buffer);
            used -= buffer.bytes();
        }
    }

    /** Frees the buffers that are left. */
    synchronized void freeAll() {
        new ArrayList<>(live).forEach(this::free);
    }

    synchronized long used() {
        return used;
    }
}
