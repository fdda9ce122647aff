package dev.jacquard.numerics.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixMarketTest {
    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("a.mtx"), text.replace('/', '\n'));
    }

    /** Expected is a matrix row by row. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "coordinate real general/% a comment//2 3 3/1 1 1.5/2 3 -2e1/1 2 .5/ | 2 3 | 1.5 .5 0 0 0 -20",
                "coordinate integer general/2 2 1/2 1 7 | 2 2 | 0 0 7 0",
                "coordinate pattern general/2 2 2/2 1/1 2/ | 2 2 | 0 1 1 0",
                "coordinate real symmetric/2 2 2/1 1 4/2 1 3 | 2 2 | 4 3 3 0",
                "coordinate real skew-symmetric/2 2 1/2 1 3 | 2 2 | 0 -3 3 0",
                "coordinate pattern symmetric/2 2 2/2 1/2 2 | 2 2 | 0 1 1 1",
                "array real general/2 3/1/2/3/4/5/6/ | 2 3 | 1 3 5 2 4 6",
                "array integer symmetric/2 2/1/2/3 | 2 2 | 1 2 2 3",
                "coordinate unsigned-integer general/1 2 1/1 2 +7 | 1 2 | 0 7",
                "coordinate real general/  % blanks before/2 1 2/\t%a tab/1 1 1/ %/2 1 0e-999 | 2 1 | 1 0",
                "array integer general/2 1/9007199254740992/-1152921504606846976 | 2 1 | 9007199254740992 -1152921504606846976",
                "array real skew-symmetric/3 3/1/2/3 | 3 3 | 0 -1 -2 1 0 -3 2 3 0",
            })
    void readsAllKinds(String both) throws IOException {
        String[] parts = both.split(" \\| ", -1);
        SparseMatrix a = MatrixMarket.read(file("%%MatrixMarket MATRIX " + parts[0]));
        assertEquals(parts[1], a.rows() + " " + a.columns());
        String[] values = parts[2].split(" ", -1);
        for (int i = 0; i < values.length; i++) {
            assertEquals(Double.parseDouble(values[i]), a.get(i / a.columns(), i % a.columns()), both + ", value " + i);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello | 1: 'hello'; expected a first line like '%%MatrixMarket matrix coordinate real general'",
                "%%MatrixMarket matrix coordinate complex general"
                        + " | 1: 'complex' matrices are not read; expected real, integer, unsigned-integer,"
                        + " pattern",
                "%%MatrixMarket matrix coordinate real hermitian"
                        + " | 1: 'hermitian' matrices are not read; expected general, symmetric, skew-symmetric",
                "%%MatrixMarket matrix array pattern general"
                        + " | 1: a pattern in form 'array' that is general; expected a pattern in coordinates, general or"
                        + " symmetric",
                "C | 2: the file ends; expected the numbers of rows, columns and entries",
                "C%/3 3 | 3: '3 3'; expected the numbers of rows, columns and entries",
                "C3 x 3 | 2: 'x' as columns; expected a whole number",
                "C0 3 3 | 2: 0 rows; expected 1 to 65536 in a file of 51 bytes",
                "C3 2000000000 3 | 2: 2000000000 columns; expected 1 to 65536 in a file of 60 bytes",
                "C3 3 2000000000 | 2: 2000000000 entries; the file has 60 bytes, which hold 16 at most",
                "C3 3 -1 | 2: -1 entries; the file has 52 bytes, which hold 14 at most",
                "C3 3 2/1 1 1 | 4: the file ends after 1 of 2 entries",
                "C3 3 1/1 1 1/2 2 2 | 4: '2 2 2' stands after the last entry; expected the end of the file",
                "C3 3 1/1 4 1 | 3: column 4; expected 1 to 3",
                "C3 3 1/0 3 1 | 3: row 0; expected 1 to 3",
                "C3 3 1/1 3 | 3: '1 3'; expected row, column and value",
                "C3 3 1/1 3 NaN | 3: 'NaN' as a value; expected a number like -1.5e3",
                "C3 3 1/1 3 1e999 | 3: '1e999' as a value, which is too large for a double",
                "C3 3 1/1 3 -1e-400 | 3: '-1e-400' as a value, which is too small for a double; expected 0, or 4.9E-324 at"
                        + " least",
                "I3 3 1/1 3 9007199254740993 | 3: '9007199254740993' as a value, which a double would round; expected a"
                        + " whole number of 53 bits, or a 'real' matrix",
                "I3 3 1/1 3 1.5 | 3: '1.5' as a value; expected a whole number",
                "U3 3 1/1 3 -1 | 3: '-1' as a value; expected a whole number from 0 up",
                "S3 2 1/1 1 1 | 2: a symmetric matrix of 3 x 2; expected as many rows as columns",
                "S3 3 1/1 2 1 | 3: entry (1, 2) of a symmetric matrix; expected those on and below the diagonal alone",
                "A60000 60000/1 | 2: 3600000000 entries; the file has 54 bytes, which hold 28 at most",
                "A1 2/1 | 4: the file ends before entry (1, 2) of a matrix of 1 x 2",
            })
    void tellsTheLineAndWhatIsWrong(String text, String message) throws IOException {
        String whole = text.replaceFirst("^C", "%%MatrixMarket matrix coordinate real general/")
                .replaceFirst("^S", "%%MatrixMarket matrix coordinate real symmetric/")
                .replaceFirst("^I", "%%MatrixMarket matrix coordinate integer general/")
                .replaceFirst("^U", "%%MatrixMarket matrix coordinate unsigned-integer general/")
                .replaceFirst("^A", "%%MatrixMarket matrix array real general/");
        Path file = file(whole);
        IOException error = assertThrows(MatrixMarket.FormatException.class, () -> MatrixMarket.read(file));
        assertEquals(file + ":" + message, error.getMessage());
    }

    /** In the order of the file: 1e16 + 1 - 1e16 is 0. */
    @Test
    void entriesOfOnePlaceAreAddedUp() throws IOException {
        SparseMatrix sum = MatrixMarket.read(
                file("%%MatrixMarket matrix coordinate real symmetric/2 2 5/2 1 1e16/1 1 4/2 1 1/1 1 -4/2 1 -1e16/"));
        assertEquals("2 x 2 matrix of 3 entries", sum.toString());
        assertEquals(0, sum.get(1, 0));
        assertEquals(0, sum.get(0, 1));
        assertEquals(0, sum.get(0, 0));
        SparseMatrix pattern =
                MatrixMarket.read(file("%%MatrixMarket matrix coordinate pattern general/1 1 2/1 1/1 1"));
        assertEquals(1, pattern.get(0, 0));
        Path file = file("%%MatrixMarket matrix coordinate real general/2 2 2/2 1 1e308/2 1 1e308/");
        IOException error = assertThrows(MatrixMarket.FormatException.class, () -> MatrixMarket.read(file));
        assertEquals(
                file + ": the sum of the values of entry (2, 1), counted from 1, is too large for a double",
                error.getMessage());
    }

    @Test
    void vectorsAreReadAsTheyWereWritten() throws IOException {
        double[] vector = {1, -0.1, 1e-320, 1.7976931348623157e308, 0, 1.0 / 3};
        MatrixMarket.write(vector, folder.resolve("x.mtx"));
        SparseMatrix read = MatrixMarket.read(folder.resolve("x.mtx"));
        assertEquals("6 x 1", read.rows() + " x " + read.columns());
        for (int i = 0; i < vector.length; i++) {
            assertEquals(vector[i], read.get(i, 0));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "494_bus, 494, 1666, true",
        "bcsstk13, 2003, 83883, true",
        "west0479, 479, 1910, false",
        "watt_2, 1856, 11550, false",
        "rajat01, 6833, 43250, false"
    })
    void readsMatricesOfTheCollection(String name, int order, int entries, boolean isSymmetric) throws IOException {
        String data = System.getenv("JACQUARD_DATA");
        Path file = Path.of(data == null ? "" : data, "matrices", name + ".mtx");
        assumeTrue(Files.exists(file), file + " is not there, of the folder that JACQUARD_DATA names");
        SparseMatrix a = MatrixMarket.read(file);
        assertEquals(order + " x " + order + " matrix of " + entries + " entries", a.toString());
        assertEquals(isSymmetric, a.isSymmetric());
    }
}
