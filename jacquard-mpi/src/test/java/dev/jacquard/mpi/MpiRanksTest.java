package dev.jacquard.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.cluster.local.LocalRanks;
import dev.jacquard.cluster.testing.ContractMain;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of ranks that each launcher of this machine starts. */
@ParameterizedClass
@ValueSource(strings = {"openmpi", "mpich"})
@Timeout(170)
class MpiRanksTest {
    @Parameter
    String implementation = "";

    @BeforeEach
    void isThere() {
        assumeTrue(
                Launchers.has(implementation),
                "there is no mpirun." + implementation + "; on Debian: apt-get install openmpi-bin mpich");
    }

    private Launchers.Result run(int ranks, String program) throws Exception {
        return Launchers.run(implementation, ranks, program, Map.of());
    }

    /** More ranks than processors, too. The results are those of ranks inside one process, to the bit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theContractHolds(int ranks) throws Exception {
        Launchers.Result result = run(ranks, "contract");
        assertEquals(0, result.code(), result.errors());
        ByteArrayOutputStream local = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(local, true, StandardCharsets.UTF_8);
        LocalRanks.of(ranks).run(comm -> {
            ContractMain.run(comm, out);
            return 0;
        });
        assertEquals(local.toString(StandardCharsets.UTF_8).lines().toList(), result.out());
    }

    @Test
    void theHandlersOfSignalsStayTheJvms() throws Exception {
        Launchers.Result result = run(2, "signals");
        assertEquals(0, result.code(), result.errors());
        String owners = " changed [] BUS libjvm.so FPE libjvm.so HUP libjvm.so ILL libjvm.so SEGV libjvm.so";
        assertEquals(List.of("rank 0" + owners, "rank 1" + owners), withoutNohup(result.out()));
    }

    /** The JVM leaves a HUP that is ignored, as by nohup, without a handler. */
    private static List<String> withoutNohup(List<String> lines) {
        return lines.stream()
                .map(line -> line.replace("HUP  ", "HUP libjvm.so "))
                .toList();
    }

    /** One task of srun, which sets no variables of MPI: the library takes the process for one without a launcher. */
    @Test
    void theHandlersOfSignalsStayTheJvmsWithoutALauncherOfMpi() throws Exception {
        Launchers.Result result = Launchers.run(
                Launchers.java(RankMain.class, "signals"),
                Map.of("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1", "JACQUARD_MPI", implementation));
        assertEquals(0, result.code(), result.errors());
        assertEquals(
                List.of("rank 0 changed [] BUS libjvm.so FPE libjvm.so HUP libjvm.so ILL libjvm.so SEGV libjvm.so"),
                withoutNohup(result.out()));
    }

    /** {@code scripts/check-ranks} runs more of them. */
    @Test
    void randomProgramsRunOnEachRank() throws Exception {
        Launchers.Result result = run(2, "programs");
        assertEquals(0, result.code(), result.errors());
        assertEquals(
                List.of("rank 0 has run 10 programs", "rank 1 has run 10 programs"),
                result.out().stream().sorted().toList(),
                result.errors());
    }

    @Test
    void communicatorsHaveHandles() throws Exception {
        Launchers.Result result = run(4, "handles");
        assertEquals(0, result.code(), result.errors());
        assertEquals(List.of("handles differ"), result.out());
    }

    @Test
    void messagesThatNobodyReceivedAreReported() throws Exception {
        Launchers.Result result = run(2, "left");
        assertEquals(0, result.code(), result.errors());
        assertTrue(
                result.errors().contains("rank 0 has not received a message of rank 1 with tag 42"), result.errors());
        assertTrue(
                result.errors().contains("rank 1 has not received a message of rank 0 with tag 42"), result.errors());
    }

    /**
     * MPICH's launcher joins the bits of all ranks' codes, and those that it kills have 9: the rank that aborts may be
     * one of them, before it has ended itself.
     */
    private void requireCode(int code, Launchers.Result result) {
        if (implementation.equals("mpich")) {
            assertNotEquals(0, result.code(), result.errors());
        } else {
            assertEquals(code, result.code(), result.errors());
        }
    }

    @Test
    void anAbortEndsAllWithItsCode() throws Exception {
        Launchers.Result result = run(3, "abort");
        requireCode(7, result);
        assertTrue(result.errors().contains("rank 1 ended all ranks: the model is wrong"), result.errors());
    }

    @Test
    void aRankThatFailsEndsAllAndIsNamed() throws Exception {
        Launchers.Result result = run(3, "fail");
        requireCode(1, result);
        assertTrue(
                result.errors().contains("rank 1 ended all ranks: java.lang.IllegalStateException: no more matter"),
                result.errors());
    }

    /** Its exit code 0 would be success to the launcher. */
    @Test
    void aRankThatLeavesEarlyEndsAllAndIsNamed() throws Exception {
        Launchers.Result result = run(3, "exit");
        assertNotEquals(0, result.code(), result.errors());
        assertTrue(result.errors().contains("rank 1 exits before its program is over"), result.errors());
    }

    @Test
    void aRankThatHasEndedFailsThoseThatWaitForItsMessages() throws Exception {
        Launchers.Result result = run(2, "ended");
        assertNotEquals(0, result.code(), result.errors());
        assertTrue(
                result.errors().contains("rank 0 waits for a message of rank 1 with tag 5, and rank 1 has ended"),
                result.errors());
    }

    @Test
    void aLibraryThatDoesNotFitTheLauncherIsNamedWithTheRightCommand() throws Exception {
        boolean isOpenMpi = implementation.equals("openmpi");
        assumeTrue(Launchers.has(isOpenMpi ? "mpich" : "openmpi"), "there is one MPI only");
        Launchers.Result result =
                Launchers.run(implementation, 2, "contract", Map.of("JACQUARD_MPI", isOpenMpi ? "mpich" : "openmpi"));
        assertNotEquals(0, result.code(), result.errors());
        assertTrue(
                result.errors().contains("started this process as rank 1 of 2")
                        && result.errors().contains("takes it for rank 0 of 1: they do not fit")
                        && result.errors().contains(isOpenMpi ? "mpirun.mpich" : "mpirun.openmpi")
                        && result.errors().contains("JACQUARD_MPI=" + implementation),
                result.errors());
    }
}
