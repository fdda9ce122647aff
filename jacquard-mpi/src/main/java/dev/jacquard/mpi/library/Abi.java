package dev.jacquard.mpi.library;

import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The constants of a family of MPI libraries, which a compiler of C takes from {@code mpi.h}. Nothing else differs: all
 * functions have the same names and parameters.
 *
 * <p>Sources: {@code mpi.h} of Open MPI 4.1, of MPICH 4.0 (Intel MPI, MVAPICH and Cray MPI share its ABI), and of the
 * standard ABI of MPI 5.0.
 *
 * @param name of the family
 * @param narrow true if handles are {@code int}; else they have the size of an address
 * @param world the communicator of all processes
 * @param bytes the type of a byte
 * @param errorsReturn the error handler that returns codes
 * @param ignoredStatus the address that stands for no status
 * @param anySource the rank that stands for any
 * @param tagLimit the key of the attribute that has the highest tag
 * @param levels the levels of thread support, in the order of {@link ThreadLevel}
 */
public record Abi(
        String name,
        boolean narrow,
        long world,
        long bytes,
        long errorsReturn,
        long ignoredStatus,
        int anySource,
        int tagLimit,
        List<Integer> levels) {
    /** Room for any text that a library returns: versions have up to 8,191 bytes. */
    static final int LONGEST_TEXT = 8192;

    private static final List<Integer> CLASSIC_LEVELS = List.of(0, 1, 2, 3);

    static final Abi MPICH =
            new Abi("MPICH", true, 0x44000000, 0x4c00010d, 0x54000001, 1, -2, 0x64400001, CLASSIC_LEVELS);

    static final Abi STANDARD =
            new Abi("the standard ABI", false, 0x101, 0x247, 0x142, 0, -1, 501, List.of(0, 1024, 2048, 4096));

    /** The constants of Open MPI. Its handles are the addresses of data in the library. */
    private static Abi openMpi(NativeLibrary library) {
        return new Abi(
                "Open MPI",
                false,
                library.require("ompi_mpi_comm_world").address(),
                library.require("ompi_mpi_byte").address(),
                library.require("ompi_mpi_errors_return").address(),
                0,
                -1,
                0,
                CLASSIC_LEVELS);
    }

    /**
     * Returns the constants of a library: the standard ABI's if its file says so by its name, which the standard fixes;
     * Open MPI's if it has the data of Open MPI; else MPICH's.
     */
    static Abi of(NativeLibrary library) {
        String file = library.name().substring(library.name().lastIndexOf('/') + 1);
        if (file.startsWith("libmpi_abi.")) {
            return STANDARD;
        }
        return library.has("ompi_mpi_comm_world") ? openMpi(library) : MPICH;
    }

    /** Returns the handle in memory. */
    public long handle(MemorySegment memory) {
        return narrow ? memory.get(ValueLayout.JAVA_INT, 0) : memory.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Writes a handle to memory. */
    public void setHandle(MemorySegment memory, long handle) {
        if (narrow) {
            memory.set(ValueLayout.JAVA_INT, 0, (int) handle);
        } else {
            memory.set(ValueLayout.JAVA_LONG, 0, handle);
        }
    }
}
