package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.testing.random.FullStack;
import dev.jacquard.core.testing.random.FullStack.Call;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls for which the stack has more or less room, from none on: whatever the caller does with the error, all ends, and
 * what did not happen is told.
 */
@Timeout(300)
@ExtendWith(QuietEngine.class)
class FullStackTest {
    private static final long SMALL_STACK = 250_000;
    private static final int MOST_ROOM = 110;
    private static final int ROUNDS = 2;

    /** A program that makes one such call, or some, and leaves the waiting to others. */
    private interface Trial {
        void run(Session session, int room) throws Exception;
    }

    /** Makes a call with the room of {@code room} frames; half of the callers forget what it throws. */
    private static void call(int room, Call call) throws Exception {
        try {
            FullStack.with(room, call);
        } catch (StackOverflowError full) {
            if (room % 2 == 0) {
                throw full;
            }
        }
    }

    private static void tryAll(int workers, Trial trial) throws Exception {
        tryAll(Session.builder().workers(workers), trial);
    }

    private static void tryAll(SessionBuilder builder, Trial trial) throws Exception {
        FullStack.prepare();
        builder.devices("emulated0").stallWatch(Duration.ofMillis(100), text -> {});
        for (int i = 0; i < ROUNDS * MOST_ROOM; i++) {
            int room = i % MOST_ROOM;
            CompletableFuture<List<Throwable>> told = new CompletableFuture<>();
            Thread thread = new Thread(null, () -> told.complete(toldBy(builder, room, trial)), "room", SMALL_STACK);
            thread.setDaemon(true);
            thread.start();
            try {
                assertFalse(told.get(30, TimeUnit.SECONDS).stream().anyMatch(FullStackTest::isWrong));
            } catch (TimeoutException e) {
                throw new AssertionError("hangs with room " + room + stacks(), e);
            }
        }
    }

