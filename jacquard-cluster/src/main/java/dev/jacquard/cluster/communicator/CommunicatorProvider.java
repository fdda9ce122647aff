package dev.jacquard.cluster.communicator;

import dev.jacquard.base.service.Services;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * A carrier of messages between processes, such as MPI. Found as a service: {@code jacquard-mpi} has the one of MPI.
 *
 * <pre>{@code
 * try (World world = CommunicatorProvider.open(System.getenv(), System.err::println)) {
 *     world.run(comm -> solve(comm));
 * }
 * }</pre>
 *
 * <p>Threads: any.
 */
public interface CommunicatorProvider {
    /** Returns the name, such as {@code mpi}. */
    String name();

    /**
     * Returns how a launcher started this process as one of several ranks; empty if none of this provider's did. Loads
     * and starts nothing.
     *
     * @param environment the variables of this process
     */
    Optional<Launch> launch(Map<String, String> environment);

    /**
     * Starts communication. Called once in a process, and only if there is a {@link #launch}.
     *
     * @param environment the variables of this process
     * @param report called with lines for the user: findings, and why all ranks end
     * @throws CommunicationException if the library is absent, or does not fit the launcher
     */
    World start(Map<String, String> environment, Consumer<String> report);

    /**
     * A rank as its launcher's environment describes it.
     *
     * @param launcher such as {@code mpirun of Open MPI}
     * @param rank the number of this rank
     * @param size the number of ranks
     * @param sizeHere the number of ranks on this machine; 0 if the launcher does not say
     */
    record Launch(String launcher, int rank, int size, int sizeHere) {}

    /** Returns all providers that the class loaders know. */
    static List<CommunicatorProvider> all() {
        return Services.all(
                CommunicatorProvider.class, loader -> ServiceLoader.load(CommunicatorProvider.class, loader));
    }

    /** Returns the first provider with the launcher that started this process; empty if none did. */
    static Optional<CommunicatorProvider> launched(Map<String, String> environment) {
        return all().stream()
                .filter(each -> each.launch(environment).isPresent())
                .findFirst();
    }

    /**
     * Starts communication with the provider of the launcher that started this process.
     *
     * @throws CommunicationException if none did, or as {@link #start}
     */
    static World open(Map<String, String> environment, Consumer<String> report) {
        return launched(environment)
                .orElseThrow(() -> new CommunicationException("no launcher of ranks started this process"
                        + (all().isEmpty() ? ", and no provider of communicators is there: add jacquard-mpi" : "")
                        + ": start it with 'mpirun -n 4 java ...'"))
                .start(environment, report);
    }
}
