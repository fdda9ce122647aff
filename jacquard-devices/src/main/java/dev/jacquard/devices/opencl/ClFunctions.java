package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The shapes that several functions of OpenCL have in common. All return a status. Threads: any. Calls allocate
 * nothing: the handles are constants, and only the address differs.
 */
final class ClFunctions {
    private ClFunctions() {}

    /** A function of one object, like the one that releases a buffer. */
    record OfObject(MemorySegment at) {
        private static final MethodHandle CALL = handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

        OfObject(String name) {
            this(ClLibrary.find(name));
        }

        int call(long object) {
            try {
                return (int) CALL.invokeExact(at, object);
            } catch (Throwable thrown) {
                throw ClLibrary.unchecked(thrown);
            }
        }
    }

    /** A function that tells a property of an object. */
    record Info(MemorySegment at) {
        private static final MethodHandle CALL =
                handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));

        Info(String name) {
            this(ClLibrary.find(name));
        }

        int call(long object, int name, long size, MemorySegment value, MemorySegment sizeReturned) {
            try {
                return (int) CALL.invokeExact(at, object, name, size, value, sizeReturned);
            } catch (Throwable thrown) {
                throw ClLibrary.unchecked(thrown);
            }
        }

        /** Returns the properties of {@code object}; {@code who} is for messages. */
        ClInfo of(String who, long object) {
            return new ClInfo(who, (name, size, value, returned) -> call(object, name, size, value, returned));
        }
    }

    /** A function that tells a property of an object on a device. */
    record DeviceInfo(MemorySegment at) {
        private static final MethodHandle CALL =
                handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));

        DeviceInfo(String name) {
            this(ClLibrary.find(name));
        }

        /** Returns the properties of {@code object} on {@code device}; {@code who} is for messages. */
        ClInfo of(String who, long object, long device) {
            return new ClInfo(who, (name, size, value, returned) -> {
                try {
                    return (int) CALL.invokeExact(at, object, device, name, size, value, returned);
                } catch (Throwable thrown) {
                    throw ClLibrary.unchecked(thrown);
                }
            });
        }
    }

    /** A command of a queue that does nothing but wait. */
    record Wait(MemorySegment at) {
        private static final MethodHandle CALL =
                handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));

        Wait(String name) {
            this(ClLibrary.find(name));
        }

        int call(long queue, int waitCount, MemorySegment waits, MemorySegment event) {
            try {
                return (int) CALL.invokeExact(at, queue, waitCount, waits, event);
            } catch (Throwable thrown) {
                throw ClLibrary.unchecked(thrown);
            }
        }
    }

    /** A command that copies between a buffer and the host, and does not block. */
    record Transfer(MemorySegment at) {
        private static final MethodHandle CALL = handle(FunctionDescriptor.of(
                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));

        Transfer(String name) {
            this(ClLibrary.find(name));
        }

        int call(
                long queue,
                long buffer,
                long offset,
                long size,
                MemorySegment host,
                int waitCount,
                MemorySegment waits,
                MemorySegment event) {
            try {
                return (int)
                        CALL.invokeExact(at, queue, buffer, NOT_BLOCKING, offset, size, host, waitCount, waits, event);
            } catch (Throwable thrown) {
                throw ClLibrary.unchecked(thrown);
            }
        }
    }

    /** As {@link Transfer}, of rows and planes. */
    record RectTransfer(MemorySegment at) {
        private static final MethodHandle CALL = handle(FunctionDescriptor.of(
                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));

        RectTransfer(String name) {
            this(ClLibrary.find(name));
        }

        int call(
                long queue,
                long buffer,
                MemorySegment bufferOrigin,
                MemorySegment hostOrigin,
                MemorySegment region,
                long bufferPitch,
                long bufferSlice,
                long hostPitch,
                long hostSlice,
                MemorySegment host,
                int waitCount,
                MemorySegment waits,
                MemorySegment event) {
            try {
                return (int) CALL.invokeExact(
                        at,
                        queue,
                        buffer,
                        NOT_BLOCKING,
                        bufferOrigin,
                        hostOrigin,
                        region,
                        bufferPitch,
                        bufferSlice,
                        hostPitch,
                        hostSlice,
                        host,
                        waitCount,
                        waits,
                        event);
            } catch (Throwable thrown) {
                throw ClLibrary.unchecked(thrown);
            }
        }
    }

    private static final int NOT_BLOCKING = 0;

    private static MethodHandle handle(FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(type);
    }
}
