package dev.jacquard.mpi;

import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.World;
import dev.jacquard.cluster.testing.ContractMain;

/** The contract of communicators, on the ranks of a launcher. */
public final class RankMain {
    private RankMain() {}

    /** Runs it. */
    public static void main(String... arguments) throws Exception {
        try (World world = CommunicatorProvider.open(System.getenv(), System.err::println)) {
            world.run(comm -> {
                ContractMain.run(comm, System.out);
                return 0;
            });
        }
    }
}
