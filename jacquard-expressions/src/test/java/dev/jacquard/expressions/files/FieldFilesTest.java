package dev.jacquard.expressions.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.RunsBeside;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields in files, read again by NumPy, by a small reader of VTK's format, and from checkpoints. */
class FieldFilesTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Faces> U = Tag.faces("u<\u0001&");
    private static final Tag<Node> N = Tag.node("n");
    private static final Tag<FaceY> V = Tag.faceY("v");
    private static final Grid CUBE =
            Grid.of(5, 3, 2).lengths(1, 1.5, 4).origin(0, -1, 2).ghosts(2);

    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private FieldStore store(Grid grid) {
        FieldStore fields = FieldStore.open(session, grid);
        fields.set(T, (x, y, z) -> x + 10 * y + 100 * z);
        return fields;
    }

    // ---- arrays of NumPy

    @Test
    void headersAreThoseThatNumpyWrites() throws IOException {
        try (FieldStore fields = store(CUBE)) {
            Path file = folder.resolve("T.npy");
            fields.files().npy(T, file);
            byte[] bytes = Files.readAllBytes(file);
            String head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 5), }";
            assertEquals(128 + 30 * Double.BYTES, bytes.length);
            assertEquals(
                    "\u0093NUMPY\u0001\u0000v\u0000" + head + " ".repeat(128 - 10 - head.length() - 1) + "\n",
                    new String(bytes, 0, 128, ISO_8859_1));
            ByteBuffer values = ByteBuffer.wrap(bytes, 128, 240).slice().order(ByteOrder.LITTLE_ENDIAN);
            double[] read = new double[30];
            values.asDoubleBuffer().get(read);
            assertArrayEquals(fields.values(T), read);
        }
        assertEquals(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1234567,), }",
                header(Grid.of(1_234_567).type(DataType.FLOAT32)));
        assertEquals("{'descr': '<f8', 'fortran_order': False, 'shape': (9, 70), }", header(Grid.of(70, 9)));
    }

    private static String header(Grid grid) {
        byte[] bytes = NpyFile.header(
                grid.dimensions(), grid.interior(Tag.cell("a").centring(0)), grid.type() == DataType.FLOAT32);
        return new String(bytes, 10, bytes.length - 10, ISO_8859_1).trim();
    }

    @Test
    void numpyReadsArraysAndWritesTheSameBytes() throws IOException, InterruptedException {
        assumeTrue(python("import numpy", "").isBlank(), "no python3 with numpy");
        for (Grid grid :
                new Grid[] {CUBE, CUBE.type(DataType.FLOAT32), Grid.of(70, 9).ghosts(1), Grid.of(17), Grid.of(1, 1, 3)
                }) {
            try (FieldStore fields = store(grid)) {
                Path file = folder.resolve("T.npy");
                fields.files().npy(T, file);
                Path again = folder.resolve("again.npy");
                String sum = python(
                        "import numpy as n, sys; a = n.load('" + file + "'); n.save('" + again + "', a);"
                                + " sys.stdout.write(repr(float(a.astype('f8').ravel()[-1])) + ' ' + str(a.shape))",
                        "");
                double[] values = fields.values(T);
                StringBuilder shape = new StringBuilder();
                for (int axis = grid.dimensions() - 1; axis >= 0; axis--) {
                    shape.append(shape.isEmpty() ? "" : ", ").append(grid.cells(axis));
                }
                assertEquals(
                        values[values.length - 1] + " (" + shape + (grid.dimensions() == 1 ? ",)" : ")"),
                        sum,
                        () -> "on " + grid);
                assertEquals(-1, Files.mismatch(file, again), () -> "on " + grid);
            }
        }
    }

    /** Runs a program, and returns what it prints, or {@code otherwise} and the error. */
    private static String python(String program, String otherwise) throws InterruptedException {
        try {
            Process process = new ProcessBuilder("python3", "-c", program)
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return process.waitFor(1, TimeUnit.MINUTES) ? text : otherwise + text;
        } catch (IOException e) {
            return otherwise + e;
        }
    }

    @Test
    void componentsOfVectorsAreArraysOfTheirOwn() throws IOException {
        try (FieldStore fields = store(CUBE)) {
            fields.set(U, (x, y, z) -> x);
            Path file = folder.resolve("u.npy");
            Messages.assertMentions(
                    assertThrows(
                            IllegalArgumentException.class, () -> fields.files().npy(U, file)),
                    "vector of 3 fields");
            fields.files().npy(fields.field(U, 2), file);
            assertEquals(128 + 5 * 3 * 3 * Double.BYTES, Files.size(file));
        }
    }

    // ---- images of VTK

    @Test
    void imagesOfVtkHaveTheirArrays() throws IOException {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.FLOAT32}) {
            try (FieldStore fields = store(CUBE.type(type))) {
                fields.set(U, (x, y, z) -> x + 10 * y + 100 * z);
                fields.set(N, (x, y, z) -> x - y * z);
                fields.set(V, (x, y, z) -> y);
                Path file = folder.resolve("all.vti");
                fields.files().vti(file, N, T, U, V);
                Vti vti = new Vti(Files.readAllBytes(file));
                assertEquals("0 5 0 3 0 2", vti.attribute("WholeExtent"));
                assertEquals("0.0 -1.0 2.0", vti.attribute("Origin"));
                assertEquals("0.2 0.5 2.0", vti.attribute("Spacing"));
                assertArrayEquals(fields.values(N), vti.array("PointData", "n", 1, type));
                assertArrayEquals(fields.values(T), vti.array("CellData", "T", 1, type));
                double[] means = vti.array("CellData", "u&lt;_&amp;", 3, type);
                double[] cells = fields.values(T);
                for (int i = 0; i < means.length; i++) {
                    assertEquals(cells[i / 3], means[i], 1e-4, "linear functions are their own means");
                }
                assertEquals(-0.75, vti.array("CellData", "v", 1, type)[0]);
            }
        }
    }

    @Test
    void gridsWithFewerDimensionsAreFlat() throws IOException {
        try (FieldStore fields = store(Grid.of(4, 2).lengths(2, 1))) {
            fields.set(U, (x, y, z) -> 7);
            Path file = folder.resolve("flat.vti");
            fields.files().vti(file, T, U);
            Vti vti = new Vti(Files.readAllBytes(file));
            assertEquals("0 4 0 2 0 0", vti.attribute("WholeExtent"));
            assertEquals("0.5 0.5 1.0", vti.attribute("Spacing"));
            double[] vectors = vti.array("CellData", "u&lt;_&amp;", 3, DataType.FLOAT64);
            assertEquals(24, vectors.length);
            assertArrayEquals(new double[] {7, 7, 0}, new double[] {vectors[0], vectors[1], vectors[2]});
            assertThrows(IllegalArgumentException.class, () -> fields.files().vti(file));
            assertThrows(IllegalArgumentException.class, () -> fields.files().vti(file, T, T));
        }
    }

    /** A reader of the one form that is written. */
    private static final class Vti {
        private final byte[] bytes;
        private final String text;
        private final int data;

        Vti(byte[] bytes) {
            this.bytes = bytes;
            text = new String(bytes, ISO_8859_1);
            String start = "<AppendedData encoding=\"raw\">\n   _";
            data = text.indexOf(start) + start.length();
        }

        String attribute(String name) {
            Matcher matcher = Pattern.compile(name + "=\"(.*?)\"").matcher(text.substring(0, data));
            return matcher.find() ? matcher.group(1) : "none";
        }

        double[] array(String element, String name, int components, DataType type) {
            String its = text.substring(text.indexOf("<" + element + ">"), text.indexOf("</" + element + ">"));
            Matcher matcher = Pattern.compile("<DataArray type=\"(.*?)\" Name=\"" + name + "\" NumberOfComponents=\""
                            + components + "\" format=\"appended\" offset=\"(\\d+)\"/>")
                    .matcher(its);
            assertEquals(true, matcher.find(), name);
            assertEquals(type == DataType.FLOAT32 ? "Float32" : "Float64", matcher.group(1));
            ByteBuffer at = ByteBuffer.wrap(bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(data + Integer.parseInt(matcher.group(2)));
            double[] values = new double[(int) at.getLong() / type.bytes()];
            for (int i = 0; i < values.length; i++) {
                values[i] = type == DataType.FLOAT32 ? at.getFloat() : at.getDouble();
            }
            return values;
        }
    }

    // ---- checkpoints

    @Test
    void fieldsComeBackFromCheckpointsWithTheirGhosts() throws IOException {
        Path file = folder.resolve("state");
        try (FieldStore fields = store(CUBE)) {
            fields.set(U, (x, y, z) -> Math.sin(x + 3 * y) - z);
            try (CheckpointWriter out = CheckpointWriter.create(file, CUBE.toString())) {
                fields.files().save(out, T, U);
                out.commit();
            }
            double[] t = fields.values(T);
            double[] w = fields.values(fields.field(U, 2));
            fields.set(T, (x, y, z) -> -1);
            fields.set(U, (x, y, z) -> -1);
            try (CheckpointReader in = CheckpointReader.open(file, CUBE.toString())) {
                fields.files().restore(in, T, U);
                assertEquals(9L * 7 * 6 * Double.BYTES, in.bytes("field T"));
            }
            assertArrayEquals(t, fields.values(T));
            assertArrayEquals(w, fields.values(fields.field(U, 2)));
            Path again = folder.resolve("again");
            try (CheckpointWriter out = CheckpointWriter.create(again, CUBE.toString())) {
                fields.files().save(out, T, U);
                out.commit();
            }
            assertEquals(-1, Files.mismatch(file, again), "ghosts, too");
        }
        try (FieldStore other = store(Grid.of(4, 4));
                CheckpointReader in = CheckpointReader.open(file, CUBE.toString())) {
            Messages.assertMentions(
                    assertThrows(IOException.class, () -> other.files().restore(in, T)),
                    "grid of field T",
                    CUBE.toString(),
                    "4x4 cells");
            Messages.assertMentions(
                    assertThrows(IOException.class, () -> other.files().restore(in, V)), "no entry \"field v\"");
        }
    }

    /** As many bytes do not make the points the same. */
    @Test
    void fieldsOfOtherGridsAreRefused() throws IOException {
        Path file = folder.resolve("state");
        try (FieldStore fields = store(Grid.of(6, 4));
                CheckpointWriter out = CheckpointWriter.create(file, "model")) {
            fields.files().save(out, T);
            out.commit();
        }
        try (FieldStore other = store(Grid.of(4, 6));
                CheckpointReader in = CheckpointReader.open(file, "model")) {
            Messages.assertMentions(
                    assertThrows(
                            CheckpointReader.RefusedException.class,
                            () -> other.files().restore(in, T)),
                    "\"6x4 cells",
                    "and not \"4x6 cells");
        }
    }

    /** Faces across x and y are as many on a square: their values are at other points. */
    @Test
    void fieldsOfOtherPlacesOnTheGridAreRefused() throws IOException {
        Path file = folder.resolve("state");
        try (FieldStore fields = store(Grid.of(4, 4));
                CheckpointWriter out = CheckpointWriter.create(file, "model")) {
            fields.set(Tag.faceX("u"), (x, y, z) -> x + 10 * y);
            fields.files().save(out, Tag.faceX("u"));
            out.commit();
        }
        try (FieldStore other = store(Grid.of(4, 4));
                CheckpointReader in = CheckpointReader.open(file, "model")) {
            Messages.assertMentions(
                    assertThrows(
                            CheckpointReader.RefusedException.class,
                            () -> other.files().restore(in, Tag.faceY("u"))),
                    "centring of field u",
                    "\"FACE_X\", and not \"FACE_Y\"");
        }
    }

    @Test
    void whatCannotBeWrittenSaysWhy() {
        try (FieldStore fields = store(CUBE)) {
            Path file = folder.resolve("none").resolve("T.npy");
            Messages.assertMentions(
                    assertThrows(IOException.class, () -> fields.files().npy(T, file)),
                    file + " cannot be written: there is no folder");
            assertFalse(Files.exists(file));
        }
    }

    // ---- beside others

    /** Another thread's runs have their place before or behind all components of a vector. */
    @Test
    void vectorsAreWrittenBesideRunsThatChangeThem() throws IOException {
        Tag<Faces> flux = Tag.faces("flux");
        Path checkpoint = folder.resolve("checkpoint");
        try (Session two = Session.builder().workers(2).open(); // one runs while this thread waits for another
                FieldStore fields = FieldStore.open(two, CUBE)) {
            fields.set(T, (x, y, z) -> x);
            fields.set(flux, (x, y, z) -> 0);
            CompiledGraph graph = two.record(recorder -> {
                TaskBuilder task = recorder.task("change");
                for (int axis = 0; axis < 3; axis++) {
                    task.updates(fields.field(flux, axis).data());
                }
                task.run(context -> {});
            });
            try (RunsBeside _ = new RunsBeside(graph)) {
                for (int i = 0; i < 50; i++) {
                    fields.files().vti(folder.resolve("flux.vti"), flux, T);
                    try (CheckpointWriter out = CheckpointWriter.create(checkpoint, "test")) {
                        fields.files().save(out, flux);
                        out.commit();
                    }
                    try (CheckpointReader in = CheckpointReader.open(checkpoint, "test")) {
                        fields.files().restore(in, flux);
                    }
                }
            }
            assertEquals(0, graph.report().failed());
        }
    }
}
