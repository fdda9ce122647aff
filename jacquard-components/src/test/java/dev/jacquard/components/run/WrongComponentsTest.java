package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Components whose own code is wrong: the message names them, and nothing hangs or is lost without a word. */
@Timeout(180)
class WrongComponentsTest {
    private static final String ONE = "components:\n  a: {component: wrong}\n";

    @TempDir
    Path folder;

    /** The answers of the component, as a test wants them. */
    private static final class Wrong implements Component {
        Supplier<@Nullable List<Setting<?>>> settings = List::of;
        Supplier<@Nullable Set<RunMode>> modes = () -> Set.of(RunMode.SERIAL, RunMode.PARALLEL);
        Consumer<Settings> check = settings -> {};
        Supplier<Boolean> neverWaits = () -> false;

        @Override
        public String name() {
            return "wrong";
        }

        @Override
        public String description() {
            return "is wrong";
        }

        @Override
        @SuppressWarnings("NullAway") // wrong on purpose
        public List<Setting<?>> settings() {
            return settings.get();
        }

        @Override
        @SuppressWarnings("NullAway") // wrong on purpose
        public Set<RunMode> modes() {
            return modes.get();
        }

        @Override
        public void check(Settings settings) {
            check.accept(settings);
        }

        @Override
        public boolean neverWaits() {
            return neverWaits.get();
        }

        @Override
        public Instance open(ComponentContext context) {
            return () -> true;
        }
    }

    private Program load(Wrong wrong, String yaml) throws Exception {
        Catalog catalog = Catalog.of(List.of()).plus(List.of(wrong));
        return new Programs(folder).load(yaml, RunMode.SERIAL, catalog);
    }

    private void assertRefused(String message, String yaml, Consumer<Wrong> change) {
        Wrong wrong = new Wrong();
        change.accept(wrong);
        InputException error = assertThrows(InputException.class, () -> load(wrong, yaml));
        String file = new Programs(folder).file().toString();
        assertEquals(
                message.replace("IT", "component 'wrong' (" + Wrong.class.getName() + ")"),
                String.valueOf(error.getMessage()).replace(file, "FILE"));
    }

    private static IllegalStateException noIdea() {
        return new IllegalStateException("no idea");
    }

    @Test
    void whatItDeclaresIsCheckedWithThePlace() {
        String thrown = "java.lang.IllegalStateException: no idea";
        assertRefused(
                "FILE:2:3: IT cannot return its settings: " + thrown,
                ONE,
                it -> it.settings = () -> {
                    throw noIdea();
                });
        assertRefused(
                "FILE:2:3: IT cannot return its settings: java.lang.NullPointerException",
                "components:\n  a: {component: wrong}\n",
                it -> it.settings = () -> {
                    List<Setting<?>> all = new ArrayList<>();
                    all.add(null);
                    return all;
                });
        Setting<Boolean> flag = Setting.required("flag", Setting.Type.flag(), "a flag");
        assertRefused(
                "FILE:2:3: IT declares the setting 'flag' twice", ONE, it -> it.settings = () -> List.of(flag, flag));
        assertRefused(
                "FILE:2:3: IT cannot check its settings: " + thrown,
                ONE,
                it -> it.check = settings -> {
                    throw noIdea();
                });
        assertRefused(
                "FILE:2:7: IT cannot return its modes: " + thrown,
                ONE,
                it -> it.modes = () -> {
                    throw noIdea();
                });
        assertRefused("FILE:2:7: IT names no mode in which it runs", ONE, it -> it.modes = Set::of);
        assertRefused(
                "FILE: IT cannot return its settings: " + thrown,
                "component: wrong\n",
                it -> it.settings = () -> {
                    throw noIdea();
                });
    }

    @Test
    void aTypeThatThrowsNamesTheSetting() {
        Setting.Type<String> type = new Setting.Type<>("a text", text -> {
            throw noIdea();
        });
        assertRefused(
                "FILE:2:25: 'x' is '1', which cannot be read: java.lang.IllegalStateException: no idea; expected a text",
                "components:\n  a: {component: wrong, x: 1}\n",
                it -> it.settings = () -> List.of(Setting.required("x", type, "a text")));
    }