    /** Where the threads stand of the program and its session. */
    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            String name = thread.getName();
            if (name.startsWith("room") || name.startsWith("jacquard") || name.startsWith("emulated")) {
                text.append("\n").append(name);
                for (StackTraceElement at : stack) {
                    text.append("\n    ").append(at);
                }
            }
        });
        return text.toString();
    }

    private static boolean isWrong(Throwable told) {
        return told instanceof AssertionError || (told.getCause() != null && isWrong(told.getCause()));
    }

    /** Runs a program in a session of its own; returns what came out of it. */
    private static List<Throwable> toldBy(SessionBuilder builder, int room, Trial trial) {
        List<Throwable> told = new ArrayList<>();
        Session session = builder.open();
        TaskGraph graph = session.graph();
        for (Call step : List.<Call>of(() -> trial.run(session, room), graph::await, session::close)) {
            try {
                step.run();
            } catch (Throwable e) {
                told.add(e);
            }
        }
        if (told.isEmpty()) {
            try {
                assertEquals(0, graph.report().pending(), "with room " + room);
                assertEquals(0, graph.report().failed(), "with room " + room);
            } catch (AssertionError e) {
                told.add(e);
            }
        }
        return told;
    }

    @Test
    void aStageIsCompleted() throws Exception {
        tryAll(2, (session, room) -> {
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            session.graph().task("waits").start(ctx -> stage);
            session.graph().task("completes").run(ctx -> {
                try {
                    call(room, () -> stage.complete(1));
                } finally {
                    stage.complete(1);
                }
            });
        });
    }

    @Test
    void aStageIsCancelled() throws Exception {
        tryAll(2, (session, room) -> {
            TaskGraph graph = session.graph();
            graph.task("waits").abandonable().start(ctx -> new CompletableFuture<Integer>());
            try {
                call(room, graph::cancel);
            } finally {
                graph.cancel();
            }
        });
    }

    @Test
    void aBodyGivesAnAccessUp() throws Exception {
        tryAll(2, (session, room) -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("gives up").updates(x).run(ctx -> call(room, () -> ctx.demote(x, Access.read())));
            session.graph().task("reads").reads(x).run(ctx -> {});
        });
    }

    @Test
    void aTaskIsAdjustedFromOutside() throws Exception {
        tryAll(2, (session, room) -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("before").updates(x).run(ctx -> {});
            Task<Integer> task =
                    session.graph().task("task").updates(x).adjustable().call(ctx -> 1);
            call(room, () -> task.tryRefine(sub -> sub.task("part").updates(x).run(ctx -> {})));
            call(room, () -> task.tryDemote(x, Access.read()));
        });
    }

    @Test
    void aLoopIsRun() throws Exception {
        tryAll(
                2,
                (session, room) -> session.graph().task("loops").run(ctx -> {
                    AtomicLong count = new AtomicLong();
                    Call loop = () -> ctx.parallelFor(0, 1_000, 10, (from, to) -> count.addAndGet(to - from));
                    try {
                        call(room, loop);
                    } catch (StackOverflowError full) {
                        // tried again
                    }
                    count.set(0);
                    loop.run();
                    assertEquals(1_000, count.get());
                }));
    }

    @Test
    void aViewIsClosed() throws Exception {
        tryAll(2, (session, room) -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            UserView view = session.lock(x, Mode.UPDATE);
            session.graph().task("reads").reads(x).run(ctx -> {});
            call(room, view::close);
        });
    }

    @Test
    void aFunctionIsRunByItsDriver() throws Exception {
        tryAll(
                2,
                (session, room) -> session.graph().task("function").startOn(command -> drive(room, command), ctx -> 1));
    }

    /** Runs a function; one that was not begun has to be told by an error. */
    private static void drive(int room, Runnable function) {
        try {
            call(2 * room, function::run);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBodyIsRefined() throws Exception {
        tryAll(2, (session, room) -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph()
                    .task("is refined")
                    .updates(x)
                    .run(ctx -> call(
                            room,
                            () -> ctx.refine(sub -> sub.task("part").updates(x).run(inner -> {}))));
            session.graph().task("reads").reads(x).run(ctx -> {});
        });
    }

    @Test
    void aRunOfACompiledGraphIsStarted() throws Exception {
        tryAll(2, (session, room) -> {
            CompiledGraph graph = recorded(session);
            call(room, graph::start);
            graph.join();
        });
    }

    @Test
    void aRunOfACompiledGraphIsWaitedFor() throws Exception {
        tryAll(2, (session, room) -> {
            CompiledGraph graph = recorded(session);
            graph.start();
            call(room, graph::join);
            call(room, graph::run);
        });
    }

    private static CompiledGraph recorded(Session session) {
        Handle<int[]> x = session.wrap("x", new int[1]);
        return session.record(tasks -> tasks.task("step").updates(x).run(ctx -> {}));
    }

    /** Its copies begin as it is submitted. */
    @Test
    void aKernelOfADeviceIsSubmitted() throws Exception {
        Kernel nothing = Kernel.named("nothing").parameters("x").onHost(arguments -> {});
        tryAll(2, (session, room) -> {
            Data x = session.data().vector("x", new double[4]);
            call(
                    room,
                    () -> session.graph()
                            .task("kernel")
                            .updates(x)
                            .on(ExecutionTarget.EMULATED)
                            .run(nothing));
            session.data().fetch(x);
        });
    }

    @Test
    void aStreamOfAnEmulatedDeviceIsToldItsFirstOrder() throws Exception {
        tryAll(1, (session, room) -> {
            Device device = EmulatedDevice.offer("own").open();
            DeviceStream stream = device.stream("own");
            try {
                call(room, stream::record);
            } finally {
                stream.record().await();
                device.close();
            }
        });
    }

    @Test
    void aThreadWaitsThatIsTheOnlyWorker() throws Exception {
        tryAll(1, (session, room) -> {
            for (int i = 0; i < 3; i++) {
                session.graph().task("task").run(ctx -> {});
            }
            call(room, session.graph()::await);
        });
    }

    @Test
    void aThreadWaitsWhereTasksTakeTurns() throws Exception {
        tryAll(Session.builder().workers(2).policy(Policies.named("sequential")), (session, room) -> {
            for (int i = 0; i < 3; i++) {
                session.graph().task("task").run(ctx -> {});
            }
            call(room, session.graph()::await);
        });
    }
}
