package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values on two wires: a component gives one array by two sources, and in a list, a map and a record; in a loop another
 * changes what it has by one wire, and a third one reads the others.
 */
class SharedValuesTest {
    private static final String PROGRAM = """
            program: shared
            workers: 2
            checkpoint: {every: 1}
            components:
              make: {component: vectors, id: makes}
              change: {component: vectors, id: changes}
              look: {component: vectors, id: looks}
              end: {component: scripted, id: ends vectors, exit: true}
            wires:
              make.left: none
              make.right: none
              make.all: none
              make.pair: none
              make.in: none
              change.left: make.one
              change.right: none
              change.all: make.list
              change.pair: none
              change.in: end.again
              look.left: make.one
              look.right: make.two
              look.all: make.list
              look.pair: make.record
              look.in: change.out
              end.in: look.out
            """;

    private static final int PASSES = 5;
    private static final SocketType<double[]> VECTOR = SocketType.of(double[].class);
    private static final SocketType<List<double[]>> VECTORS = SocketType.listOf(VECTOR);
    private static final SocketType<Pair> PAIR = SocketType.of(Pair.class);
    private static final SocketType<Map<String, List<double[]>>> MAP =
            SocketType.mapOf(SocketType.of(String.class), VECTORS);
    private static final Source<double[]> ONE = Source.of("one", VECTOR, "a vector");
    private static final Source<double[]> TWO = Source.of("two", VECTOR, "the same");
    private static final Source<List<double[]>> LIST = Source.of("list", VECTORS, "in a list");
    private static final Source<Pair> RECORD = Source.of("record", PAIR, "in a record");
    private static final Sink<double[]> LEFT = Sink.optional("left", VECTOR, "a vector");
    private static final Sink<double[]> RIGHT = Sink.optional("right", VECTOR, "a vector");
    private static final Sink<List<double[]>> ALL = Sink.optional("all", VECTORS, "vectors");
    private static final Sink<Pair> IN_PAIR = Sink.optional("pair", PAIR, "vectors");

    /** Two references to values that may be one. */
    public record Pair(double[] first, double[][] rows) {}

    /** Has sockets for vectors. */
    private static final class Vectors implements Component {
        @Override
        public String name() {
            return "vectors";
        }

        @Override
        public String description() {
            return "does what a test says";
        }

        @Override
        public List<Setting<?>> settings() {
            return new Scripted().settings();
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(ONE, TWO, LIST, RECORD, LEFT, RIGHT, ALL, IN_PAIR, Scripted.IN, Scripted.OUT);
        }

        @Override
        public Instance open(ComponentContext context) throws Exception {
            return new Scripted().open(context);
        }
    }

    @TempDir
    Path folder;

    private int stop;

    @BeforeEach
    void make() {
        Scripted.is("makes", context -> () -> {
            double[] vector = {1, 2, 3};
            context.output(ONE).set(vector);
            context.output(TWO).set(vector);
            context.output(LIST).set(new ArrayList<>(List.of(vector, new double[] {7})));
            context.output(RECORD).set(new Pair(vector, new double[][] {{5}, vector}));
            return true;
        });
        Scripted.is("changes", context -> {
            Map<String, List<double[]>> kept = new HashMap<>();
            context.keep("kept", MAP, () -> kept, kept::putAll);
            return () -> {
                double[] vector = context.input(LEFT).get();
                kept.put("all", context.input(ALL).get());
                vector[0] = 3 * vector[0] + 1;
                Objects.requireNonNull(kept.get("all")).add(new double[] {vector[0]});
                context.output(Scripted.OUT).set("changed");
                return true;
            };
        });
        Scripted.is("looks", this::looks);
        Scripted.ends("ends vectors", PASSES);
    }

