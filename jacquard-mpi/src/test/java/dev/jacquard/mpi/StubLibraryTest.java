package dev.jacquard.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Libraries that are not installed here, by a stub with one process that is compiled with each family's constants. */
@Timeout(170)
class StubLibraryTest {
    @TempDir
    static Path folder;

    private static boolean hasCompiler;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path source = folder.resolve("stub.c");
        try (InputStream in = Objects.requireNonNull(StubLibraryTest.class.getResourceAsStream("stub.c"))) {
            Files.copy(in, source);
        }
        for (String[] each : new String[][] {
            {"STANDARD", "libmpi_abi.so.1"}, {"MPICH", "libmpich.so.12"}, {"OPEN_MPI", "libmpi.so.40"}
        }) {
            try {
                Launchers.Result result = Launchers.run(
                        List.of(
                                "gcc",
                                "-shared",
                                "-fPIC",
                                "-pthread",
                                "-D" + each[0],
                                "-o",
                                folder.resolve(each[1]).toString(),
                                source.toString()),
                        Map.of());
                assertEquals(0, result.code(), result.errors());
                hasCompiler = true;
            } catch (IOException e) {
                return; // no gcc
            }
        }
    }

    private static Launchers.Result run(String library, String program, String... variables) throws Exception {
        assumeTrue(hasCompiler, "there is no gcc; on Debian: apt-get install gcc");
        Map<String, String> environment = new HashMap<>(Map.of(
                "PMI_RANK",
                "0",
                "PMI_SIZE",
                "1",
                "JACQUARD_MPI",
                folder.resolve(library).toString()));
        for (String each : variables) {
            environment.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        return Launchers.run(Launchers.java(RankMain.class, program), environment);
    }

    /** With any support for threads, and with tags that are soon used again. */
    @ParameterizedTest
    @CsvSource({
        "libmpi_abi.so.1, 3, 32767",
        "libmpi_abi.so.1, 2, 32767",
        "libmpi_abi.so.1, 1, 32767",
        "libmpi_abi.so.1, 0, 2",
        "libmpich.so.12, 3, 2",
        "libmpi.so.40, 3, 32767"
    })
    void theContractHolds(String library, int level, int tagLimit) throws Exception {
        Launchers.Result result = run(library, "contract", "STUB_LEVEL=" + level, "STUB_TAG_LIMIT=" + tagLimit);
        assertEquals(0, result.code(), result.errors());
        assertTrue(result.errors().contains("stub: finalized, 0 receives left, 0 violations"), result.errors());
        assertEquals(level < 3, result.errors().contains("messages take some microseconds longer"), result.errors());
        assertTrue(result.out().getLast().startsWith("messages that nobody received are listed"), result.errors());
    }

    @ParameterizedTest
    @CsvSource({"libmpi_abi.so.1, 3", "libmpi_abi.so.1, 1", "libmpich.so.12, 3", "libmpi.so.40, 3"})
    void communicatorsHaveHandles(String library, int level) throws Exception {
        Launchers.Result result = run(library, "handles", "STUB_LEVEL=" + level);
        assertEquals(List.of("handles differ"), result.out(), result.errors());
        assertTrue(result.errors().contains("0 violations"), result.errors());
    }

    @ParameterizedTest
    @CsvSource({"3", "1"})
    void aFailureAborts(int level) throws Exception {
        Launchers.Result result = run("libmpi_abi.so.1", "none", "STUB_LEVEL=" + level);
        assertEquals(1, result.code(), result.errors());
        assertTrue(result.errors().contains("rank 0 ended all ranks"), result.errors());
        assertTrue(result.errors().contains("stub: aborted, 0 violations"), result.errors());
    }

    @Test
    void aProgramWithoutALauncherIsToldHowToStart() throws Exception {
        Launchers.Result result = Launchers.run(Launchers.java(RankMain.class, "contract"), Map.of());
        assertNotEquals(0, result.code());
        assertTrue(result.errors().contains("no launcher of ranks started this process"), result.errors());
    }

    @Test
    void aLibraryThatKnowsNothingOfTheLauncherIsRefused() throws Exception {
        Launchers.Result result = run("libmpi.so.40", "contract", "PMI_RANK=2", "PMI_SIZE=4");
        assertNotEquals(0, result.code());
        assertTrue(
                result.errors()
                        .contains("started this process as rank 2 of 4 (PMI_SIZE=4), and the library Open MPI 5.9.9"),
                result.errors());
        assertTrue(
                result.errors().contains("takes it for rank 0 of 1: they do not fit. Start it with mpirun.openmpi"),
                result.errors());
    }

    @Test
    void aLibraryThatIsNotThereOrNoneIsNamed() throws Exception {
        assertTrue(run("libnone.so", "contract").errors().contains("libnone.so cannot be loaded"));
        assertTrue(run("libmpi.so.40", "contract", "JACQUARD_MPI=other")
                .errors()
                .contains("JACQUARD_MPI is 'other'; expected openmpi, mpich, abi or the path of a library"));
        Path other = folder.resolve("other.c");
        Files.writeString(other, "int MPI_Init_thread(void) { return 0; }\n");
        Path library = folder.resolve("libother.so");
        assertEquals(
                0,
                Launchers.run(List.of("gcc", "-shared", "-o", library.toString(), other.toString()), Map.of())
                        .code());
        assertTrue(run("libother.so", "contract").errors().contains("it has no function"));
    }
}