    @Test
    void errorsWhenItIsOpenedAreNamed() throws Exception {
        Programs programs = new Programs(folder);
        Wrong wrong = new Wrong();
        wrong.neverWaits = () -> {
            throw noIdea();
        };
        Exception failure = assertThrows(ComponentFailedException.class, () -> programs.run(load(wrong, ONE)));
        assertTrue(String.valueOf(failure.getMessage()).contains("could not be opened: "), failure.getMessage());
        for (Error error : List.of(new AssertionError("broken"), new OutOfMemoryError("broken"))) {
            Scripted.is("error", context -> {
                throw error;
            });
            programs.assertFailure(
                    "could not be opened: " + error,
                    "components: {a: {component: scripted, id: error}}\n",
                    RunMode.SERIAL);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aMessageThatCannotBeReadEndsTheRun(RunMode mode) throws Exception {
        Scripted.is("unreadable", context -> () -> {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1;

                @Override
                public String getMessage() {
                    throw noIdea();
                }
            };
        });
        new Programs(folder)
                .assertFailure(
                        ", whose message cannot be read",
                        "components: {a: {component: scripted, id: unreadable}}\n",
                        mode);
    }

    private static final String CHAIN = """
            components:
              a: {component: scripted, id: interrupted}
              b: {component: scripted, id: next, needs: true}
            wires: {b.need: a.out}
            """;

    private static void interrupts() {
        Scripted.is("interrupted", context -> {
            var out = context.output(Scripted.OUT);
            return () -> {
                out.set("a");
                Thread.currentThread().interrupt();
                return true;
            };
        });
    }

    /** The thread is the caller's, who may have interrupted it, too: the run must not go on as if nothing were. */
    @Test
    void aThreadLeftInterruptedEndsASerialRun() throws Exception {
        interrupts();
        Scripted.is("next", context -> () -> {
            throw noIdea();
        });
        new Programs(folder)
                .assertFailure(
                        "component 'a' (scripted, dev.jacquard.components.run.Scripted) failed:"
                                + " java.lang.InterruptedException: its thread is interrupted after it",
                        CHAIN,
                        RunMode.SERIAL);
        assertFalse(Thread.interrupted(), "the exception tells it");
    }

    @Test
    void aThreadLeftInterruptedIsNotThatOfTheNextInParallel() throws Exception {
        interrupts();
        boolean[] seen = {true};
        Scripted.is("next", context -> () -> {
            seen[0] = Thread.currentThread().isInterrupted();
            return true;
        });
        Programs programs = new Programs(folder);
        programs.run(programs.load(CHAIN, RunMode.PARALLEL, "workers=1"));
        assertFalse(seen[0]);
    }

    @Test
    void aSocketThatIsNotTheDeclaredOneIsRefusedWithTheReason() throws Exception {
        SocketType<Integer> whole = SocketType.of(Integer.class);
        Scripted.is("sink", context -> {
            context.input(Sink.optional("in", whole, "a number"));
            return () -> true;
        });
        Scripted.is("source", context -> {
            context.output(Source.of("out", whole, "a number"));
            return () -> true;
        });
        Scripted.is("absent", context -> {
            context.output(Source.of("in", whole, "a number"));
            return () -> true;
        });
        String another = "component 'scripted' has declared another KIND, of String, than it asks for, of Integer:"
                + " take one constant for both";
        assertOpens("sink", another.replace("KIND", "sink 'in'"));
        assertOpens("source", another.replace("KIND", "source 'out'"));
        assertOpens("absent", "component 'scripted' has not declared the source 'in'");
    }

    private void assertOpens(String script, String message) throws Exception {
        new Programs(folder)
                .assertFailure(
                        "could not be opened: java.lang.IllegalArgumentException: " + message,
                        "components: {a: {component: scripted, id: " + script + "}}\n",
                        RunMode.SERIAL);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aTaskLeftBehindFailsTheProgram(RunMode mode) throws Exception {
        Scripted.is("leaves", context -> () -> {
            context.session().graph().task("left").run(its -> {
                throw noIdea();
            });
            return true;
        });
        new Programs(folder)
                .assertFailure(
                        "a task of a component, which did not wait for it, failed: task \"left\" failed on worker",
                        "components: {a: {component: scripted, id: leaves}}\n",
                        mode);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aTaskLeftBehindIsAskedToStop(RunMode mode) throws Exception {
        Cancellation users = new Cancellation();
        CountDownLatch closed = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        Scripted.is("leaves", context -> new Component.Instance() {
            @Override
            public boolean execute() {
                context.session().graph().task("left").run(its -> {
                    if (Thread.currentThread() == caller) {
                        closed.countDown(); // it helps while it waits for the run, and closes nothing before
                    }
                    while (!context.cancellation().isCancelled()) {
                        Thread.onSpinWait();
                    }
                });
                return true;
            }

            @Override
            public void close() {
                closed.countDown();
            }
        });
        Thread user = Thread.ofPlatform().start(() -> {
            try {
                closed.await();
                users.cancel();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Programs programs = new Programs(folder);
        Program program = programs.load("components: {a: {component: scripted, id: leaves}}\n", mode, "workers=2");
        try {
            programs.run(program, users);
        } catch (CancellationException e) {
            // the user was faster than the end of the run
        }
        user.join();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aResultThatNoReportHoldsIsRefusedAtOnce(RunMode mode) throws Exception {
        List<Object> self = new ArrayList<>();
        self.add(self);
        Map<Object, Object> wrong = Map.of("as", List.of(new StringBuilder("text")));
        for (Object result : List.of(wrong, self)) {
            Scripted.is("result", context -> () -> {
                context.result(result);
                return true;
            });
            new Programs(folder)
                    .assertFailure(
                            result == self
                                    ? "or one contains itself"
                                    : "a value of java.lang.StringBuilder has no form",
                            "components: {a: {component: scripted, id: result}}\n",
                            mode);
        }
    }
}
