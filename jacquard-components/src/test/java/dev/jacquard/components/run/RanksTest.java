package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs over ranks inside this process. */
@Timeout(120)
class RanksTest {
    @TempDir
    Path folder;

    /** A component whose instances are given. */
    private record Given(String name, Set<RunMode> modes, List<ComponentSocket<?>> all, Opening opening)
            implements Component {
        @Override
        public String description() {
            return "given by a test";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return all;
        }

        @Override
        public Instance open(ComponentContext context) throws Exception {
            return opening.open(context);
        }
    }

    @FunctionalInterface
    private interface Opening {
        Component.Instance open(ComponentContext context) throws Exception;
    }

    private static Given onAll(String name, Opening opening) {
        return new Given(name, Set.of(RunMode.values()), List.of(), opening);
    }

    private Report run(String yaml, RunMode mode, int ranks, Cancellation cancellation, Component... components)
            throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), yaml);
        Catalog catalog = Catalog.of(List.of()).plus(List.of(components));
        Program program = Program.load(file, new Choices(List.of(), null, catalog, mode, ranks));
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            return program.run(new Surroundings(out, Progress.NONE, cancellation, false));
        }
    }

    private String failure(
            Class<? extends Exception> type, String yaml, RunMode mode, int ranks, Component... components) {
        return String.valueOf(assertThrows(type, () -> run(yaml, mode, ranks, new Cancellation(), components))
                .getMessage());
    }

    private static Map<?, ?> placement(Report report) {
        return (Map<?, ?>) Objects.requireNonNull(report.values().get("placement"));
    }

    @Test
    void weightsBalanceTheRanks() throws Exception {
        Report report = run("""
                components:
                  a: {component: number, value: 1}
                  b: {component: number, value: 2, weight: 3}
                  c: {component: number, value: 3}
                  d: {component: number, value: 4}
                """, RunMode.TASK_PARALLEL, 2, new Cancellation());
        Map<?, ?> placement = placement(report);
        assertEquals(List.of(3.0, 3.0), report.values().get("loads"));
        assertEquals(placement.get("a"), placement.get("c"));
        assertEquals(placement.get("a"), placement.get("d"));
        assertNotEquals(placement.get("a"), placement.get("b"));
    }

    /** The slow component has a rank of its own in the second run. */
    @Test
    void weightsAreMeasuredByAnEarlierRun() throws Exception {
        String yaml = """
                weights: %s
                components:
                  a: {component: number, value: 1}
                  b: {component: slow}
                  c: {component: number, value: 3}
                """;
        Component slow = onAll("slow", context -> () -> {
            long end = System.nanoTime() + 20_000_000;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            return true;
        });
        Report first = run(yaml.replaceFirst(".*\n", ""), RunMode.TASK_PARALLEL, 2, new Cancellation(), slow);
        Path file = Files.writeString(folder.resolve("report.json"), first.toJson());
        Report second = run(yaml.formatted(file), RunMode.TASK_PARALLEL, 2, new Cancellation(), slow);
        Map<?, ?> placement = placement(second);
        assertEquals(placement.get("a"), placement.get("c"));
        assertNotEquals(placement.get("a"), placement.get("b"));
        String message =
                failure(InputException.class, yaml.formatted(folder.resolve("p.yaml")), RunMode.TASK_PARALLEL, 2, slow);
        assertTrue(message.contains("'weights' is") && message.contains("report.json of an earlier run"), message);
    }

    /**
     * Of the two balanced cuts of a square, that with fewer bytes, as runs of any mode report them: as they were sent,
     * or by the values.
     */
    @ParameterizedTest
    @CsvSource({"SERIAL, a b", "SERIAL, a c", "TASK_PARALLEL, a b", "TASK_PARALLEL, a c"})
    void wiresWeighTheBytesOfAnEarlierRun(RunMode mode, String pair) throws Exception {
        SocketType<String> text = SocketType.of(String.class);
        List<Source<String>> sources = List.of(Source.of("b", text, "A text."), Source.of("c", text, "A text."));
        List<Sink<String>> sinks = List.of(Sink.optional("b", text, "A text."), Sink.optional("c", text, "A text."));
        List<ComponentSocket<?>> all = new ArrayList<>(sources);
        all.addAll(sinks);
        Component sized = new Given("sized", Set.of(RunMode.values()), all, context -> () -> {
            for (Source<String> source : sources) {
                boolean isAcross = context.name().equals("a") == source.name().equals(pair.substring(2));
                context.output(source).set("x".repeat(isAcross ? 10_000 : 10));
            }
            return true;
        });
        String yaml = """
                weights: %s
                components:
                  a: {component: sized, weight: 1}
                  b: {component: sized, weight: 1}
                  c: {component: sized, weight: 1}
                  d: {component: sized, weight: 1}
                wires: {a.b: none, a.c: none, b.b: a.b, b.c: none, c.b: none, c.c: a.c, d.b: b.b, d.c: c.c}
                """;
        // a sends much to one of b and c, and the other one sends much to d
        Report first = run(yaml.replaceFirst(".*\n", ""), mode, mode.hasRanks() ? 2 : 0, new Cancellation(), sized);
        Path file = Files.writeString(folder.resolve("report.json"), first.toJson());
        Map<?, ?> placement = placement(run(yaml.formatted(file), RunMode.TASK_PARALLEL, 2, new Cancellation(), sized));
        assertEquals(placement.get("a"), placement.get(pair.substring(2)), first.toJson());
        assertNotEquals(placement.get("a"), placement.get("d"));
    }

    @Test
    void oneTraceHasTheSpansOfAllRanks() throws Exception {
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "components: {a: {component: number, value: 1}, b: {component: show}}\nwires: {b.value: a.value}\n");
        Path trace = folder.resolve("trace.json");
        Program program =
                Program.load(file, new Choices(List.of(), null, Catalog.of(List.of()), RunMode.TASK_PARALLEL, 2));
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            program.run(new Surroundings(out, Progress.NONE, new Cancellation(), false, trace));
        }
        String text = Files.readString(trace);
        for (int rank = 0; rank < 2; rank++) {
            assertTrue(
                    text.contains("\"pid\":" + (rank + 1) + ",\"name\":\"process_name\",\"args\":{\"name\":\"p, rank "
                            + rank + "\"}"),
                    text);
        }
        long spans = text.lines()
                .filter(line -> line.startsWith("{\"ph\":\"X\"") && line.contains("\"name\":\"a\""))
                .count();
        assertTrue(spans >= 2, text); // on its rank, and the wait for it on the other one
    }

    /** Of three in a row: the wait of another rank for the second one is longer than the second one may take. */
    @Test
    void aLimitIsThatOfExecutionsNotOfWaitsForThem() throws Exception {
        Report report = run("""
                components:
                  first: {component: number, value: 1}
                  slow: {component: delay, millis: 400}
                  quick: {component: delay, millis: 0, timeLimit: 0.2}
                  last: {component: show, weight: 3}
                wires: {slow.value: first.value, quick.value: slow.value, last.value: quick.value}
                """, RunMode.TASK_PARALLEL, 2, new Cancellation());
        assertNotEquals(placement(report).get("quick"), placement(report).get("last"));
        assertEquals(placement(report).get("quick"), placement(report).get("slow"));
    }

    @Test
    void aComponentOfOneRankFailsForAll() {
        String message = failure(
                ComponentFailedException.class,
                "components: {a: {component: number, value: 1}, b: {component: fails}, c: {component: number, value:"
                        + " 2}}\n",
                RunMode.TASK_PARALLEL,
                3,
                onAll("fails", context -> () -> {
                    throw new IllegalStateException("no more matter");
                }));
        assertTrue(message.matches("rank \\d: component 'b' \\(fails, .*\\) failed: .*no more matter.*"), message);
    }

    @Test
    void wrongInputOfOneRankIsWrongInputOfAll() {
        String message = failure(
                InputException.class,
                "components: {b: {component: refuses}}\n",
                RunMode.DATA_PARALLEL,
                3,
                onAll("refuses", context -> {
                    if (context.comm().rank() == 1) {
                        throw new InputException("the model is wrong");
                    }
                    return () -> true;
                }));
        assertEquals("rank 1: component 'b': the model is wrong", message);
    }

    @Test
    void ranksThatWaitAreStoppedWhenOneFails() {
        String message = failure(
                ComponentFailedException.class,
                "components: {b: {component: waits}}\n",
                RunMode.DATA_PARALLEL,
                4,
                onAll("waits", context -> () -> {
                    Communicator comm = context.comm();
                    if (comm.rank() == 3) {
                        throw new IllegalStateException("no more matter");
                    }
                    comm.receive(Elements.of(0), 3, 0);
                    return true;
                }));
        assertTrue(message.startsWith("rank 3: component 'b'") && message.contains("no more matter"), message);
    }

    @Test
    void everyRankRunsEveryComponentWithACommunicatorOfItsOwn() throws Exception {
        double[] sums = new double[3];
        Report report = run(
                "components: {a: {component: sums}, b: {component: sums}}\n",
                RunMode.DATA_PARALLEL,
                3,
                new Cancellation(),
                onAll("sums", context -> () -> {
                    Communicator comm = context.comm();
                    assertEquals(context.name(), comm.name());
                    double[] sum = {comm.rank() + 1};
                    comm.allreduce(Elements.of(sum), Reduction.sum());
                    synchronized (sums) {
                        sums[comm.rank()] += sum[0];
                    }
                    context.result(sum[0]);
                    return true;
                }));
        assertEquals(List.of(12.0, 12.0, 12.0), List.of(sums[0], sums[1], sums[2]));
        assertEquals(Map.of("a", 6.0, "b", 6.0), report.values().get("results"));
    }

    @Test
    void aDeadlockIsToldWithTheComponent() {
        String message = failure(
                ComponentFailedException.class,
                "components: {ring: {component: ring}}\n",
                RunMode.DATA_PARALLEL,
                3,
                onAll("ring", context -> () -> {
                    Communicator comm = context.comm();
                    comm.receive(Elements.of(0), (comm.rank() + 1) % 3, 7);
                    return true;
                }));
        assertTrue(
                message.contains("deadlock: rank 0 waits for a message of rank 1 with tag 7 in communicator 'ring'"),
                message);
    }

    @Test
    void aCancelledProgramEndsOnAllRanks() throws Exception {
        Cancellation cancellation = new Cancellation();
        CountDownLatch running = new CountDownLatch(3);
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                running.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            cancellation.cancel();
        });
        assertThrows(
                CancellationException.class,
                () -> run(
                        "components: {a: {component: waits}}\n",
                        RunMode.DATA_PARALLEL,
                        3,
                        cancellation,
                        onAll("waits", context -> () -> {
                            running.countDown();
                            new CountDownLatch(1).await();
                            return true;
                        })));
        thread.join();
    }

    @Test
    void withoutRanksACommunicatorHasOne() throws Exception {
        Report report = run(
                "components: {a: {component: size}}\n",
                RunMode.PARALLEL,
                0,
                new Cancellation(),
                onAll("size", context -> () -> {
                    context.result(context.comm().size());
                    return true;
                }));
        assertEquals(Map.of("a", 1), report.values().get("results"));
    }

    /** A value without codec is refused where it would have to be sent, and there alone. */
    @Test
    void valuesThatCannotBeSentAreNamed() throws Exception {
        SocketType<Thread> type = SocketType.of(Thread.class);
        Source<Thread> source = Source.of("thread", type, "A thread.");
        Sink<Thread> sink = Sink.of("thread", type, "A thread.");
        Component gives = new Given("gives", Set.of(RunMode.values()), List.of(source), context -> {
            Output<Thread> output = context.output(source);
            return () -> {
                output.set(Thread.currentThread());
                return true;
            };
        });
        Component takes = new Given("takes", Set.of(RunMode.values()), List.of(sink), context -> {
            Input<Thread> input = context.input(sink);
            return () -> {
                context.result(input.get().isAlive());
                return true;
            };
        });
        String yaml = "components: {a: {component: gives}, b: {component: takes}}\n";
        String message = failure(InputException.class, yaml, RunMode.TASK_PARALLEL, 2, gives, takes);
        assertTrue(
                message.contains("source 'a.thread' (Thread) cannot be sent from rank")
                        && message.contains("there is no codec for java.lang.Thread"),
                message);
        Report report = run(yaml, RunMode.TASK_PARALLEL, 1, new Cancellation(), gives, takes);
        assertEquals(Map.of("b", true), report.values().get("results"));
    }
}
