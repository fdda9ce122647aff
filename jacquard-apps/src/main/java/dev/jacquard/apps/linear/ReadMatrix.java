package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.MatrixMarket;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The component {@code read-matrix}: a matrix of a MatrixMarket file, and a right-hand side of which x = 1 is known.
 */
public final class ReadMatrix implements Component {
    private static final Setting<String> FILE = Setting.required(
            "file",
            Setting.Type.text("a file"),
            "the matrix in MatrixMarket form: coordinate or array; real, integer or pattern; general, symmetric or"
                    + " skew-symmetric");
    private static final Source<SparseMatrix> MATRIX = Source.of("matrix", Sockets.MATRIX, "The matrix A.");
    private static final Source<double[]> RHS =
            Source.of("rhs", Sockets.VECTOR, "The sums of its rows: A x = b for an x of ones.");

    /** Made by the service loader. */
    public ReadMatrix() {}

    @Override
    public String name() {
        return "read-matrix";
    }

    @Override
    public String description() {
        return "reads a matrix from a MatrixMarket file";
    }

    @Override
    public String dataFolder() {
        return "matrices";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(FILE);
    }

    @Override
    public void check(Settings settings) {
        settings.file(FILE);
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
        return List.of(MATRIX, RHS);
    }

    @Override
    public Instance open(ComponentContext context) {
        Path file = context.settings().file(FILE);
        Output<SparseMatrix> matrix = context.output(MATRIX);
        Output<double[]> rhs = context.output(RHS);
        return () -> {
            SparseMatrix read = read(file);
            matrix.set(read);
            double[] ones = new double[read.columns()];
            Arrays.fill(ones, 1);
            rhs.set(read.times(ones));
            context.report(report(read));
            return true;
        };
    }

    private static SparseMatrix read(Path file) throws IOException {
        try {
            return MatrixMarket.read(file);
        } catch (MatrixMarket.FormatException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Report report(SparseMatrix matrix) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rows", matrix.rows());
        values.put("columns", matrix.columns());
        values.put("entries", matrix.entries());
        return new Report(List.of(matrix.toString()), values);
    }
}
