/** Ranks: a communicator, ranks inside one process, partitions of graphs. Needs the platform only. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.cluster {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;

    exports dev.jacquard.cluster.communicator;
    exports dev.jacquard.cluster.partition;

    uses dev.jacquard.cluster.partition.Partitioner;
}
