package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.program.InputException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data in checkpoints: a component gives one data by two sources; in a loop a task of another component changes it
 * through one, which the checkpoint has to wait for, and the component reads it through the other.
 */
class DataCheckpointsTest {
    private static final String PROGRAM = """
            program: fields
            workers: 2
            checkpoint: {every: 1}
            components:
              make: {component: scripted, id: make, data: true}
              grow: {component: scripted, id: grow, data: true}
              end: {component: scripted, id: end, exit: true}
            wires:
              make.left: none
              make.right: none
              make.in: none
              grow.left: make.one
              grow.right: make.two
              grow.in: end.again
              end.in: grow.out
            """;

    private static final int ROWS = 3;
    private static final int COLUMNS = 5;
    private static final int PASSES = 5;

    @TempDir
    Path folder;

    private Programs programs;
    /** The pass in which the program is stopped; 0 for none. */
    private int stop;

    @BeforeEach
    void make() {
        programs = new Programs(folder);
        Scripted.ends("end", PASSES);
        Scripted.is("grow", Growth::new);
    }

    /** Gives that data, filled if it is to be, by both sources. */
    private static void makes(Function<Session, Data> maker, boolean fills) {
        Scripted.is("make", context -> () -> {
            Session session = context.session();
            Data data = maker.apply(session);
            if (fills) {
                session.graph().task("fill").writes(data).run(task -> fill(task.memory(data), 0));
            }
            context.output(Scripted.ONE).set(data);
            context.output(Scripted.TWO).set(data);
            return true;
        });
    }

