package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Runs of compiled graphs when a device does not compile a kernel: one of theirs, or one of a live task before them.
 */
class UncompiledKernelTest {
    private static final KernelSource SOURCE = new KernelSource(Language.OPENCL_C, "k.cl", "k", "nonsense");

    private final Session session =
            Session.builder().workers(2).devices("emulated0").open();
    private final Data x = session.data().vector("x", new double[1]);
    private final Data y = session.data().vector("y", new double[1]);
    private final AtomicBoolean refuses = new AtomicBoolean(true);
    private final AtomicInteger ran = new AtomicInteger();

    private final Kernel kernel = Kernel.named("k").onDevice(ExecutionTarget.EMULATED, work -> {
        if (refuses.get()) {
            throw new KernelCompilationException(SOURCE, "emulated0", "k.cl:1: error");
        }
    });

    @AfterEach
    void close() {
        try {
            session.close();
        } catch (RuntimeException e) {
            assertMentions(e, "k.cl"); // of tasks that nobody joined
        }
    }

    private CompiledGraph counting() {
        return session.record(
                "counting", rec -> rec.task("count").updates(x).updates(y).run(context -> ran.incrementAndGet()));
    }

    @Test
    void aRunFailsAndTheNextDoesNot() {
        CompiledGraph graph = session.record("own", rec -> {
            rec.task("kernel").writes(x).run(kernel);
            rec.task("behind").reads(x).run(context -> ran.incrementAndGet());
        });
        assertMentions(assertThrows(TaskFailedException.class, graph::run), "\"kernel\"", "k.cl:1: error");
        assertEquals(0, ran.get());
        refuses.set(false);
        graph.run();
        assertEquals(1, ran.get());
    }

    @Test
    void aRunAsATaskFailsAndCancelsWhatIsBehind() {
        CompiledGraph graph =
                session.record("own", rec -> rec.task("kernel").writes(x).run(kernel));
        Task<?> task = graph.submit(session.graph(), "run");
        Task<?> behind = session.graph().task("behind").reads(x).run(context -> ran.incrementAndGet());
        assertMentions(assertThrows(TaskFailedException.class, task::join), "k.cl:1: error");
        assertMentions(assertThrows(TaskFailedException.class, behind::join), "k.cl:1: error");
        assertEquals(TaskState.FAILED, task.state());
        assertEquals(TaskState.CANCELLED, behind.state());
        assertEquals(0, ran.get());
    }

    @Test
    void aRunBehindALiveTaskDoesNotStart() {
        CompiledGraph graph = counting();
        Task<?> task = session.graph().task("live").updates(x).run(kernel);
        assertMentions(assertThrows(TaskFailedException.class, graph::run), "\"live\"", "k.cl:1: error");
        assertEquals(TaskState.FAILED, task.state());
        assertEquals(0, ran.get());
    }

    /** The caller of such a run sees to what comes before it. */
    @Test
    void aRunWithoutPlaceGoesOn() {
        CompiledGraph graph = counting();
        Task<?> live = session.graph().task("live").updates(x).run(kernel);
        Task<?> cancelled =
                session.graph().task("cancelled").reads(x).updates(y).run(context -> {});
        assertThrows(TaskFailedException.class, cancelled::join);
        assertEquals(TaskState.FAILED, live.state());
        graph.runUnordered();
        assertEquals(1, ran.get());
        assertThrows(TaskFailedException.class, graph::run);
        assertEquals(1, ran.get());
    }
}
