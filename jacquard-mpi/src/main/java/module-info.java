/** MPI for Java: the communicator of a program that {@code mpirun} or {@code srun} started. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.mpi {
    requires static org.jspecify;
    requires transitive dev.jacquard.cluster;

    provides dev.jacquard.cluster.communicator.CommunicatorProvider with
            dev.jacquard.mpi.MpiProvider;
}
