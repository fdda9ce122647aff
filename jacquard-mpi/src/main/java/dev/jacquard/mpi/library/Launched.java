package dev.jacquard.mpi.library;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The launcher that started this process, by the variables that it set.
 *
 * @param launch the rank as the launcher has numbered it
 * @param variable the variable that says the number of ranks, with its value
 * @param implementations the implementations with processes that the launcher can start, the likeliest first
 */
public record Launched(CommunicatorProvider.Launch launch, String variable, List<Implementation> implementations) {
    /** The choice of a user: an implementation, or the file of a library. */
    public static final String CHOICE = "JACQUARD_MPI";

    /** The variables of a launcher, and the implementations that it can start. */
    private record Kind(
            String launcher,
            String rank,
            List<String> size,
            @Nullable String sizeHere,
            List<Implementation> implementations) {
        Optional<Launched> in(Map<String, String> environment) {
            String its = environment.get(rank);
            Optional<String> sizes =
                    size.stream().filter(environment::containsKey).findFirst();
            if (its == null || sizes.isEmpty()) {
                return Optional.empty();
            }
            int here = sizeHere == null || !environment.containsKey(sizeHere) ? 0 : number(environment, sizeHere);
            String variable = sizes.get();
            return Optional.of(new Launched(
                    new CommunicatorProvider.Launch(
                            launcher, number(environment, rank), number(environment, variable), here),
                    variable + "=" + environment.get(variable),
                    implementations));
        }
    }

    /**
     * The launchers, the ones with their own variables first: Slurm sets the variables of PMI and PMIx as well, and its
     * own also for the script of a batch job, which is no rank: that has no number of a step's tasks.
     */
    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "mpirun of Open MPI",
                    "OMPI_COMM_WORLD_RANK",
                    List.of("OMPI_COMM_WORLD_SIZE"),
                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                    List.of(Implementation.OPEN_MPI, Implementation.STANDARD)),
            new Kind(
                    "mpirun of MPICH, or another one with PMI",
                    "PMI_RANK",
                    List.of("PMI_SIZE"),
                    "MPI_LOCALNRANKS",
                    List.of(Implementation.MPICH, Implementation.STANDARD, Implementation.OPEN_MPI)),
            new Kind(
                    "srun with PMIx",
                    "PMIX_RANK",
                    List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
                    null,
                    List.of(Implementation.OPEN_MPI, Implementation.STANDARD, Implementation.MPICH)),
            new Kind(
                    "srun",
                    "SLURM_PROCID",
                    List.of("SLURM_STEP_NUM_TASKS"),
                    null,
                    List.of(Implementation.OPEN_MPI, Implementation.MPICH, Implementation.STANDARD)));

    /** Returns the launcher of this process; empty if none started it. */
    public static Optional<Launched> in(Map<String, String> environment) {
        return KINDS.stream().flatMap(kind -> kind.in(environment).stream()).findFirst();
    }

    private static int number(Map<String, String> environment, String variable) {
        String value = environment.getOrDefault(variable, "").strip();
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new CommunicationException(
                    "the environment variable " + variable + " of the launcher is '" + value + "'; expected a number",
                    e);
        }
    }

    /**
     * Compares the launcher's numbers with the library's.
     *
     * @param library its name for messages
     * @param its the implementation of the library; null if it is not known
     * @throws CommunicationException if the library does not know the launcher
     */
    public void requireFits(String library, @Nullable Implementation its, int rank, int size) {
        if (launch.size() == size && launch.rank() == rank) {
            return;
        }
        Implementation fits = implementations.getFirst();
        throw new CommunicationException(launch.launcher() + " started this process as rank " + launch.rank() + " of "
                + launch.size() + " (" + variable + "), and the library " + library + " takes it for rank " + rank
                + " of " + size + ": they do not fit. Start it with " + (its == null ? "its launcher" : its.launcher())
                + ", or set " + CHOICE + "=" + fits.key() + " for the library of " + fits.title());
    }
}
