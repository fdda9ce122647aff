package dev.jacquard.expressions.files;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Loop.Range;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Image data of VTK: an XML text, and after it the values as they are in memory, each array after its length. Fields in
 * cells are cell data and fields at nodes are point data. The format knows no faces: a field on faces is the mean of a
 * cell's two faces in the file, and a vector has these means as components.
 *
 * <p>Source: VTK file formats, "XML file formats", with appended raw data.
 */
final class VtiFile {
    /** The components of a vector in the file, whatever the grid has. */
    private static final int COMPONENTS = 3;

    private final Grid grid;
    private final List<Array> arrays;

    /**
     * An array of the file.
     *
     * @param name the name of the field
     * @param values the field, or the components of a vector
     * @param isVector true for a vector, which may have only one component
     */
    record Array(String name, List<FieldMemory> values, boolean isVector) {
        boolean isPoints() {
            return values.getFirst().field().centring() == Centring.NODE;
        }
    }

    VtiFile(Grid grid, List<Array> arrays) {
        this.grid = grid;
        this.arrays = arrays;
    }

    void write(Path file) throws IOException {
        try (AtomicFile out = AtomicFile.create(file)) {
            text(out, head());
            for (Array array : arrays) {
                out.write(MemorySegment.ofArray(new long[] {bytes(array)}));
                write(array, out);
            }
            text(out, "\n  </AppendedData>\n</VTKFile>\n");
            out.commit();
        }
    }

    private static void text(AtomicFile out, String text) throws IOException {
        out.write(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
    }

    private long bytes(Array array) {
        Range range = grid.interior(array.isPoints() ? Centring.NODE : Centring.CELL);
        return range.points() * grid.type().bytes() * (array.isVector() ? COMPONENTS : 1);
    }

    private String head() {
        StringBuilder text = new StringBuilder(1000);
        String extent = "0 " + grid.cells(0) + " 0 " + (grid.dimensions() > 1 ? grid.cells(1) : 0) + " 0 "
                + (grid.dimensions() > 2 ? grid.cells(2) : 0);
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\"")
                .append(" byte_order=\"")
                .append(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "LittleEndian" : "BigEndian")
                .append("\" header_type=\"UInt64\">\n  <ImageData WholeExtent=\"")
                .append(extent)
                .append("\" Origin=\"")
                .append(numbers(false))
                .append("\" Spacing=\"")
                .append(numbers(true))
                .append("\">\n    <Piece Extent=\"")
                .append(extent)
                .append("\">\n");
        data(text, "PointData", true);
        data(text, "CellData", false);
        return text.append("    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n   _")
                .toString();
    }

    /** Returns the corner of the grid, or the sizes of its cells; 0 and 1 along axes that it lacks. */
    private String numbers(boolean sizes) {
        StringBuilder text = new StringBuilder();
        for (int axis = 0; axis < Grid.MOST_DIMENSIONS; axis++) {
            boolean there = axis < grid.dimensions();
            double number = sizes ? (there ? grid.spacing(axis) : 1) : (there ? grid.origin(axis) : 0);
            text.append(axis == 0 ? "" : " ").append(number);
        }
        return text.toString();
    }

    private void data(StringBuilder text, String element, boolean points) {
        text.append("      <").append(element).append(">\n");
        long offset = 0;
        for (Array array : arrays) {
            if (array.isPoints() == points) {
                text.append("        <DataArray type=\"")
                        .append(array.values().getFirst().isSingle() ? "Float32" : "Float64")
                        .append("\" Name=\"")
                        .append(escaped(array.name()))
                        .append("\" NumberOfComponents=\"")
                        .append(array.isVector() ? COMPONENTS : 1)
                        .append("\" format=\"appended\" offset=\"")
                        .append(offset)
                        .append("\"/>\n");
            }
            offset += Long.BYTES + bytes(array);
        }
        text.append("      </").append(element).append(">\n");
    }

    private static String escaped(String name) {
        return name.replaceAll("\\p{Cntrl}", "_") // XML has no way to say them
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void write(Array array, AtomicFile out) throws IOException {
        Centring centring = array.values().getFirst().field().centring();
        if (centring == Centring.CELL || centring == Centring.NODE) {
            array.values().getFirst().rows(grid.interior(centring), out::write);
        } else {
            writeMeans(array, out);
        }
    }

    private void writeMeans(Array array, AtomicFile out) throws IOException {
        Range cells = grid.interior(Centring.CELL);
        int components = array.isVector() ? COMPONENTS : 1;
        double[] row = new double[cells.x1() * components];
        for (int z = 0; z < cells.z1(); z++) {
            for (int y = 0; y < cells.y1(); y++) {
                for (int of = 0; of < array.values().size(); of++) {
                    FieldMemory values = array.values().get(of);
                    for (int x = 0; x < cells.x1(); x++) {
                        row[x * components + of] = mean(values, x, y, z);
                    }
                }
                out.write(elements(row, array.values().getFirst().isSingle()));
            }
        }
    }

    private static double mean(FieldMemory faces, int x, int y, int z) {
        Centring centring = faces.field().centring();
        int nextX = x + (centring == Centring.FACE_X ? 1 : 0);
        int nextY = y + (centring == Centring.FACE_Y ? 1 : 0);
        int nextZ = z + (centring == Centring.FACE_Z ? 1 : 0);
        return 0.5 * faces.at(x, y, z) + 0.5 * faces.at(nextX, nextY, nextZ);
    }

    private static MemorySegment elements(double[] row, boolean single) {
        if (!single) {
            return MemorySegment.ofArray(row);
        }
        MemorySegment floats = MemorySegment.ofArray(new float[row.length]);
        for (int i = 0; i < row.length; i++) {
            floats.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) row[i]);
        }
        return floats;
    }
}