    private static void fill(Memory memory, long first) {
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                memory.setLong(row, column, first + 10L * row + column);
            }
        }
    }

    private static void grow(Memory memory) {
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                memory.setLong(row, column, 3 * memory.getLong(row, column) + row);
            }
        }
    }

    /** Changes data through one sink, and tells what it reads through the other; keeps the data, too. */
    private final class Growth implements Instance {
        private final ComponentContext context;
        private final Input<Data> left;
        private final Input<Data> right;
        private final List<String> told = new ArrayList<>();
        private List<Data> kept = List.of();

        Growth(ComponentContext context) {
            this.context = context;
            left = context.input(Scripted.LEFT);
            right = context.input(Scripted.RIGHT);
            context.keep("told", SocketType.listOf(SocketType.of(String.class)), () -> told, told::addAll);
            context.keep("kept", SocketType.listOf(Scripted.LONGS), () -> kept, its -> kept = its);
        }

        @Override
        public boolean execute() {
            Session session = context.session();
            Data data = left.get();
            int pass = told.size() + 1;
            String same = kept.isEmpty() ? "new" : String.valueOf(kept.getFirst() == data && data == right.get());
            kept = List.of(data, data);
            if (pass == 3 && data.name().equals("late")) {
                session.graph().task("fill").writes(data).run(task -> fill(task.memory(data), 7));
            }
            if (pass >= 3 || !data.name().equals("late")) {
                try (UserView view = session.data().open(right.get(), dev.jacquard.memory.access.Mode.READ)) {
                    told.add(same + " " + about(data) + " " + values(view.memory(data)));
                }
                session.graph().task("grow").updates(data).run(task -> grow(task.memory(data)));
            } else {
                told.add(same + " " + about(data));
            }
            if (pass == stop) {
                throw new IllegalStateException("stopped by the test");
            }
            context.output(Scripted.OUT).set("pass " + pass);
            context.result(List.copyOf(told));
            return true;
        }
    }

    /** Returns all that is to be the same again. */
    private static String about(Data data) {
        MemorySegment home = data.home();
        String kind = home == null
                ? "none"
                : home.heapBase().map(array -> array.getClass().getSimpleName()).orElse("native");
        String layout = data.layout().isAligned() ? data.layout().toString() : "packed or with gaps";
        return data.name() + " " + data.layout().type() + " " + data.box() + " home " + kind + " " + layout;
    }

    private static List<Long> values(Memory memory) {
        List<Long> values = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                values.add(memory.getLong(row, column));
            }
        }
        return values;
    }

    private Object run(RunMode mode, Path out, boolean resumes) throws Exception {
        Program program = programs.load(PROGRAM, mode);
        return Objects.requireNonNull(
                Programs.complete(program, out, resumes).values().get("results"));
    }

    private Path stopped(int pass, RunMode mode) {
        Path out = folder.resolve("out");
        stop = pass;
        ComponentFailedException failure = assertThrows(ComponentFailedException.class, () -> run(mode, out, false));
        assertTrue(String.valueOf(failure.getMessage()).contains("stopped by the test"), failure.toString());
        stop = 0;
        return out;
    }

    private static Map<String, Function<Session, Data>> makers() {
        Map<String, Function<Session, Data>> makers = new LinkedHashMap<>();
        Layout packed = Layout.of(DataType.INT64, ROWS, COLUMNS);
        makers.put("engine's", session -> session.data().of("x", packed));
        makers.put("array", session -> session.data().matrix("x", new long[ROWS * COLUMNS + 4], ROWS, COLUMNS));
        makers.put(
                "native",
                session -> session.data().home("x", packed, Arena.ofAuto().allocate(packed.bytes(), 8)));
        Layout gaps = Layout.matrix(DataType.INT64, ROWS, COLUMNS, COLUMNS + 2);
        makers.put("gaps", session -> session.data().home("x", gaps, MemorySegment.ofArray(new long[50])));
        makers.put("engine's with gaps", session -> session.data().of("x", gaps));
        Layout aligned = Layout.aligned(DataType.INT64, 2, 3, ROWS, COLUMNS);
        makers.put("aligned", session -> session.data().of("x", aligned));
        makers.put("late", session -> session.data().of("late", packed));
        return makers;
    }

    @Test
    void programsGoOnToTheSameValues() throws Exception {
        for (Map.Entry<String, Function<Session, Data>> maker : makers().entrySet()) {
            makes(maker.getValue(), !maker.getKey().equals("late"));
            Object expected = run(RunMode.SERIAL, folder.resolve("whole"), false);
            for (int pass = 2; pass <= PASSES; pass++) {
                RunMode before = pass % 2 == 0 ? RunMode.SERIAL : RunMode.PARALLEL;
                RunMode behind = pass < 4 ? RunMode.PARALLEL : RunMode.SERIAL;
                Path out = stopped(pass, before);
                assertEquals(
                        expected,
                        run(behind, out, true),
                        maker.getKey() + ", stopped in pass " + pass + ", " + before + ", then " + behind);
            }
        }
    }

    /** Two sources and a kept list refer to it. */
    @Test
    void dataIsSavedOnce() throws Exception {
        makes(session -> session.data().of("x", Layout.of(DataType.INT64, ROWS, COLUMNS)), true);
        Path file = stopped(3, RunMode.SERIAL).resolve("checkpoint");
        try (CheckpointReader in = CheckpointReader.open(file, ProgramCheckpoint.IDENTITY)) {
            assertTrue(in.names().contains("data 0"));
            assertFalse(in.names().contains("data 1"));
            assertEquals(8L * ROWS * COLUMNS, in.bytes("elements of data 0"));
        }
    }

    @Test
    void whatCannotBeSavedIsTold() {
        makes(
                session -> {
                    Data data = session.data().of("x", Layout.of(DataType.INT64, ROWS, COLUMNS));
                    session.data().free(data);
                    return data;
                },
                false);
        Scripted.is("grow", context -> () -> true);
        requireNotSaved("it was freed, and a source or a kept value still has it");
        makes(session -> session.data().of("x", Layout.of(DataType.INT64, ROWS, COLUMNS)), false);
        Scripted.is("grow", context -> () -> {
            Data data = context.input(Scripted.LEFT).get();
            TaskGraph own = context.session().graph("own", FailurePolicy.CONTINUE);
            own.task("bad").writes(data).run(task -> {
                throw new IllegalStateException("no values today");
            });
            return true;
        });
        requireNotSaved("task \"bad\" failed on ");
        try (Session other = Session.builder().workers(1).open()) {
            makes(session -> other.data().matrix("x", new long[4], 2, 2), false);
            Scripted.is("grow", context -> () -> true);
            requireNotSaved(
                    "task \"view of x\" of graph \"outside of tasks\" accesses \"x\", which belongs to another session");
        }
    }

    private void requireNotSaved(String why) {
        for (RunMode mode : List.of(RunMode.SERIAL, RunMode.PARALLEL)) {
            Exception failure =
                    assertThrows(ComponentFailedException.class, () -> run(mode, folder.resolve("out"), false));
            String message = String.valueOf(failure.getMessage());
            assertTrue(message.startsWith("data \"x\" cannot be saved in a checkpoint: " + why), message);
        }
    }

    /** Nothing is allocated by extents that there are no elements for. */
    @Test
    void storedDataThatCannotBeRightIsRefused() throws Exception {
        makes(session -> session.data().of("x", Layout.of(DataType.INT64, ROWS, COLUMNS)), true);
        Path out = stopped(3, RunMode.SERIAL);
        Path file = out.resolve("checkpoint");
        byte[] whole = Files.readAllBytes(file);
        for (DataHead.Home home : DataHead.Home.values()) {
            for (long[] extents : new long[][] {{1L << 20, 1L << 20}, {1L << 40, 1L << 40}, {0, 3}, {}, {3, 4}}) {
                Files.write(file, whole);
                replaceHead(file, new DataHead("x", DataType.INT64, extents, home, true, -1, 0));
                InputException refused = assertThrows(InputException.class, () -> run(RunMode.SERIAL, out, true));
                assertTrue(String.valueOf(refused.getMessage()).startsWith("--resume: "), refused.toString());
            }
        }
        Files.write(file, whole);
        replaceHead(
                file,
                new DataHead("x", DataType.INT32, new long[] {2 * ROWS, COLUMNS}, DataHead.Home.NONE, true, -1, 0));
        InputException refused = assertThrows(InputException.class, () -> run(RunMode.SERIAL, out, true));
        assertTrue(String.valueOf(refused.getMessage()).contains(" is no value of "), refused.toString());
        for (int length = 0; length < whole.length; length += 1 + whole.length / 40) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThrows(InputException.class, () -> run(RunMode.SERIAL, out, true), "cut off at " + length);
        }
    }

    private static void replaceHead(Path file, DataHead head) throws IOException {
        try (CheckpointReader in = CheckpointReader.open(file, ProgramCheckpoint.IDENTITY);
                CheckpointWriter out = CheckpointWriter.create(file, ProgramCheckpoint.IDENTITY)) {
            for (String name : in.names()) {
                if (name.equals("data 0")) {
                    out.writeValue(name, DataHead.CODEC, head);
                } else if (name.equals("keys") || name.equals("values") || name.startsWith("item ")) {
                    out.writeText(name, in.readText(name));
                } else if (name.startsWith("executions ")) {
                    out.writeLong(name, in.readLong(name));
                } else {
                    byte[] bytes = new byte[(int) in.bytes(name)];
                    in.readBytes(name, MemorySegment.ofArray(bytes));
                    out.writeBytes(name, MemorySegment.ofArray(bytes));
                }
            }
            out.commit();
        }
    }
}
