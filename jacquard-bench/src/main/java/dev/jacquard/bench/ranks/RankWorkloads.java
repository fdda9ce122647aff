package dev.jacquard.bench.ranks;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of ranks. A new one is added here. */
public final class RankWorkloads {
    private RankWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new PingPong("ranks.pingpong", 8, 20_000),
                new PingPong("ranks.pingpong.large", 8 << 20, 40),
                new MpiPingPong(MpiPingPong.Mpi.OPENMPI),
                new MpiPingPong(MpiPingPong.Mpi.MPICH),
                new Ring(),
                new Overlap());
    }
}
