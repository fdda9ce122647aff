package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An exception of users' code on a device is the task's, as on the host; an exception of the device is the device's.
 */
class BodiesOnEmulatedDevicesTest {
    private final Session session = Session.builder()
            .workers(2)
            .devices("emulated0", "emulated1", "emulated2")
            .open();
    private final double[] values = {1, 2, 3};
    private final Data x = session.data().vector("x", values);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void theDevicesStillWork() {
        Kernel kernel =
                Kernel.named("set").onHost(arguments -> arguments.memory(0).setDouble(0, 9));
        session.graph()
                .task("set")
                .on(ExecutionTarget.EMULATED)
                .writes(x)
                .run(kernel)
                .join();
        session.data().fetch(x);
        assertEquals(9, values[0]);
        session.close();
    }

    private Kernel throwing(Callable<Throwable> error) {
        return Kernel.named("throwing").onHost(arguments -> {
            runs.incrementAndGet();
            sneak(error.call());
        });
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable error) throws E {
        throw (E) error;
    }

    private static TaskFailedException failure(Task<?> task) {
        return assertThrows(TaskFailedException.class, task::join);
    }

    private static Throwable cause(Task<?> task) {
        return Objects.requireNonNull(failure(task).getCause());
    }

    private void requireStayed(Throwable error, Task<?> task) {
        TaskFailedException failure = failure(task);
        assertSame(error, failure.getCause());
        assertMentions(failure, "\"" + task.name() + "\"");
        assertEquals(1, runs.getAndSet(0));
        assertTrue(session.data().faults().fallbacks().isEmpty());
        session.graph().await();
    }

    @Test
    void anExceptionOfAHostBodyFailsItsTaskAtOnceWithThatCause() {
        Throwable[] errors = {new IllegalStateException("wrong"), new IOException("checked"), new AssertionError("e")};
        for (Throwable error : errors) {
            Data y = session.data().vector("y", new double[1]);
            requireStayed(
                    error,
                    session.graph()
                            .task("anywhere")
                            .on(ExecutionTarget.EMULATED)
                            .updates(y)
                            .run(throwing(() -> error)));
        }
    }

    @Test
    void soDoesOneOfCodeForEmulatedDevices() {
        IllegalStateException error = new IllegalStateException("wrong");
        EmulatedBody body = new EmulatedBody("body", launch -> {
            runs.incrementAndGet();
            throw error;
        });
        Kernel kernel =
                Kernel.named("k").onDevice(ExecutionTarget.EMULATED, body).onHost(arguments -> runs.incrementAndGet());
        requireStayed(error, session.graph().task("code").updates(x).run(kernel));
    }

    @Test
    void soDoesOneOfTheFunctionThatChoosesTheShape() {
        IllegalStateException error = new IllegalStateException("no shape");
        KernelSource source = new KernelSource(Language.OPENCL_C, "k.cl", "k", "");
        Kernel kernel = Kernel.named("k")
                .onDevice(ExecutionTarget.EMULATED, new SourceKernel(source, work -> shape(error)))
                .onHost(arguments -> runs.incrementAndGet());
        requireStayed(error, session.graph().task("shape").updates(x).run(kernel));
    }

    private LaunchShape shape(RuntimeException error) {
        runs.incrementAndGet();
        throw error;
    }

    @Test
    void itIsRetriedAsOftenAsTheUserSaysAndNowhereElse() {
        Task<?> task = session.graph()
                .task("again")
                .on(ExecutionTarget.EMULATED)
                .retries(2)
                .updates(x)
                .run(throwing(() -> new IllegalStateException("try " + runs.get())));
        assertEquals("try 3", cause(task).getMessage());
        assertEquals(3, runs.get());
        assertTrue(session.data().faults().fallbacks().isEmpty());
        session.graph().await();
    }

    @Test
    void whatTheTaskWritesIsPoisonedAsOnTheHost() {
        session.graph()
                .task("first")
                .on(ExecutionTarget.EMULATED)
                .updates(x)
                .run(throwing(() -> new IOException("first")));
        Task<?> reader = session.graph().task("reader").reads(x).run(context -> runs.addAndGet(100));
        assertThrows(RuntimeException.class, reader::join);
        assertEquals(1, runs.get());
        session.graph().await();
    }

    @Test
    void tasksBehindItOnTheDeviceRun() {
        Data[] all = new Data[8];
        Task<?>[] tasks = new Task<?>[all.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = session.data().vector("y" + i, new double[1]);
            Kernel kernel = i == 0
                    ? throwing(() -> new IllegalStateException("first"))
                    : Kernel.named("count").onHost(arguments -> runs.incrementAndGet());
            tasks[i] = session.graph()
                    .task("t" + i)
                    .on(ExecutionTarget.named("emulated1"))
                    .updates(all[i])
                    .run(kernel);
        }
        assertEquals("first", cause(tasks[0]).getMessage());
        for (int i = 1; i < all.length; i++) {
            tasks[i].join();
        }
        assertEquals(all.length, runs.get());
        session.graph().await();
    }

    @Test
    void aRunOfACompiledGraphFailsWithThatCause() {
        IllegalStateException error = new IllegalStateException("wrong");
        CompiledGraph graph = session.record(tasks ->
                tasks.task("recorded").on(ExecutionTarget.EMULATED).updates(x).run(throwing(() -> error)));
        assertSame(error, assertThrows(TaskFailedException.class, graph::run).getCause());
        assertEquals(1, runs.get());
    }

    @Test
    void aDeviceExceptionOfTheCodeIsTheDevices() {
        EmulatedBody body = new EmulatedBody("body", launch -> {
            runs.incrementAndGet();
            throw new DeviceException("refused");
        });
        Kernel kernel = Kernel.named("k")
                .onDevice(ExecutionTarget.EMULATED, body)
                .onHost(arguments -> arguments.memory(0).setDouble(1, 7));
        session.graph().task("moved").updates(x).run(kernel).join();
        assertEquals(3, runs.get());
        assertEquals(3, session.data().faults().fallbacks().size());
        session.data().fetch(x);
        assertEquals(7, values[1]);
    }
}
