package dev.jacquard.bench.ranks;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.World;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** One of two processes of {@link MpiPingPong}. {@code pingpong.cpp} does the same, and describes the protocol. */
final class MpiPingPongProcess {
    private static final int LARGE = 8 << 20;
    private static final int WARM_UPS = 15;
    private static final int ROUNDS = 15;

    private MpiPingPongProcess() {}

    /** Runs one of the processes. */
    public static void main(String[] args) throws Exception {
        World world = CommunicatorProvider.open(System.getenv(), _ -> {});
        world.run(MpiPingPongProcess::play);
    }

    private static int play(Communicator comm) throws InterruptedException {
        int[] turns = new int[2];
        if (comm.rank() > 0) {
            comm.broadcast(Elements.of(turns), 0);
            measure(comm, turns);
            return 0;
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Writer answers = new FileWriter(FileDescriptor.out)) { // the pipe to the program that asks
            answers.append("ready\n").flush();
            String line = in.readLine();
            turns = Arrays.stream((line == null ? "0 0" : line).split(" ", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            comm.broadcast(Elements.of(turns), 0);
            answers.append(measure(comm, turns)).append('\n').flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return 0;
    }

    private static String measure(Communicator comm, int[] turns) throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            double small = micros(comm, MemorySegment.ofArray(new byte[8]), turns[0]);
            double large = micros(comm, arena.allocate(LARGE, 64), turns[1]);
            double heap = micros(comm, MemorySegment.ofArray(new byte[LARGE]), turns[1]);
            return String.format(Locale.ROOT, "us %.4f %.4f %.4f", small, large, heap);
        }
    }

    /** Returns the median time of a message one way. */
    private static double micros(Communicator comm, MemorySegment memory, int turns) throws InterruptedException {
        Elements elements = Elements.of(memory, ValueLayout.JAVA_BYTE);
        double[] rounds = new double[ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            comm.barrier();
            long begun = Clock.system().nanoTime();
            for (int i = 0; i < turns; i++) {
                if (comm.rank() == 0) {
                    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) i);
                    comm.send(elements, 1, 0);
                    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) ~i);
                    comm.receive(elements, 1, 0);
                } else {
                    comm.receive(elements, 0, 0);
                    comm.send(elements, 0, 0);
                }
            }
            if (turns > 0 && memory.get(ValueLayout.JAVA_BYTE, 0) != (byte) (turns - 1)) {
                throw new IllegalStateException("wrong: the last message");
            }
            if (round >= 0) {
                rounds[round] = (Clock.system().nanoTime() - begun) / 1e3 / (2.0 * turns);
            }
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }
}
