package dev.jacquard.mpi;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.World;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** The time of a message one way, in rounds of many: microseconds at 8 bytes, gigabytes per second at 8 MiB. */
public final class PingPongMain {
    private static final int ROUNDS = 15;

    private PingPongMain() {}

    /**
     * Runs it on two ranks.
     *
     * @param arguments the number of messages in a round, or none
     */
    public static void main(String... arguments) throws Exception {
        World world = CommunicatorProvider.open(System.getenv(), System.err::println);
        world.run(comm -> {
            measure(world, comm, arguments.length == 0 ? 20_000 : Integer.parseInt(arguments[0]));
            return 0;
        });
    }

    private static void measure(World world, Communicator comm, int count) throws InterruptedException {
        long[] one = {1};
        double small = nanos(comm, Elements.of(one), Elements.of(one), count);
        int large = 8 << 20;
        try (Arena arena = Arena.ofShared()) {
            Elements outside = Elements.of(arena.allocate(large, 64), ValueLayout.JAVA_BYTE);
            double nanos = nanos(comm, outside, outside, 40);
            double[] array = new double[large / 8];
            double heap = nanos(comm, Elements.of(array), Elements.of(array), 40);
            if (comm.rank() == 0) {
                System.out.printf(
                        "%s: 8 B %.3f us, 8 MiB %.2f GB/s, of the heap %.2f GB/s%n",
                        world.description(), small / 1e3, large / nanos, large / heap);
            }
        }
    }

    private static double nanos(Communicator comm, Elements out, Elements in, int count) throws InterruptedException {
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            comm.barrier();
            long begun = System.nanoTime();
            for (int i = 0; i < count; i++) {
                if (comm.rank() == 0) {
                    comm.send(out, 1, 0);
                    comm.receive(in, 1, 0);
                } else {
                    comm.receive(in, 0, 0);
                    comm.send(out, 0, 0);
                }
            }
            rounds[round] = (System.nanoTime() - begun) / (2.0 * count);
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }
}
