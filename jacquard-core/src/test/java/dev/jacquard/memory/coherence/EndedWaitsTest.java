package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tasks that wait for memory which a task of another graph has, and are not wanted any more: their wait is over, and
 * that task's is not. Before each test such a task has the memory of the device, and one that of the host.
 */
@Timeout(180)
class EndedWaitsTest {
    private static final int LENGTH = 10;
    /** For one of the data, not for two. */
    private static final long LIMIT = 100;

    private static final Kernel INCREMENT = Kernel.named("increment")
            .parameters("x")
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                for (int i = 0; i < LENGTH; i++) {
                    x.setDouble(i, x.getDouble(i) + 1);
                }
            });

    private final Session session = Session.builder()
            .workers(3)
            .hostMemory(LIMIT)
            .device(EmulatedDevice.offer("emulated0"), LIMIT)
            .open();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final double[] home = new double[LENGTH];
    private final Data onDevice = session.data().vector("on device", home);
    private final Data onHost = session.data().vector("on host", DataType.FLOAT64, LENGTH);
    private final double[] otherHome = new double[LENGTH];
    /** Has no room on the device. */
    private final Data other = session.data().vector("other", otherHome);
    /** Has no room on the host. */
    private final Data hostless = session.data().vector("hostless", DataType.FLOAT64, LENGTH);

    private final TaskGraph first = session.graph("first", FailurePolicy.CONTINUE);

    @BeforeEach
    void takeTheRoom() {
        CountDownLatch begun = new CountDownLatch(2);
        Kernel waits = Kernel.named("waits").parameters("x").onHost(arguments -> {
            begun.countDown();
            Watchdog.await(goesOn, "the test lets the device go on");
            arguments.memory("x").setDouble(0, 7);
        });
        first.task("device").updates(onDevice).on(ExecutionTarget.EMULATED).run(waits);
        first.task("host").writes(onHost).run(context -> {
            begun.countDown();
            Watchdog.await(goesOn, "the test lets the host go on");
            fill(context.memory(onHost), 5);
        });
        Watchdog.await(begun, "the memory is taken");
    }

    /** The tasks that had the memory end well, and others have it from then on. */
    @AfterEach
    void goOn() {
        goesOn.countDown();
        first.await();
        double[] nextHome = new double[LENGTH];
        Data next = session.data().vector("next", nextHome);
        session.graph().task("next").updates(next).on(ExecutionTarget.EMULATED).run(INCREMENT);
        double[] sum = {0};
        session.graph()
                .task("look")
                .reads(onHost)
                .run(context -> sum[0] = context.memory(onHost).getDouble(3));
        session.graph().await();
        assertEquals(5, sum[0]);
        session.close();
        assertEquals(7, home[0]);
        assertEquals(1, nextHome[0]);
    }

    private static void fill(Memory memory, double value) {
        for (int i = 0; i < LENGTH; i++) {
            memory.setDouble(i, value);
        }
    }

    private void awaitWaiting(String name) {
        Watchdog.until(
                () -> session.snapshot().tasks().stream()
                        .anyMatch(task -> task.name().equals(name)
                                && task.waitsFor().toString().contains("room for its data")),
                "task \"" + name + "\" waits for room");
    }

    @Test
    void aCancelEndsThem() {
        TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
        Task<?> device = second.task("on the device")
                .updates(other)
                .on(ExecutionTarget.EMULATED)
                .run(INCREMENT);
        Task<?> host = second.task("on the host").writes(hostless).run(context -> fill(context.memory(hostless), 1));
        awaitWaiting("on the device");
        awaitWaiting("on the host");
        second.cancel();
        assertThrows(CancellationException.class, second::await);
        assertEquals(TaskState.CANCELLED, device.state());
        assertEquals(TaskState.CANCELLED, host.state());
        assertEquals(2, first.report().pending());
    }

    /** Those behind them in line are not to wait for them any more, and may have what is left. */
    @Test
    void thoseBehindThemGoOn() {
        TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
        second.task("waits").updates(other).on(ExecutionTarget.EMULATED).run(INCREMENT);
        awaitWaiting("waits");
        Data small = session.data().vector("small", new double[2]);
        Task<?> behind = session.graph()
                .task("small")
                .updates(small)
                .on(ExecutionTarget.EMULATED)
                .run(Kernel.named("set")
                        .parameters("x")
                        .onHost(arguments -> arguments.memory("x").setDouble(1, 3)));
        awaitWaiting("small");
        second.cancel();
        assertThrows(CancellationException.class, second::await);
        Watchdog.until(
                () -> behind.state() == TaskState.RUNNING || behind.state() == TaskState.DONE,
                "what is behind goes on");
    }

    @Test
    void aDeadlineEndsThem() {
        TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
        second.deadline(Duration.ofMillis(30));
        second.task("late").updates(other).on(ExecutionTarget.EMULATED).run(INCREMENT);
        assertThrows(DeadlineException.class, second::await);
        assertEquals(1, second.report().cancelled());
    }

    /** The graph was cancelled between the look at that and the place in line. */
    @Test
    void noWaitBeginsInACancelledGraph() {
        for (int i = 0; i < 200; i++) {
            TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
            second.task("waits").updates(other).on(ExecutionTarget.EMULATED).run(INCREMENT);
            second.cancel();
            assertThrows(CancellationException.class, second::await);
        }
    }

    @Test
    void aCancelEndsCompiledRunsThatWait() {
        CompiledGraph device = session.record(
                "device",
                graph -> graph.task("inside")
                        .updates(other)
                        .on(ExecutionTarget.EMULATED)
                        .run(INCREMENT));
        CompiledGraph host = session.record(
                "host",
                graph -> graph.task("inside").writes(hostless).run(context -> fill(context.memory(hostless), 1)));
        for (CompiledGraph graph : new CompiledGraph[] {device, host, device, host}) {
            graph.start();
            graph.cancel();
            assertThrows(CancellationException.class, graph::join);
        }
        TaskGraph around = session.graph("around", FailurePolicy.CONTINUE);
        host.submit(around, "a run");
        around.cancel();
        assertThrows(CancellationException.class, around::await);
        assertEquals(2, first.report().pending());
        goesOn.countDown();
        first.await();
        device.run();
        session.data().fetch(other);
        assertEquals(1, otherHome[9]);
    }

    /** The thread was told that its view is given up: nothing of that fails later. */
    @Test
    void anInterruptEndsTheWaitOfAView() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Kernel set = Kernel.named("set").parameters("x").onHost(arguments -> fill(arguments.memory("x"), 2));
        try (Session own = Session.builder()
                .workers(3)
                .hostMemory(LIMIT)
                .device(EmulatedDevice.offer("emulated0"), LIMIT)
                .open()) {
            Data far = own.data().vector("far", DataType.FLOAT64, LENGTH);
            Data near = own.data().vector("near", DataType.FLOAT64, LENGTH);
            own.graph().task("far").writes(far).on(ExecutionTarget.EMULATED).run(set);
            own.graph().await();
            Task<?> waits = own.graph().task("near").writes(near).run(context -> {
                begun.countDown();
                Watchdog.await(goesOn, "the test lets the host go on");
                fill(context.memory(near), 1);
            });
            Watchdog.await(begun, "the memory is taken");
            FutureTask<WaitInterruptedException> opens = new FutureTask<>(() -> assertThrows(
                    WaitInterruptedException.class,
                    () -> own.data().open(far, Mode.READ).close()));
            Thread opener = Thread.ofPlatform().start(opens);
            Watchdog.until(
                    () -> own.snapshot().tasks().stream()
                            .anyMatch(task -> task.waitsFor().toString().contains("room for its data")),
                    "the view waits for room");
            opener.interrupt();
            opens.get();
            Watchdog.until(
                    () -> own.snapshot().tasks().stream()
                            .noneMatch(task -> !task.name().equals("near")),
                    "the view is over");
            assertEquals(TaskState.RUNNING, waits.state());
            goesOn.countDown();
        }
    }

    /** The task behind it was cancelled while it waited for a copy, and has not begun to write. */
    @Test
    void whatIsThereStaysWhereATaskNeverBegins() {
        double[] array = {1, 1};
        Kernel fill = Kernel.named("fill")
                .parameters("y")
                .onHost(arguments -> arguments.memory("y").setDouble(0, 7));
        Kernel copy = Kernel.named("copy")
                .parameters("x", "y")
                .onHost(arguments ->
                        arguments.memory("y").setDouble(0, arguments.memory("x").getDouble(0)));
        try (Session own = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").link(1_000_000_000L, 200_000_000))
                .open()) {
            Data x = own.data().vector("x", new double[] {5, 5});
            Data y = own.data().vector("y", array);
            TaskGraph graph = own.graph("cancelled", FailurePolicy.CONTINUE);
            graph.task("fill").updates(y).on(ExecutionTarget.EMULATED).run(fill);
            graph.await();
            Task<?> second = graph.task("copy")
                    .reads(x)
                    .updates(y)
                    .on(ExecutionTarget.EMULATED)
                    .run(copy);
            Watchdog.until(
                    () -> own.data().transfers().links().stream()
                                    .mapToLong(link -> link.copies())
                                    .sum()
                            >= 1,
                    "a copy was made");
            graph.cancel();
            assertThrows(CancellationException.class, graph::await);
            assertEquals(TaskState.CANCELLED, second.state());
        }
        assertEquals(7, array[0]);
    }
}
