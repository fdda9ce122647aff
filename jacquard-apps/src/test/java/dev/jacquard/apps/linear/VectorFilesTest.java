package dev.jacquard.apps.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.ProgramRun;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.expressions.files.NpyHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Right-hand sides that are files, and solutions that become files. */
class VectorFilesTest {
    private static final String PROGRAM = """
            components:
              matrix: {component: read-matrix, file: a.mtx}
              solve: {component: solve-linear, rhs: b}
            wires: {solve.matrix: matrix.matrix}
            """;

    @TempDir
    Path folder;

    private Path program;
    private Path rhs;

    /** 2 x + y = 5, 4 y = 12. */
    @BeforeEach
    void write() throws Exception {
        program = Files.writeString(folder.resolve("p.yaml"), PROGRAM);
        rhs = folder.resolve("b");
        Files.writeString(
                folder.resolve("a.mtx"),
                "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
    }

    private ProgramRun run() throws Exception {
        return ProgramRun.of(program, RunMode.SERIAL, 1, folder.resolve("out"));
    }

    private void assertSolved() throws Exception {
        run();
        Path out = folder.resolve("out/solve");
        assertEquals(
                List.of("%%MatrixMarket matrix array real general", "2 1", "1.0", "3.0"),
                Files.readAllLines(out.resolve("x.mtx")));
        byte[] npy = Files.readAllBytes(out.resolve("x.npy"));
        assertTrue(new String(npy, StandardCharsets.ISO_8859_1).contains("'descr': '<f8'"));
        double[] x = new double[2];
        ByteBuffer.wrap(npy, npy.length - 16, 16)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(x);
        assertArrayEquals(new double[] {1, 3}, x);
    }

    @ParameterizedTest
    @CsvSource({"array real general/2 1/5/12", "coordinate integer general/2 1 2/2 1 12/1 1 5"})
    void matricesOfOneColumnAreRead(String text) throws Exception {
        Files.writeString(rhs, "%%MatrixMarket matrix " + text.replace('/', '\n') + "\n");
        assertSolved();
    }

    private void write(String type, List<Long> shape, ByteBuffer elements) throws Exception {
        byte[] head = new NpyHeader(type, false, shape).bytes();
        byte[] all = Arrays.copyOf(head, head.length + elements.position());
        elements.flip().get(all, head.length, elements.limit());
        Files.write(rhs, all);
    }

    @Test
    void arraysOfNumpyAreRead() throws Exception {
        write("<f8", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putDouble(5).putDouble(12));
        assertSolved();
        write(">f8", List.of(2L, 1L), room(ByteOrder.BIG_ENDIAN).putDouble(5).putDouble(12));
        assertSolved();
        write("<f4", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putFloat(5).putFloat(12));
        assertSolved();
        write("<i8", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putLong(5).putLong(12));
        assertSolved();
        write(">i4", List.of(2L), room(ByteOrder.BIG_ENDIAN).putInt(5).putInt(12));
        assertSolved();
    }

    private static ByteBuffer room(ByteOrder order) {
        return ByteBuffer.allocate(32).order(order);
    }

    private void assertRefused(String message) {
        InputException error = assertThrows(InputException.class, this::run);
        assertEquals(message, String.valueOf(error.getMessage()).replace(rhs.toString(), "b"));
    }

    @Test
    void otherFilesAreRefused() throws Exception {
        assertThrows(InputException.class, this::run, "it is not there");
        String of = "component 'solve': ";
        Files.writeString(rhs, "5\n12\n");
        assertRefused("component 'solve': b: neither an array of NumPy (numpy.save) nor a matrix in MatrixMarket form,"
                + " whose first line is like '%%MatrixMarket matrix array real general'");
        Files.writeString(rhs, "%%MatrixMarket matrix array real general\n1 2\n5\n12\n");
        assertRefused(of + "b: a 1 x 2 matrix; expected 2 x 1, a value for each row of the matrix A");
        write("<f8", List.of(3L), room(ByteOrder.LITTLE_ENDIAN));
        assertRefused(of + "b: an array of shape [3]; expected [2] or [2, 1], a value for each row of the matrix A");
        write("<c16", List.of(2L), room(ByteOrder.LITTLE_ENDIAN));
        assertRefused(of + "b: elements of type '<c16'; expected f8, f4, i8 or i4");
        write("<f8", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putDouble(5));
        assertRefused(of + "b: it ends after 1 of 2 elements");
        write("<i8", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putLong(5).putLong((1L << 53) + 1));
        assertRefused(of + "b: element 1 is 9007199254740993, which a double would round; expected a whole number of 53"
                + " bits, or elements of type f8");
        write("<f8", List.of(2L), room(ByteOrder.LITTLE_ENDIAN).putDouble(5).putDouble(Double.NaN));
        assertRefused(of + "the right-hand side has NaN in row 2; expected finite numbers, also as the sums of a"
                + " matrix's rows");
    }

    @Test
    void theSinkIsThereWhereNoFileIsGiven() throws Exception {
        Files.writeString(rhs, "%%MatrixMarket matrix array real general\n2 1\n5\n12\n");
        Files.writeString(program, PROGRAM.replace("wires: {", "wires: {solve.rhs: matrix.rhs, "));
        InputException error = assertThrows(InputException.class, this::run);
        assertTrue(String.valueOf(error.getMessage()).contains("(solve-linear) has no sink 'rhs'"), error.getMessage());
        Files.writeString(program, PROGRAM.replace(", rhs: b", ""));
        assertEquals(2, (int) run().number("solve", "unknowns"));
    }
}
