package dev.jacquard.tools;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.CommunicatorProvider.Launch;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.World;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.ComponentFailedException;
import dev.jacquard.components.run.Program;
import dev.jacquard.tools.Interrupts.StoppedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process as one of several ranks that a launcher has started. Rank 0 prints the results and the failures; the
 * output of other ranks carries their numbers.
 */
final class RankProcess {
    private static final int TURN = 0;

    private final Environment environment;
    private final CommunicatorProvider provider;
    private final Launch launch;
    /** For the command that has started the ranks; null if a user has. */
    private final @Nullable LaunchNotes notes = LaunchNotes.ofEnvironment();
    /** Confined to the thread of the command. */
    private int exitCode;

    /** The work of a rank. */
    @FunctionalInterface
    interface Work {
        @Nullable
        Report run(Communicator world) throws Exception;
    }

    /** Puts results in place. */
    @FunctionalInterface
    interface Commit {
        void run() throws IOException;
    }

    private RankProcess(Environment environment, CommunicatorProvider provider, Launch launch) {
        this.environment = environment;
        this.provider = provider;
        this.launch = launch;
        if (notes != null) {
            notes.begin(launch.rank());
        }
    }

    /** Returns true if a launcher of ranks has started this process. */
    static boolean isLaunched() {
        return CommunicatorProvider.launched(System.getenv()).isPresent();
    }

    /** Returns this process as a rank; null if no launcher has started it. */
    static @Nullable RankProcess ofEnvironment(Environment environment) {
        Optional<CommunicatorProvider> provider = CommunicatorProvider.launched(System.getenv());
        if (provider.isEmpty()) {
            return null;
        }
        Optional<Launch> launch = provider.get().launch(System.getenv());
        return new RankProcess(environment, provider.get(), Objects.requireNonNull(launch.orElse(null)));
    }

    /**
     * Returns the number of ranks for a program.
     *
     * @param given on the command line; 0 for none
     */
    int ranks(int given, @Nullable RunMode mode) {
        if (given > 0 && given != launch.size()) {
            throw new InputException("--ranks is " + given + ", and " + launch.launcher() + " has started "
                    + launch.size() + (launch.size() == 1 ? " rank" : " ranks")
                    + "; expected the same number, or no --ranks");
        }
        boolean hasRanks = launch.size() > 1 || given > 0 || (mode != null && mode.hasRanks());
        return hasRanks ? launch.size() : 0;
    }

    /** Returns a program; the errors of ranks other than 0 begin with their numbers. */
    Program named(Supplier<Program> load) {
        try {
            return load.get();
        } catch (InputException e) {
            throw launch.rank() == 0 ? e : new InputException("rank " + launch.rank() + ": " + e.getMessage(), e);
        }
    }

    /** Requires that a program has as many ranks as were started. */
    void require(Program program) {
        if (program.ranks() > 0 && program.ranks() != launch.size()) {
            throw new InputException("the program has " + program.ranks() + " ranks, and " + launch.launcher()
                    + " has started " + launch.size() + ": start it with 'mpirun -n " + program.ranks()
                    + "', or without a launcher");
        }
    }

    /**
     * Returns the number of workers of this rank: the processors that the launcher leaves to it, divided by the ranks
     * on this machine if it leaves all of them to each.
     */
    int processors() {
        int here = Machine.availableProcessors();
        int online = online(here);
        return here < online ? here : Math.max(1, here / Math.max(1, launch.sizeHere()));
    }

    private static int online(int otherwise) {
        try {
            String text =
                    Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
            int count = 0;
            for (String part : text.split(",", -1)) {
                String[] ends = part.split("-", -1);
                count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
            }
            return count;
        } catch (IOException | NumberFormatException e) {
            return otherwise;
        }
    }

    /** Returns the words of a command line that start as many ranks; none if this command itself has started them. */
    List<String> launcher() {
        return notes == null
                ? List.of(launch.launcher().split(" ", -1)[0], "-n", String.valueOf(launch.size()))
                : List.of();
    }

    /** Returns true for the rank that prints. */
    boolean isFirst() {
        return launch.rank() == 0;
    }

    /** Returns the exit code of a rank that has nothing to print: that of all ranks. */
    int exitCode() {
        return exitCode;
    }

    /** Runs a program as this rank. Returns null on ranks that have nothing to print. */
    @Nullable
    Report run(Work work) throws Exception {
        int processors = Machine.availableProcessors();
        if (launch.rank() == 0 && processors == 1 && online(1) > 1) {
            say("each rank has one processor, as the launcher binds it; '--bind-to none' leaves all of them");
        }
        World world = provider.start(System.getenv(), this::say);
        if (notes != null) {
            world.whenEndingAll(notes::fail);
        }
        try {
            Report report = work.run(world.communicator());
            close(world);
            return report;
        } catch (InputException | ComponentFailedException | CancellationException | StoppedException e) {
            close(world); // on all ranks
            if (isFirst()) {
                throw e;
            }
            exitCode = FailureHandler.exitCode(e);
            return null;
        } catch (Throwable e) {
            world.abort(e);
            throw e;
        }
    }

    private void close(World world) {
        Thread.interrupted(); // an interrupt was for the run, which has ended
        world.close();
        if (notes != null) {
            notes.end();
        }
    }

    private void say(String line) {
        environment.err().println("jacquard: " + line);
        environment.err().flush();
    }

    /**
     * Collective: returns the exit code for a signal that any rank has received; 0 if there was none.
     *
     * @param own that of this rank
     */
    static int signalled(Communicator world, int own) throws InterruptedException {
        Thread.interrupted(); // an interrupt was for the run, which has ended
        int[] exitCode = {own};
        world.allreduce(Elements.of(exitCode), Reduction.max());
        return exitCode[0];
    }

    /** Lets the ranks put their results in place one by one, rank 0 last. */
    static void inTurn(Communicator world, Commit commit) throws IOException, InterruptedException {
        if (world.rank() + 1 < world.size()) {
            world.receive(Elements.none(), world.rank() + 1, TURN);
        }
        commit.run();
        if (world.rank() > 0) {
            world.send(Elements.none(), world.rank() - 1, TURN);
        }
    }
}
