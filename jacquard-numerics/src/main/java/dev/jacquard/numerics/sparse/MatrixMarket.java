package dev.jacquard.numerics.sparse;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads files in the MatrixMarket exchange format: {@code coordinate} and {@code array}; {@code real}, {@code integer},
 * {@code unsigned-integer} and {@code pattern}, with ones as entries; {@code general}, {@code symmetric} and
 * {@code skew-symmetric}, of which both triangles are made. Writes vectors.
 *
 * <p>Entries of one row and column are added up in the order of the file, as the elements of an assembled matrix are; a
 * pattern has such an entry once. A number that a double cannot hold is refused: one that is too large or too small,
 * and an integer that would be rounded.
 *
 * <p>Memory is taken for the contents of a file, not for its declared sizes: sizes that the file has no room for are
 * refused before. Confined to one thread.
 *
 * <p>Source: R. F. Boisvert, R. Pozo and K. A. Remington, The Matrix Market Exchange Formats: Initial Design, NISTIR
 * 5935 (1996).
 */
public final class MatrixMarket {
    private static final String BANNER = "%%matrixmarket";
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
    private static final Pattern UNSIGNED = Pattern.compile("\\+?\\d+");
    /** The digits of a number before its exponent that are not zeros. */
    private static final Pattern NON_ZERO = Pattern.compile("[-+.0]*[1-9].*");
    /** Integers of fewer digits are less than 2^53. */
    private static final int SAFE_DIGITS = 15;

    /** Fewest bytes of an entry: two indices of a digit, a blank and the end of a line; a number and the end. */
    private static final int ENTRY_BYTES = 4;

    private static final int NUMBER_BYTES = 2;
    /** Rows or columns that any file may have; more only one that has a byte for each. */
    private static final int MODEST = 1 << 16;

    private final Path file;
    private final BufferedReader reader;
    private final long bytes;
    private int line;
    private boolean isDense;
    private Field field = Field.REAL;
    private Symmetry symmetry = Symmetry.GENERAL;
    private int rows;
    private int columns;
    private int count;
    private int[] rowOf = new int[16];
    private int[] columnOf = new int[16];
    private double[] values = new double[16];

    private enum Field {
        REAL(NUMBER, "a number like -1.5e3"),
        INTEGER(MatrixMarket.INTEGER, "a whole number"),
        UNSIGNED_INTEGER(UNSIGNED, "a whole number from 0 up"),
        PATTERN(NUMBER, "no value");

        private final Pattern form;
        private final String expected;

        Field(Pattern form, String expected) {
            this.form = form;
            this.expected = expected;
        }
    }

    private enum Symmetry {
        GENERAL,
        SYMMETRIC,
        SKEW
    }

    /** A file that cannot be read as a matrix; the message names the file and the line. */
    public static final class FormatException extends IOException {
        private static final long serialVersionUID = 1;

        FormatException(String message) {
            super(message);
        }
    }

    private MatrixMarket(Path file, BufferedReader reader, long bytes) {
        this.file = file;
        this.reader = reader;
        this.bytes = bytes;
    }

