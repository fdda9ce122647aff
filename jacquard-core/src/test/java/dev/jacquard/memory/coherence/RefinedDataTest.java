package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The work left to do behind sub-tasks finds what these have written, wherever they ran. */
@Timeout(180)
class RefinedDataTest {
    private final Session session =
            Session.builder().workers(2).devices("emulated0").open();
    private final TaskGraph graph = session.graph();

    @AfterEach
    void close() {
        session.close();
    }

    /** A kernel on the device for one data of numbers. */
    private static Kernel kernel(String name, Consumer<MemorySegment> body) {
        return Kernel.named(name)
                .parameters("x")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody(name, launch -> body.accept(launch.memory(0))));
    }

    private static Consumer<MemorySegment> all(double value) {
        return memory -> {
            for (long at = 0; at < memory.byteSize() / Double.BYTES; at++) {
                memory.setAtIndex(ValueLayout.JAVA_DOUBLE, at, value);
            }
        };
    }

    @Test
    void whatSubTasksOverwroteIsThere() {
        double[] home = {1, 2};
        Data x = session.data().vector("x", home);
        AtomicLong seen = new AtomicLong();
        graph.task("overwrites").writes(x).run(context -> {
            context.refine(sub -> sub.task("seven").writes(x).run(kernel("seven", all(7))));
            context.afterwards(rest -> {
                seen.set((long) rest.memory(x).getDouble(1));
                rest.memory(x).setDouble(0, 8);
            });
        });
        graph.await();
        session.data().fetch(x);
        assertEquals(7, seen.get());
        assertArrayEquals(new double[] {8, 7}, home);
    }

    @Test
    void whatIsLeftOfItIsThere() {
        Data x = session.data().vector("x", DataType.FLOAT64, 4);
        AtomicLong seen = new AtomicLong();
        graph.task("overwrites").writes(x).run(context -> {
            context.refine(sub -> sub.task("seven").writes(x).run(kernel("seven", all(7))));
            context.afterwards(rest -> {
                rest.demote(x, Access.read(Area.of(2, 3)));
                seen.set((long) rest.memory(x.rows(2, 4)).getDouble(1));
            });
        });
        graph.await();
        assertEquals(7, seen.get());
    }

    @Test
    void whatNobodyWroteIsLeftToDo() {
        Data x = session.data().vector("x", DataType.FLOAT64, 4);
        Handle<int[]> gate = session.wrap("gate", new int[1]);
        CountDownLatch refined = new CountDownLatch(1);
        graph.task("before").updates(gate).run(context -> Watchdog.await(refined, "the next task is refined"));
        Task<?> overwrites = graph.task("overwrites")
                .reads(gate)
                .writes(x)
                .adjustable()
                .run(context -> context.afterwards(rest -> {
                    rest.memory(x).setDouble(0, 9);
                    rest.memory(x).setDouble(1, 9);
                }));
        View half = x.rows(2, 4);
        assertTrue(overwrites.tryRefine(sub -> sub.task("seven").writes(half).run(kernel("seven", all(7)))));
        refined.countDown();
        assertEquals(
                32,
                graph.task("sum")
                        .reads(x)
                        .call(context -> LongStream.range(0, 4)
                                .mapToDouble(at -> context.memory(x).getDouble(at))
                                .sum())
                        .join());
    }

    @Test
    void whatIsLeftToDoRefinesAgain() {
        double[] home = new double[1];
        Data x = session.data().vector("x", home);
        graph.task("three phases").writes(x).run(context -> {
            context.memory(x).setDouble(0, 4);
            phase(context, x, 3);
        });
        graph.await();
        session.data().fetch(x);
        assertEquals(7, home[0]);
    }

    private static void phase(TaskContext context, Data x, int left) {
        context.refine(sub -> sub.task("one more").updates(x).run(kernel("one", memory -> {
            double before = memory.getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
            memory.setAtIndex(ValueLayout.JAVA_DOUBLE, 0, before + 1);
        })));
        context.afterwards(rest -> {
            if (left > 1) {
                phase(rest, x, left - 1);
            }
        });
    }
}
