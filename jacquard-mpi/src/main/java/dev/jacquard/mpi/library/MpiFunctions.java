package dev.jacquard.mpi.library;

import dev.jacquard.base.foreign.Binding.Narrow;
import dev.jacquard.base.foreign.Binding.Status;
import dev.jacquard.base.foreign.Binding.Symbol;
import java.lang.foreign.MemorySegment;

/**
 * The functions of MPI that are called. Handles are {@code long}, and {@code int} in libraries if their {@link Abi}
 * says so. Requests are in memory; statuses are ignored by an address that the {@link Abi} knows.
 */
@Status
public interface MpiFunctions {
    @Symbol("MPI_Init_thread")
    void start(MemorySegment count, MemorySegment arguments, int required, MemorySegment provided);

    @Symbol("MPI_Finalize")
    void finish();

    @Symbol("MPI_Abort")
    void abort(@Narrow long comm, int code);

    @Symbol("MPI_Get_library_version")
    void version(MemorySegment text, MemorySegment length);

    @Symbol("MPI_Comm_rank")
    void rank(@Narrow long comm, MemorySegment rank);

    @Symbol("MPI_Comm_size")
    void size(@Narrow long comm, MemorySegment size);

    @Symbol("MPI_Comm_get_attr")
    void attribute(@Narrow long comm, int key, MemorySegment value, MemorySegment flag);

    @Symbol("MPI_Comm_set_errhandler")
    void setErrorHandler(@Narrow long comm, @Narrow long handler);

    @Symbol("MPI_Comm_dup")
    void duplicate(@Narrow long comm, MemorySegment result);

    @Symbol("MPI_Comm_free")
    void free(MemorySegment comm);

    @Symbol("MPI_Comm_group")
    void group(@Narrow long comm, MemorySegment group);

    @Symbol("MPI_Group_incl")
    void include(@Narrow long group, int count, MemorySegment ranks, MemorySegment result);

    @Symbol("MPI_Group_free")
    void freeGroup(MemorySegment group);

    @Symbol("MPI_Comm_create_group")
    void createGroup(@Narrow long comm, @Narrow long group, int tag, MemorySegment result);

    @Symbol("MPI_Isend")
    void send(
            MemorySegment buffer,
            int count,
            @Narrow long type,
            int to,
            int tag,
            @Narrow long comm,
            MemorySegment request);

    @Symbol("MPI_Issend")
    void sendMatched(
            MemorySegment buffer,
            int count,
            @Narrow long type,
            int to,
            int tag,
            @Narrow long comm,
            MemorySegment request);

    @Symbol("MPI_Irecv")
    void receive(
            MemorySegment buffer,
            int count,
            @Narrow long type,
            int from,
            int tag,
            @Narrow long comm,
            MemorySegment request);

    @Symbol("MPI_Test")
    void test(MemorySegment request, MemorySegment flag, long status);

    @Symbol("MPI_Cancel")
    void cancel(MemorySegment request);

    @Symbol("MPI_Wait")
    void await(MemorySegment request, long status);
}