    private Component.Instance looks(ComponentContext context) {
        List<String> told = new ArrayList<>();
        context.keep("told", SocketType.listOf(SocketType.of(String.class)), () -> told, told::addAll);
        Input<Pair> pair = context.input(IN_PAIR);
        return () -> {
            if (told.size() + 1 == stop) {
                throw new IllegalStateException("stopped by the test");
            }
            double[] one = context.input(LEFT).get();
            List<double[]> all = context.input(ALL).get();
            double[][] rows = pair.get().rows();
            boolean same = one == context.input(RIGHT).get()
                    && one == all.getFirst()
                    && one == pair.get().first()
                    && one == rows[1];
            told.add(same + " " + Arrays.toString(one) + " " + Arrays.deepToString(all.toArray())
                    + Arrays.deepToString(rows));
            context.output(Scripted.OUT).set("looked");
            context.result(List.copyOf(told));
            return true;
        };
    }

    private Object run(RunMode mode, Path out, boolean resumes) throws Exception {
        Catalog catalog = Catalog.of(List.of()).plus(List.of(new Vectors()));
        Program program = new Programs(folder).load(PROGRAM, mode, catalog);
        return Objects.requireNonNull(
                Programs.complete(program, out, resumes).values().get("results"));
    }

    private Path stopped(RunMode mode, int pass) {
        Path out = folder.resolve("out");
        stop = pass;
        assertThrows(ComponentFailedException.class, () -> run(mode, out, false));
        stop = 0;
        return out;
    }

    @Test
    void aValueOnTwoWiresIsOneWhenTheProgramGoesOn() throws Exception {
        Object expected = run(RunMode.SERIAL, folder.resolve("whole"), false);
        assertTrue(String.valueOf(expected).startsWith("{look=[true [4.0, "), expected.toString());
        for (int pass = 2; pass <= PASSES; pass++) {
            RunMode before = pass % 2 == 0 ? RunMode.SERIAL : RunMode.PARALLEL;
            RunMode behind = pass < 4 ? RunMode.PARALLEL : RunMode.SERIAL;
            assertEquals(expected, run(behind, stopped(before, pass), true), "stopped in pass " + pass);
        }
    }

    @Test
    void aValueThatContainsItselfIsRefused() {
        Scripted.is("makes", context -> () -> {
            List<Object> list = new ArrayList<>();
            list.add(list);
            context.output(LIST).set(erased(list));
            context.output(ONE).set(new double[1]);
            context.output(TWO).set(new double[1]);
            context.output(RECORD).set(new Pair(new double[1], new double[2][1]));
            return true;
        });
        Scripted.is("changes", context -> () -> {
            context.output(Scripted.OUT).set("no change");
            return true;
        });
        Scripted.is("looks", context -> () -> {
            context.output(Scripted.OUT).set("no look");
            return true;
        });
        Exception failure = assertThrows(Exception.class, () -> run(RunMode.SERIAL, folder.resolve("out"), false));
        assertTrue(failure.toString().contains("a value of java.util.ArrayList contains itself"), failure.toString());
    }

    @SuppressWarnings("unchecked") // not what the type says
    private static List<double[]> erased(List<?> list) {
        return (List<double[]>) list;
    }

    /** A component that keeps other values than it did: references between values would be wrong. */
    @Test
    void otherKeptValuesAreRefused() throws Exception {
        Path out = stopped(RunMode.SERIAL, 3);
        Scripted.is("changes", context -> () -> true);
        requireRefused(out, "has an entry \"kept change.kept\", and the program has no such value");
        Scripted.is("changes", context -> {
            List<double[]> vectors = new ArrayList<>();
            context.keep("kept", MAP, () -> Map.of("", vectors), its -> {});
            context.keep("other", VECTORS, () -> vectors, vectors::addAll);
            return () -> true;
        });
        requireRefused(out, "has no entry \"kept change.other\"");
        try (CheckpointReader in = CheckpointReader.open(out.resolve("checkpoint"), ProgramCheckpoint.IDENTITY)) {
            assertTrue(in.names().contains("kept change.kept"));
        }
    }

    private void requireRefused(Path out, String why) throws IOException {
        InputException refused = assertThrows(InputException.class, () -> run(RunMode.SERIAL, out, true));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.toString());
    }
}
