package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.HeldRun.Shape;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Something around executions goes wrong: a run ends all the same, says why first, and closes all of its parts. */
@Timeout(180)
class BrokenPartsTest {
    /** A part, two that read it, and one that waits for both. */
    private static final Shape FORK = new Shape(List.of(List.of(), List.of(0), List.of(0), List.of(1, 2)), -1, -1);

    @TempDir
    Path folder;

    private Programs programs;

    /** A failure of a user's that has no text. */
    private static final class Mute extends IllegalStateException {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable String getMessage() {
            throw new UnsupportedOperationException("there is no text");
        }
    }

    @BeforeEach
    void make() {
        programs = new Programs(folder);
    }

    private Throwable failure(Program program, Progress progress, @Nullable Path trace) throws IOException {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Surroundings its = new Surroundings(out, progress, new Cancellation(), false, trace);
            return assertThrows(Throwable.class, () -> program.run(its));
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 0", "false, 1", "false, 2", "false, 3", "true, 0", "true, 1"})
    void aRunEndsThatCannotStartAnExecution(boolean waits, int startable) {
        HeldRun run = new HeldRun(FORK, waits, (part, execution) -> true, startable);
        assertTrue(run.finish(), "the run is over");
        assertEquals(2, run.end(), "the run has failed");
    }

    @ParameterizedTest
    @CsvSource({"false, 4", "true, 2"})
    void aRunEndsWellWithAsManyAsItNeeds(boolean waits, int startable) {
        HeldRun run = new HeldRun(FORK, waits, (part, execution) -> true, startable);
        assertTrue(run.finish(), "the run is over");
        assertEquals(0, run.end());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aFailureMayHaveNoText(RunMode mode) throws Exception {
        Scripted.is("mute", context -> () -> {
            throw new Mute();
        });
        Program program = programs.load("components:\n  a: {component: scripted, id: mute}\n", mode);
        Throwable failure = failure(program, Progress.NONE, null);
        assertInstanceOf(ComponentFailedException.class, failure);
        assertEquals(
                "component 'a' (scripted, " + Scripted.class.getName() + ") failed: " + Mute.class.getName()
                        + ", whose message cannot be read",
                failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void anActionThatFailsWhenItIsCancelledHidesNoFailure(RunMode mode) throws Exception {
        AtomicInteger told = new AtomicInteger();
        Scripted.is("actions", context -> {
            context.cancellation().onCancel(() -> {
                throw new IllegalStateException("no such handle");
            });
            context.cancellation().onCancel(told::incrementAndGet);
            return () -> {
                throw new IllegalStateException("as the test says");
            };
        });
        Program program = programs.load("components:\n  a: {component: scripted, id: actions}\n", mode);
        Throwable failure = failure(program, Progress.NONE, null);
        assertInstanceOf(ComponentFailedException.class, failure);
        assertTrue(String.valueOf(failure.getMessage()).endsWith("as the test says"), failure.getMessage());
        assertEquals(1, told.get());
    }

    /** A part may know of the user's cancellation before the run does. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aPartThatIsCancelledFirstHasNotFailed(RunMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Scripted.is("cancelled", context -> {
            context.cancellation().onCancel(() -> {
                told.countDown();
                Watchdog.await(closed, "the end of the run");
            });
            return new Instance() {
                @Override
                public boolean execute() {
                    begun.countDown();
                    Watchdog.await(told, "the cancellation");
                    throw new CancellationException("as it was asked to");
                }

                @Override
                public void close() {
                    closed.countDown();
                }
            };
        });
        Program program = programs.load("components:\n  a: {component: scripted, id: cancelled}\n", mode);
        Cancellation users = new Cancellation();
        Thread user = Thread.ofPlatform().start(() -> {
            Watchdog.await(begun, "the component");
            users.cancel();
        });
        assertThrows(CancellationException.class, () -> programs.run(program, users));
        user.join();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aProgressThatFailsEndsTheProgram(RunMode mode) throws Exception {
        Progress progress = new Progress() {
            @Override
            public void start(String stage, long steps) {}

            @Override
            public void advance(long steps) {}

            @Override
            public void end() {
                throw new IllegalStateException("no reader");
            }
        };
        Scripted.is("tells", context -> {
            context.progress().start("stage", 1);
            return () -> true;
        });
        Program program = programs.load("components:\n  a: {component: scripted, id: tells}\n", mode);
        assertEquals("no reader", failure(program, progress, null).getMessage());
    }

    private static Instance closing(Runnable close) {
        return new Instance() {
            @Override
            public boolean execute() {
                return true;
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void allAreClosedWhateverOneThrows(RunMode mode) throws Exception {
        AtomicInteger closed = new AtomicInteger();
        Scripted.is("closes", context -> closing(closed::incrementAndGet));
        Scripted.is(
                "throws",
                context -> closing(() -> {
                    throw new OutOfMemoryError("as the test says");
                }));
        Program program = programs.load("""
                components:
                  a: {component: scripted, id: closes}
                  b: {component: scripted, id: throws}
                  c: {component: scripted, id: throws}
                """, mode);
        Throwable failure = failure(program, Progress.NONE, null);
        assertEquals(
                "component 'c' (scripted, " + Scripted.class.getName()
                        + ") could not be closed: java.lang.OutOfMemoryError: as the test says",
                failure.getMessage());
        assertEquals(1, failure.getSuppressed().length);
        assertEquals(1, closed.get());
    }

    @Test
    void whatCannotBeClosedIsToldWithATraceThatCannotBeWritten() throws Exception {
        Scripted.is(
                "throws",
                context -> closing(() -> {
                    throw new IllegalStateException("still open");
                }));
        Program program = programs.load("components:\n  a: {component: scripted, id: throws}\n", RunMode.SERIAL);
        Throwable failure = failure(program, Progress.NONE, folder.resolve("missing/trace.json"));
        assertInstanceOf(IOException.class, failure);
        List<Throwable> rest = List.of(failure.getSuppressed());
        assertTrue(rest.stream().anyMatch(ComponentFailedException.class::isInstance), rest.toString());
    }
}
