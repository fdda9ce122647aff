package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Scripted.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of programs: loops, what hangs off them, failures, limits, cancellation. */
class RunsTest {
    private static final Script NOTHING = context -> () -> true;

    @TempDir
    Path folder;

    private Programs programs;

    @BeforeEach
    void make() {
        programs = new Programs(folder);
    }

    /** The modes of one process. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void loopsNestAndWhatHangsOffRunsOnceUnlessPutWithin(RunMode mode) throws Exception {
        Report report = programs.run(programs.load("""
                program: nested
                components:
                  one: {component: number, value: 1}
                  outer: {component: sum}
                  inner: {component: sum, inputs: 3}
                  in-end: {component: until, passes: 3}
                  out-end: {component: until, passes: 2}
                  each-inner: {component: show, within: in-end}
                  each-outer: {component: show, within: out-end}
                  behind: {component: show}
                wires:
                  outer.in1: one.value
                  outer.in2: out-end.again
                  inner.in1: outer.value
                  inner.in2: in-end.again
                  inner.in3: none
                  in-end.value: inner.value
                  out-end.value: in-end.value
                  each-inner.value: inner.value
                  each-outer.value: in-end.value
                  behind.value: inner.value
                """, mode));
        // pass 1: 1 -> 1, 2, 3; pass 2: 1 + 3 = 4 -> 4, 8, 12
        assertEquals(
                Map.of("each-inner", 12.0, "each-outer", 12.0, "behind", 12.0),
                report.values().get("results"));
        Map<String, Long> executions = new java.util.TreeMap<>();
        for (Object its : (List<?>) assertNotNullValue(report, "components")) {
            Map<?, ?> map = (Map<?, ?>) its;
            executions.put((String) map.get("name"), (Long) map.get("executions"));
        }
        assertEquals(
                Map.of(
                        "one",
                        1L,
                        "outer",
                        2L,
                        "inner",
                        6L,
                        "in-end",
                        6L,
                        "out-end",
                        2L,
                        "each-inner",
                        6L,
                        "each-outer",
                        2L,
                        "behind",
                        1L),
                executions);
        assertEquals(
                List.of(
                        Map.of(
                                "entry",
                                "outer",
                                "exit",
                                "out-end",
                                "components",
                                List.of("outer", "inner", "in-end", "out-end", "each-inner", "each-outer"),
                                "passes",
                                List.of(2L)),
                        Map.of(
                                "entry",
                                "inner",
                                "exit",
                                "in-end",
                                "components",
                                List.of("inner", "in-end", "each-inner"),
                                "passes",
                                List.of(3L, 3L))),
                report.values().get("loops"));
        assertEquals("nested", report.values().get("program"));
        assertEquals(
                mode.name().toLowerCase(java.util.Locale.ROOT), report.values().get("mode"));
    }

    private static Object assertNotNullValue(Report report, String key) {
        Object value = report.values().get(key);
        assertNotNull(value, key);
        return value;
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aFailureNamesComponentClassPassesAndCause(RunMode mode) throws Exception {
        AtomicInteger closed = new AtomicInteger();
        Scripted.is("closes", context -> closing(closed));
        Program program = programs.load("""
                components:
                  a: {component: sum}
                  bad: {component: fail, at: 3}
                  x: {component: until, passes: 9}
                  s: {component: scripted, id: closes}
                wires: {a.in1: x.again, bad.value: a.value, x.value: bad.value}
                """, mode);
        Exception failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertEquals(
                "component 'bad' (fail, dev.jacquard.components.kit.Kit$Fail) failed in pass 3 of the loop 'a' to 'x':"
                        + " java.lang.IllegalStateException: execution 3 fails, as 'at' says",
                failure.getMessage());
        assertInstanceOf(IllegalStateException.class, failure.getCause());
        assertEquals(1, closed.get());
    }

    private static Instance closing(AtomicInteger closed) {
        return new Instance() {
            @Override
            public boolean execute() {
                return true;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void valuesAreOfTheTypeAndNotNullAndSet(RunMode mode) throws Exception {
        String yaml = """
                components:
                  a: {component: scripted, id: gives}
                  b: {component: scripted, id: nothing, needs: true}
                wires: {b.need: a.out}
                """;
        Scripted.is("nothing", NOTHING);
        Scripted.is("gives", NOTHING);
        programs.assertFailure(
                "component 'b' (scripted, dev.jacquard.components.run.Scripted) failed:"
                        + " java.lang.IllegalStateException: source 'a.out', which it needs, was not set",
                yaml,
                mode);
        Scripted.is("gives", context -> {
            Output<String> out = context.output(Scripted.OUT);
            return () -> {
                out.set(nothing());
                return true;
            };
        });
        programs.assertFailure(
                "java.lang.NullPointerException: source 'a.out' was set to null; a source without a value is one"
                        + " that is not set",
                yaml,
                mode);
        Scripted.is("gives", context -> {
            @SuppressWarnings("unchecked")
            Output<Object> out = (Output<Object>) (Output<?>) context.output(Scripted.OUT);
            return () -> {
                out.set(3);
                return true;
            };
        });
        programs.assertFailure(
                "java.lang.ClassCastException: source 'a.out' was set to a value of java.lang.Integer, but gives"
                        + " String",
                yaml,
                mode);
    }

    @SuppressWarnings("NullAway") // a user may have no such check
    private static String nothing() {
        return null;
    }

    @Test
    void whatCannotBeOpenedEndsTheProgramBeforeItBegins() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger executed = new AtomicInteger();
        Scripted.is("first", context -> {
            executed.incrementAndGet();
            return closing(closed);
        });
        String yaml = "components:\n  a: {component: scripted, id: first}\n  b: {component: scripted, id: bad}\n";
        Scripted.is("bad", context -> {
            throw new IllegalStateException("no such library");
        });
        programs.assertFailure(
                "component 'b' (scripted, dev.jacquard.components.run.Scripted) could not be opened:"
                        + " java.lang.IllegalStateException: no such library",
                yaml,
                RunMode.SERIAL);
        assertEquals(1, closed.get());
        Scripted.is("bad", context -> {
            throw new InputException("the file is missing");
        });
        Program program = programs.load(yaml, RunMode.SERIAL);
        assertEquals(
                "component 'b': the file is missing",
                assertThrows(InputException.class, () -> programs.run(program)).getMessage());
        assertEquals(2, closed.get());
        Scripted.is("bad", context -> new Instance() {
            @Override
            public boolean execute() {
                return true;
            }

            @Override
            public void close() {
                throw new IllegalStateException("still open");
            }
        });
        programs.assertFailure(
                "component 'b' (scripted, dev.jacquard.components.run.Scripted) could not be closed:"
                        + " java.lang.IllegalStateException: still open",
                yaml,
                RunMode.SERIAL);
        assertEquals(3, closed.get());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aTimeLimitEndsTheProgram(RunMode mode) throws Exception {
        programs.assertFailure(
                "component 'a' (delay, dev.jacquard.components.kit.Kit$Delay) took longer than its limit of 0.05 s",
                "components:\n  a: {component: delay, millis: 1000000, timeLimit: 0.05}\n",
                mode);
        programs.run(programs.load("components:\n  a: {component: delay, millis: 1, timeLimit: 1000}\n", mode));
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aCancelledProgramStops(RunMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger closed = new AtomicInteger();
        Scripted.is("begins", context -> new Instance() {
            @Override
            public boolean execute() throws InterruptedException {
                begun.countDown();
                new CountDownLatch(1).await();
                return true;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        });
        Program program = programs.load("components:\n  a: {component: scripted, id: begins}\n", mode);
        Cancellation cancellation = new Cancellation();
        Thread canceller = Thread.ofPlatform().start(() -> {
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            cancellation.cancel();
        });
        assertThrows(CancellationException.class, () -> programs.run(program, cancellation));
        canceller.join();
        assertEquals(1, closed.get());
        assertTrue(!Thread.interrupted(), "no interrupt is left behind");
    }

    @Test
    void partsWithoutAPathRunSideBySide() throws Exception {
        List<CountDownLatch> arrived = List.of(new CountDownLatch(1), new CountDownLatch(1));
        for (int i = 0; i < 2; i++) {
            int own = i;
            Scripted.is("meets" + i, context -> () -> {
                arrived.get(own).countDown();
                arrived.get(1 - own).await();
                return true;
            });
        }
        Report report = programs.run(programs.load(
                "components:\n  a: {component: scripted, id: meets0}\n  b: {component: scripted, id: meets1}\n",
                RunMode.PARALLEL,
                "workers=1"));
        assertEquals(List.of(), report.values().get("loops"));
    }

    @Test
    void instancesHaveTheProgramsOneSession() throws Exception {
        List<Object> sessions = Collections.synchronizedList(new ArrayList<>());
        Scripted.is("sums", context -> {
            sessions.add(context.session());
            return () -> {
                int[] sum = new int[1];
                var handle = context.session().wrap("sum", sum);
                for (int i = 1; i <= 10; i++) {
                    int number = i;
                    context.session().graph().task("add").updates(handle).run(ctx -> sum[0] += number);
                }
                context.session().graph().await();
                context.result(sum[0]);
                return true;
            };
        });
        for (RunMode mode : List.of(RunMode.SERIAL, RunMode.PARALLEL)) {
            sessions.clear();
            Report report = programs.run(programs.load(
                    "components:\n  a: {component: scripted, id: sums}\n  b: {component: scripted, id: sums}\n",
                    mode,
                    "workers=2"));
            assertEquals(Map.of("a", 55, "b", 55), report.values().get("results"));
            assertEquals(1, sessions.stream().distinct().count());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void componentsWriteFilesOfOneName(RunMode mode) throws Exception {
        Scripted.is("writes", context -> () -> {
            Files.writeString(context.output().file("found.txt"), context.name());
            return true;
        });
        Scripted.is("reports", context -> () -> {
            context.output().file("report.json");
            return true;
        });
        Programs.complete(
                programs.load(
                        "components: {a: {component: scripted, id: writes}, b: {component: scripted, id: writes}}\n",
                        mode),
                folder.resolve("two"),
                false);
        assertEquals("a", Files.readString(folder.resolve("two/a/found.txt")));
        assertEquals("b", Files.readString(folder.resolve("two/b/found.txt")));
        programs.assertFailure(
                "the output file 'report.json' is written by the program itself, too",
                "components: {a: {component: scripted, id: reports}}\n",
                mode);
        Programs.complete(
                programs.load("components: {a: {component: scripted, id: writes}}\n", mode),
                folder.resolve("one"),
                false);
        assertEquals("a", Files.readString(folder.resolve("one/found.txt")), "the only part has the whole folder");
    }

    @Test
    void typesFitWithTheirArguments() throws Exception {
        String error = programs.error("""
                components:
                  a: {component: scripted, id: x}
                  b: {component: scripted, id: x}
                wires: {b.in: a.texts}
                """);
        assertEquals(
                "FILE:4:9: source 'a.texts' gives List<String>, but sink 'b.in' takes String; of that type: a.out",
                error);
    }
}
