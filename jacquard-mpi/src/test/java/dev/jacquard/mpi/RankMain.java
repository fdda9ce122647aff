package dev.jacquard.mpi;

import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.World;
import dev.jacquard.cluster.testing.ContractMain;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Programs of ranks for tests, which a launcher starts. */
public final class RankMain {
    private static final Map<String, Integer> SIGNALS = new TreeMap<>(Map.of(
            "SEGV", SignalHandlers.SEGV,
            "BUS", SignalHandlers.BUS,
            "FPE", SignalHandlers.FPE,
            "ILL", SignalHandlers.ILL,
            "HUP", SignalHandlers.HUP));

    private RankMain() {}

    /** Runs the one of that name. */
    public static void main(String... arguments) throws Exception {
        SignalHandlers before = SignalHandlers.save();
        World world = CommunicatorProvider.open(System.getenv(), System.err::println);
        world.run(comm -> {
            switch (arguments[0]) {
                case "contract" -> ContractMain.run(comm, System.out);
                case "signals" -> signals(comm, before);
                case "handles" -> handles(comm);
                case "left" -> comm.send(Elements.of(1, 2, 3), (comm.rank() + 1) % comm.size(), 42);
                case "abort" -> abort(comm);
                case "fail" -> fail(comm);
                case "exit" -> exit(comm);
                case "ended" -> ended(comm);
                case "programs" -> new RankPrograms(comm, before).run(seconds(arguments));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
            return 0;
        });
    }

    private static Duration seconds(String... arguments) {
        return Duration.ofSeconds(arguments.length > 1 ? Long.parseLong(arguments[1]) : 0);
    }

    /** The handlers are those from before MPI, and the JVM finds null pointers and divisions by zero. */
    private static void signals(Communicator comm, SignalHandlers before) throws InterruptedException {
        StringBuilder text = new StringBuilder("rank " + comm.rank() + " changed " + before.changed());
        SIGNALS.forEach((name, signal) -> {
            String owner = SignalHandlers.owner(signal).orElse("");
            text.append(' ').append(name).append(' ').append(owner.substring(owner.lastIndexOf('/') + 1));
        });
        for (int rank = 0; rank < comm.size(); rank++) {
            if (rank == comm.rank()) {
                System.out.println(text);
            }
            comm.barrier();
        }
    }

    /** Handles differ where communicators do. */
    private static void handles(Communicator comm) throws InterruptedException {
        OptionalLong all = comm.handle();
        Communicator half = comm.split(comm.rank() % 2, 0);
        OptionalLong some = half == null ? OptionalLong.empty() : half.handle();
        if (all.isEmpty() || some.isEmpty() || all.equals(some) || !all.equals(comm.handle())) {
            throw new IllegalStateException("handles " + all + " and " + some);
        }
        if (half != null) {
            half.close();
        }
        comm.barrier();
        if (comm.rank() == 0) {
            System.out.println("handles differ");
        }
    }

    private static void abort(Communicator comm) throws InterruptedException {
        if (comm.rank() == 1) {
            throw comm.abort(7, "the model is wrong");
        }
        comm.barrier();
    }

    private static void fail(Communicator comm) throws InterruptedException {
        if (comm.rank() == 1) {
            throw new IllegalStateException("no more matter");
        }
        comm.barrier();
    }

    private static void exit(Communicator comm) throws InterruptedException {
        if (comm.rank() == 1) {
            System.exit(0);
        }
        comm.barrier();
    }

    /** Rank 1 ends without the message that rank 0 waits for. */
    private static void ended(Communicator comm) throws InterruptedException {
        if (comm.rank() == 0) {
            comm.receive(Elements.of(0), 1, 5);
        }
    }
}
