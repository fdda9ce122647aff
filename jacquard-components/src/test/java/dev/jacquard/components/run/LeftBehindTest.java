package dev.jacquard.components.run;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.memory.data.DataType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Components that leave something behind: tasks, views, interrupts, and odd texts. */
@Timeout(180)
class LeftBehindTest {
    private static final String LOOP = """
            program: left
            workers: 2
            checkpoint: {every: 1}
            components:
              a: {component: scripted, id: leaves}
              x: {component: scripted, id: ends, exit: true}
            wires: {a.in: x.again, x.in: a.out}
            """;
    private static final String ALONE = "components:\n  a: {component: scripted, id: leaves}\n";

    @TempDir
    Path folder;

    private Programs programs;

    @BeforeEach
    void make() {
        programs = new Programs(folder);
    }

    private Path checkpoint() {
        return folder.resolve("out/checkpoint");
    }

    /** No checkpoint is written behind a task that has failed: a program that goes on from there would end well. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aTaskThatFailsEndsTheProgramAtTheNextCheckpoint(RunMode mode) throws Exception {
        AtomicInteger executed = new AtomicInteger();
        CountDownLatch goesOn = new CountDownLatch(1);
        Scripted.is("leaves", context -> {
            Output<String> out = context.output(Scripted.OUT);
            return () -> {
                if (executed.incrementAndGet() == 2) {
                    context.session().graph().task("left").run(task -> {
                        goesOn.await();
                        throw new IllegalStateException("as the test says");
                    });
                }
                out.set("text");
                goesOn.countDown();
                return true;
            };
        });
        Scripted.ends("ends", 6);
        Program program = programs.load(LOOP, mode);
        Exception failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertMentions(failure, "a task of a component, which did not wait for it, failed", "as the test says");
        assertEquals(2, executed.get(), "nothing begins behind the pass in which it was left");
        assertTrue(Files.exists(checkpoint()), "that of the first pass");
        // What goes on does the pass again, and this time leaves no such task.
        Programs.complete(programs.load(LOOP, mode), folder.resolve("out"), true);
        assertEquals(7, executed.get());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aViewThatIsLeftOpenIsAMistakeOfAComponent(RunMode mode) throws Exception {
        Scripted.is("leaves", context -> {
            var data = context.session().data().vector("v", DataType.INT64, 1);
            context.session()
                    .graph()
                    .task("fill")
                    .writes(data)
                    .run(task -> task.memory(data).setLong(0, 1));
            context.session().data().open(data, dev.jacquard.memory.access.Mode.READ);
            return () -> true;
        });
        programs.assertFailure("a component has left something open: the session was closed with", ALONE, mode);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void anInterruptThatOpenLeavesIsItsOwn(RunMode mode) throws Exception {
        Scripted.is("leaves", context -> {
            Thread.currentThread().interrupt();
            return () -> true;
        });
        programs.assertFailure("could not be opened: open() left its thread interrupted", ALONE, mode);
        assertFalse(Thread.interrupted());
    }

    /** A throwable that is neither an exception nor an error, which other languages of the JVM throw unseen. */
    private static final class Odd extends Throwable {
        private static final long serialVersionUID = 1;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void unseen(Throwable its) throws E {
        throw (E) its;
    }

    @Test
    void whatOpenThrowsClosesThoseThatWereOpened() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        Scripted.is("leaves", context -> new Instance() {
            @Override
            public boolean execute() {
                return true;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        });
        Scripted.is("odd", context -> {
            LeftBehindTest.<RuntimeException>unseen(new Odd());
            return () -> true;
        });
        programs.assertFailure(
                "could not be opened: " + Odd.class.getName(),
                ALONE + "  b: {component: scripted, id: odd}\n",
                RunMode.SERIAL);
        assertEquals(1, closed.get());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void anInterruptThatCloseLeavesCostsNoResults(RunMode mode) throws Exception {
        Scripted.is("leaves", context -> new Instance() {
            @Override
            public boolean execute() throws Exception {
                Files.writeString(context.output().file("found.txt"), "found");
                return true;
            }

            @Override
            public void close() {
                Thread.currentThread().interrupt();
            }
        });
        Programs.complete(programs.load(ALONE, mode), folder.resolve("out"), false);
        assertEquals("found", Files.readString(folder.resolve("out/found.txt")));
        assertFalse(Thread.interrupted());
    }

    /** Texts of settings are told apart in a checkpoint, whatever characters they have. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aSettingMayHaveAnyCharacter(RunMode mode) throws Exception {
        String id = "\0a\0b\1b\1e\1";
        AtomicInteger left = new AtomicInteger(3);
        Scripted.is(id, context -> {
            Output<String> out = context.output(Scripted.OUT);
            return () -> {
                if (left.decrementAndGet() == 0) {
                    throw new IllegalStateException("as the test says");
                }
                out.set("text");
                return true;
            };
        });
        Scripted.ends("ends", 6);
        String yaml = LOOP.replace("id: leaves", "id: \"\\0a\\0b\\x01b\\x01e\\x01\"");
        Program program = programs.load(yaml, mode);
        assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertTrue(Files.exists(checkpoint()));
        String other = yaml.replace("\\x01e", "\\0e");
        Scripted.is(id.replace("\1e", "\0e"), context -> () -> true);
        assertThrows(
                InputException.class, () -> Programs.complete(programs.load(other, mode), folder.resolve("out"), true));
        left.set(100);
        Programs.complete(programs.load(yaml, mode), folder.resolve("out"), true);
    }
}
