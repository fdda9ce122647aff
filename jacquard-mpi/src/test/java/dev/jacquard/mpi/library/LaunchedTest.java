package dev.jacquard.mpi.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.CommunicatorProvider.Launch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Launchers are known by the variables that they set. */
class LaunchedTest {
    private static Launched in(String... variables) {
        Map<String, String> environment = new HashMap<>();
        for (String each : variables) {
            environment.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        return Launched.in(environment).orElseThrow();
    }

    @Test
    void noVariablesNoLauncher() {
        assertEquals(Optional.empty(), Launched.in(Map.of("PATH", "/bin", "OMPI_MCA_btl", "self")));
    }

    @Test
    void openMpi() {
        Launched its = in(
                "OMPI_COMM_WORLD_RANK=3",
                "OMPI_COMM_WORLD_SIZE=8",
                "OMPI_COMM_WORLD_LOCAL_SIZE=4",
                "PMIX_RANK=3",
                "SLURM_NTASKS=8");
        assertEquals(new Launch("mpirun of Open MPI", 3, 8, 4), its.launch());
        assertEquals(Implementation.OPEN_MPI, its.implementations().getFirst());
        assertEquals("OMPI_COMM_WORLD_SIZE=8", its.variable());
    }

    @Test
    void mpich() {
        Launched its = in("PMI_RANK=1", "PMI_SIZE=2", "MPI_LOCALNRANKS=2", "PMI_FD=5");
        assertEquals(1, its.launch().rank());
        assertEquals(2, its.launch().sizeHere());
        assertEquals(Implementation.MPICH, its.implementations().getFirst());
    }

    @Test
    void slurmWithAndWithoutPmix() {
        Launched its = in("SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=6", "SLURM_NTASKS=12");
        assertEquals(new Launch("srun", 5, 6, 0), its.launch());
        its = in("SLURM_PROCID=5", "SLURM_NTASKS=6", "PMIX_RANK=5");
        assertEquals(new Launch("srun with PMIx", 5, 6, 0), its.launch());
    }

    /** The script of a batch job is one process, whatever the job's tasks. */
    @Test
    void theScriptOfABatchJobIsNoRank() {
        assertEquals(Optional.empty(), Launched.in(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "64")));
    }

    @Test
    void aVariableThatIsNoNumberIsNamed() {
        CommunicationException e = assertThrows(CommunicationException.class, () -> in("PMI_RANK=one", "PMI_SIZE=2"));
        assertTrue(String.valueOf(e.getMessage()).contains("PMI_RANK of the launcher is 'one'"), e.getMessage());
    }
}