    /**
     * Reads a matrix.
     *
     * @throws FormatException if the file has no matrix of these kinds
     * @throws IOException if it cannot be read
     */
    public static SparseMatrix read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            return new MatrixMarket(file, reader, Files.size(file)).read();
        }
    }

    private SparseMatrix read() throws IOException {
        header();
        long entries = sizes();
        if (isDense) {
            dense();
        } else {
            coordinates(entries);
        }
        String more = nextLine();
        if (more != null) {
            throw error("'" + shortened(more) + "' stands after the last entry; expected the end of the file");
        }
        try {
            return SparseMatrix.assembled(
                    rows,
                    columns,
                    Arrays.copyOf(rowOf, count),
                    Arrays.copyOf(columnOf, count),
                    Arrays.copyOf(values, count),
                    field == Field.PATTERN ? Math::max : Double::sum);
        } catch (ArithmeticException e) {
            throw new FormatException(file + ": " + e.getMessage());
        }
    }

    /**
     * Writes a vector as a matrix of one column, in form {@code array}; {@link #read} returns the same values. Not
     * atomic.
     *
     * @throws IOException if the file cannot be written
     */
    public static void write(double[] vector, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            out.write("%%MatrixMarket matrix array real general\n" + vector.length + " 1\n");
            for (double value : vector) {
                out.write(value + "\n");
            }
        }
    }

    // ---- the first lines

    private void header() throws IOException {
        String text = reader.readLine();
        line = 1;
        String[] words = text == null ? new String[0] : split(text.toLowerCase(Locale.ROOT));
        if (words.length != 5 || !words[0].equals(BANNER) || !words[1].equals("matrix")) {
            throw error("'" + shortened(text == null ? "" : text)
                    + "'; expected a first line like '%%MatrixMarket matrix coordinate real general'");
        }
        isDense = chosen(words[2], "coordinate", "array") == 1;
        field = Field.values()[chosen(words[3], "real", "integer", "unsigned-integer", "pattern")];
        symmetry = Symmetry.values()[chosen(words[4], "general", "symmetric", "skew-symmetric")];
        if (field == Field.PATTERN && (isDense || symmetry == Symmetry.SKEW)) {
            throw error("a pattern in form '" + words[2] + "' that is " + words[4]
                    + "; expected a pattern in coordinates, general or symmetric");
        }
    }

    private int chosen(String word, String... known) throws FormatException {
        int place = Arrays.asList(known).indexOf(word);
        if (place < 0) {
            throw error("'" + shortened(word) + "' matrices are not read; expected " + String.join(", ", known));
        }
        return place;
    }

    /** Reads the line of sizes; returns the number of entries in the file. */
    private long sizes() throws IOException {
        String text = nextLine();
        String[] words = text == null ? new String[0] : split(text);
        if (words.length != (isDense ? 2 : 3)) {
            throw error((text == null ? "the file ends" : "'" + shortened(text) + "'")
                    + "; expected the numbers of rows" + (isDense ? " and columns" : ", columns and entries"));
        }
        rows = order("rows", words[0]);
        columns = order("columns", words[1]);
        if (symmetry != Symmetry.GENERAL && rows != columns) {
            throw error("a symmetric matrix of " + rows + " x " + columns + "; expected as many rows as columns");
        }
        long entries = isDense ? denseEntries() : whole("entries", words[2]);
        long room = bytes / (isDense ? NUMBER_BYTES : ENTRY_BYTES) + 1;
        if (entries < 0 || entries > room) {
            throw error(entries + " entries; the file has " + bytes + " bytes, which hold " + room + " at most");
        }
        if (entries > (Integer.MAX_VALUE - 64) / (symmetry == Symmetry.GENERAL ? 1 : 2)) {
            throw error(entries + " entries; expected some 2,000,000,000 at most, with those of both triangles");
        }
        return entries;
    }

    private long denseEntries() {
        long n = rows;
        return switch (symmetry) {
            case GENERAL -> n * columns;
            case SYMMETRIC -> n * (n + 1) / 2;
            case SKEW -> n * (n - 1) / 2;
        };
    }

    private int order(String what, String word) throws FormatException {
        long value = whole(what, word);
        long most = Math.min(Integer.MAX_VALUE - 64, Math.max(MODEST, bytes));
        if (value < 1 || value > most) {
            throw error(value + " " + what + "; expected 1 to " + most + " in a file of " + bytes + " bytes");
        }
        return (int) value;
    }

    // ---- entries

    private void coordinates(long entries) throws IOException {
        boolean isPattern = field == Field.PATTERN;
        int words = isPattern ? 2 : 3;
        for (long i = 0; i < entries; i++) {
            String text = nextLine();
            if (text == null) {
                throw error("the file ends after " + i + " of " + entries + " entries");
            }
            String[] its = split(text);
            if (its.length != words) {
                throw error("'" + shortened(text) + "'; expected row, column" + (isPattern ? "" : " and value"));
            }
            int row = index("row", its[0], rows);
            int column = index("column", its[1], columns);
            if ((symmetry != Symmetry.GENERAL && row < column) || (symmetry == Symmetry.SKEW && row == column)) {
                throw error("entry (" + (row + 1) + ", " + (column + 1) + ") of a symmetric matrix; expected those "
                        + (symmetry == Symmetry.SKEW ? "below" : "on and below") + " the diagonal alone");
            }
            addBoth(row, column, isPattern ? 1 : number(its[2]));
        }
    }

    private void dense() throws IOException {
        for (int column = 0; column < columns; column++) {
            int first = switch (symmetry) {
                case GENERAL -> 0;
                case SYMMETRIC -> column;
                case SKEW -> column + 1;
            };
            for (int row = first; row < rows; row++) {
                String text = nextLine();
                if (text == null) {
                    throw error("the file ends before entry (" + (row + 1) + ", " + (column + 1) + ") of a matrix of "
                            + rows + " x " + columns);
                }
                double value = number(text.strip());
                if (value != 0) {
                    addBoth(row, column, value);
                }
            }
        }
    }

    private void addBoth(int row, int column, double value) {
        add(row, column, value);
        if (symmetry != Symmetry.GENERAL && row != column) {
            add(column, row, symmetry == Symmetry.SKEW ? -value : value);
        }
    }

    private void add(int row, int column, double value) {
        if (count == values.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, count + (long) count);
            rowOf = Arrays.copyOf(rowOf, size);
            columnOf = Arrays.copyOf(columnOf, size);
            values = Arrays.copyOf(values, size);
        }
        rowOf[count] = row;
        columnOf[count] = column;
        values[count++] = value;
    }

    // ---- words

    /** Returns the next line that is neither empty nor a comment; null at the end. */
    private @Nullable String nextLine() throws IOException {
        String text = reader.readLine();
        line++;
        while (text != null && (text.isBlank() || text.stripLeading().startsWith("%"))) {
            text = reader.readLine();
            line++;
        }
        return text;
    }

    private static String[] split(String text) {
        return BLANKS.split(text.strip(), -1);
    }

    private int index(String what, String word, int limit) throws FormatException {
        long value = whole(what, word);
        if (value < 1 || value > limit) {
            throw error(what + " " + value + "; expected 1 to " + limit);
        }
        return (int) value - 1;
    }

    private long whole(String what, String word) throws FormatException {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw error("'" + shortened(word) + "' as " + what + "; expected a whole number");
        }
    }

    private double number(String word) throws FormatException {
        if (!field.form.matcher(word).matches()) {
            throw error("'" + shortened(word) + "' as a value; expected " + field.expected);
        }
        double value = Double.parseDouble(word);
        if (Double.isInfinite(value)) {
            throw error("'" + shortened(word) + "' as a value, which is too large for a double");
        }
        if (value == 0 && NON_ZERO.matcher(word).matches()) {
            throw error("'" + shortened(word) + "' as a value, which is too small for a double; expected 0, or "
                    + Double.MIN_VALUE + " at least");
        }
        if (field != Field.REAL && word.length() > SAFE_DIGITS && !isExact(value, word)) {
            throw error("'" + shortened(word) + "' as a value, which a double would round; expected a whole number of"
                    + " 53 bits, or a 'real' matrix");
        }
        return value;
    }

    private static boolean isExact(double value, String word) {
        return new BigDecimal(value).compareTo(new BigDecimal(word)) == 0;
    }

    private static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }

    private FormatException error(String message) {
        return new FormatException(file + ":" + line + ": " + message);
    }
}
