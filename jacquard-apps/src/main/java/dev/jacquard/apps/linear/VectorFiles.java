package dev.jacquard.apps.linear;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.expressions.files.NpyHeader;
import dev.jacquard.numerics.sparse.MatrixMarket;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Vectors in files: arrays of NumPy and matrices of one column in MatrixMarket form. */
final class VectorFiles {
    private static final Pattern TYPE = Pattern.compile("[<>=][fi][48]");

    private VectorFiles() {}

    /**
     * Reads a vector of doubles, in either form; the file's first bytes tell which.
     *
     * @param size the number of elements that it must have
     * @throws InputException if the file has no vector of that size
     */
    static double[] read(Path file, int size) throws IOException {
        byte[] begin;
        try (InputStream in = Files.newInputStream(file)) {
            begin = in.readNBytes(6);
        }
        if (NpyHeader.isMagic(begin)) {
            return readNpy(file, size);
        }
        if (begin.length == 0 || begin[0] != '%') {
            throw new InputException(
                    file + ": neither an array of NumPy (numpy.save) nor a matrix in MatrixMarket form,"
                            + " whose first line is like '%%MatrixMarket matrix array real general'");
        }
        return readMatrix(file, size);
    }

    private static double[] readMatrix(Path file, int size) throws IOException {
        SparseMatrix matrix;
        try {
            matrix = MatrixMarket.read(file);
        } catch (MatrixMarket.FormatException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
        if (matrix.rows() != size || matrix.columns() != 1) {
            throw new InputException(file + ": a " + matrix.rows() + " x " + matrix.columns() + " matrix; expected "
                    + size + " x 1, a value for each row of the matrix A");
        }
        double[] vector = new double[size];
        matrix.forEach((row, column, value) -> vector[row] = value);
        return vector;
    }

    private static double[] readNpy(Path file, int size) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            NpyHeader header;
            try {
                header = NpyHeader.read(in);
            } catch (IOException e) {
                throw new InputException(file + ": " + e.getMessage(), e);
            }
            List<Long> shape = header.shape();
            boolean isVector = shape.size() == 1 || (shape.size() == 2 && shape.get(1) == 1);
            if (!isVector || shape.getFirst() != size) {
                throw new InputException(file + ": an array of shape " + shape + "; expected [" + size + "] or [" + size
                        + ", 1], a value for each row of the matrix A");
            }
            String type = header.type();
            if (!TYPE.matcher(type).matches()) {
                throw new InputException(file + ": elements of type '" + type + "'; expected f8, f4, i8 or i4");
            }
            return elements(file, in, size, type.substring(1), order(type));
        }
    }

    private static ByteOrder order(String type) {
        return switch (type.charAt(0)) {
            case '<' -> ByteOrder.LITTLE_ENDIAN;
            case '>' -> ByteOrder.BIG_ENDIAN;
            default -> ByteOrder.nativeOrder();
        };
    }

    private static double[] elements(Path file, InputStream in, int size, String kind, ByteOrder order)
            throws IOException {
        int width = kind.charAt(1) - '0';
        double[] vector = new double[size];
        for (int i = 0; i < size; i++) {
            byte[] bytes = in.readNBytes(width);
            if (bytes.length < width) {
                throw new InputException(file + ": it ends after " + i + " of " + size + " elements");
            }
            ByteBuffer element = ByteBuffer.wrap(bytes).order(order);
            vector[i] = switch (kind) {
                case "f8" -> element.getDouble();
                case "f4" -> element.getFloat();
                case "i4" -> element.getInt();
                default -> exact(file, i, element.getLong());
            };
        }
        return vector;
    }

    private static double exact(Path file, int place, long value) {
        if ((long) (double) value != value || value == Long.MAX_VALUE) {
            throw new InputException(file + ": element " + place + " is " + value
                    + ", which a double would round; expected a whole number of 53 bits, or elements of type f8");
        }
        return value;
    }

    /** Writes a vector as {@code NAME.mtx} and {@code NAME.npy}. */
    static void write(double[] vector, OutputFolder output, String name) throws IOException {
        MatrixMarket.write(vector, output.file(name + ".mtx"));
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(output.file(name + ".npy"))))) {
            out.write(new NpyHeader("<f8", false, List.of((long) vector.length)).bytes());
            for (double value : vector) {
                out.writeLong(Long.reverseBytes(Double.doubleToRawLongBits(value)));
            }
        }
    }
}
