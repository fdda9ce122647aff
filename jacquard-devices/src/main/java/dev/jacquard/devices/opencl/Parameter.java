package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;

import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A parameter of a kernel.
 *
 * @param name as in the source, or empty where the driver does not say
 * @param type as in the source, or empty where the driver does not say
 * @param kind the arguments that fit
 */
record Parameter(String name, String type, Kind kind) {
    private static final int ADDRESS_QUALIFIER = 0x1196;
    private static final int TYPE_NAME = 0x1198;
    private static final int NAME = 0x119A;
    private static final int GLOBAL = 0x119B;
    private static final int LOCAL = 0x119C;
    private static final int CONSTANT = 0x119D;

    /** The arguments that fit. */
    enum Kind {
        /** Memory of the device. */
        BUFFER("a DeviceBuffer"),
        /** 4 bytes, whole. */
        INT("an Integer"),
        /** 8 bytes, whole. */
        LONG("a Long"),
        /** 4 bytes, real. */
        FLOAT("a Float"),
        /** 8 bytes, real. */
        DOUBLE("a Double"),
        /** Local memory, of which nothing can be given. */
        LOCAL("nothing that can be given: declare local memory inside of the kernel"),
        /** A type of no fixed meaning, or not given: the driver checks the size. */
        OTHER("a value of its size");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        boolean accepts(Object argument) {
            return switch (this) {
                case BUFFER -> argument instanceof DeviceBuffer;
                case INT -> argument instanceof Integer;
                case LONG -> argument instanceof Long;
                case FLOAT -> argument instanceof Float;
                case DOUBLE -> argument instanceof Double;
                case LOCAL -> false;
                case OTHER ->
                    argument instanceof DeviceBuffer
                            || argument instanceof Integer
                            || argument instanceof Long
                            || argument instanceof Float
                            || argument instanceof Double;
            };
        }
    }

    /** Asks the driver. */
    static Parameter of(long kernel, int index, String who) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment probe = scratch.allocate(Long.BYTES);
            int status =
                    CL.clGetKernelArgInfo(kernel, index, ADDRESS_QUALIFIER, Integer.BYTES, probe, MemorySegment.NULL);
            if (status == ClStatus.KERNEL_ARG_INFO_NOT_AVAILABLE) {
                return new Parameter("", "", Kind.OTHER);
            }
        }
        ClInfo facts = new ClInfo(
                who,
                (what, size, value, returned) -> CL.clGetKernelArgInfo(kernel, index, what, size, value, returned));
        String type = facts.text(TYPE_NAME);
        return new Parameter(facts.text(NAME), type, kind((int) facts.number(ADDRESS_QUALIFIER), type));
    }

    /** The parameter as a source declares it: {@code float* x}. */
    String declaration() {
        return type.isEmpty() ? "?" : type + " " + name;
    }

    /** The arguments that fit, in words. */
    String expected() {
        return kind.words;
    }

    private static Kind kind(int qualifier, String type) {
        return switch (qualifier) {
            case GLOBAL, CONSTANT -> Kind.BUFFER;
            case LOCAL -> Kind.LOCAL;
            default ->
                switch (type) {
                    case "int", "uint", "unsigned int" -> Kind.INT;
                    case "long", "ulong", "unsigned long" -> Kind.LONG;
                    case "float" -> Kind.FLOAT;
                    case "double" -> Kind.DOUBLE;
                    default -> Kind.OTHER;
                };
        };
    }
}
