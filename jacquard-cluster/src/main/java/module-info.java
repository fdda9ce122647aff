/** Ranks: a communicator, ranks inside one process, partitions of graphs. Needs the platform only. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // that of MPI is built later
module dev.jacquard.cluster {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;

    exports dev.jacquard.cluster.communicator;
    exports dev.jacquard.cluster.local;
    exports dev.jacquard.cluster.message to
            dev.jacquard.mpi;
    exports dev.jacquard.cluster.partition;

    uses dev.jacquard.cluster.communicator.CommunicatorProvider;
    uses dev.jacquard.cluster.partition.Partitioner;
}
