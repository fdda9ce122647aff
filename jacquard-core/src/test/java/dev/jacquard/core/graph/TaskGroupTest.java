package dev.jacquard.core.graph;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TaskGroupTest {
    @Test
    void goesOnOnceWhenTheLastOfItsTasksIsOver() throws InterruptedException {
        for (int workers = 1; workers <= 3; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                TaskGraph graph = session.graph();
                for (int round = 0; round < 200; round++) {
                    Handle<int[]> sum = session.wrap("sum", new int[1]);
                    AtomicInteger ends = new AtomicInteger();
                    TaskGroup group = graph.group();
                    for (int i = 0; i < 10; i++) {
                        group.task("add").updates(sum).run(ctx -> ctx.get(sum)[0]++);
                    }
                    assertEquals(10, group.submitted());
                    int[] seen = new int[1];
                    group.whenOver(() -> {
                        seen[0] = sum.value()[0];
                        ends.incrementAndGet();
                        session.signal();
                    });
                    session.awaitUntil(() -> ends.get() > 0);
                    assertEquals(10, seen[0], "it goes on after the last, and sees what all did");
                    assertEquals(1, ends.get());
                    assertNull(group.failure());
                }
            }
        }
    }

    @Test
    void aGroupWithoutTasksGoesOnAtOnce() {
        try (Session session = Session.builder().workers(1).open()) {
            AtomicInteger ends = new AtomicInteger();
            TaskGroup group = session.graph().group();
            group.whenOver(ends::incrementAndGet);
            assertEquals(1, ends.get());
            assertThrows(IllegalStateException.class, () -> group.task("late"));
            assertThrows(IllegalStateException.class, () -> group.whenOver(() -> {}));
        }
    }

    @Test
    void anActionThatThrowsIsAFailureOfItsGraphAlone() {
        IllegalStateException planned = new IllegalStateException("planned");
        Session session = Session.builder().workers(2).open();
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        CountDownLatch goOn = new CountDownLatch(1);
        Task<Integer> rest = other.task("rest").call(ctx -> {
            Watchdog.await(goOn, "the group is over");
            return 7;
        });
        TaskGroup group = session.graph("group", FailurePolicy.CONTINUE).group();
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        group.task("last").run(ctx -> Watchdog.await(submitted, "the action is set"));
        group.whenOver(() -> {
            called.countDown();
            throw planned;
        });
        submitted.countDown();
        goOn.countDown();
        assertEquals(7, rest.join());
        Watchdog.await(called, "the action is called");
        other.await();
        TaskFailedException told = assertThrows(TaskFailedException.class, session::close);
        assertSame(planned, told.getCause());
        assertTrue(String.valueOf(told.getMessage()).contains("the action that follows its group"), told.getMessage());
    }

    @Test
    void anActionThatThrowsAtOnceThrowsToItsCaller() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGroup group = session.graph().group();
            assertThrows(
                    IllegalStateException.class,
                    () -> group.whenOver(() -> {
                        throw new IllegalStateException("planned");
                    }));
        }
    }

    @Test
    void aFailureIsKnownAndTheOthersAreWaitedFor() throws InterruptedException {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("group", FailurePolicy.CONTINUE);
            Handle<int[]> x = session.wrap("x", new int[1]);
            AtomicInteger ran = new AtomicInteger();
            CountDownLatch over = new CountDownLatch(1);
            TaskGroup group = graph.group();
            group.task("fails").writes(x).run(ctx -> {
                throw new IllegalStateException("on purpose");
            });
            group.task("reads").reads(x).run(ctx -> ran.addAndGet(100));
            group.task("else").run(ctx -> ran.incrementAndGet());
            group.whenOver(over::countDown);
            over.await();
            assertEquals(1, ran.get());
            TaskFailedException failure = assertInstanceOf(TaskFailedException.class, group.failure());
            assertTrue(failure.toString().contains("\"fails\""), failure.toString());
            assertThrows(TaskFailedException.class, graph::await);
        }
    }

    /** A task that a failure has cancelled adds nothing to it. */
    @Test
    void furtherFailuresAreSuppressed() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("group", FailurePolicy.CONTINUE);
            TaskGroup group = graph.group();
            for (int i = 0; i < 20; i++) {
                String text = "no " + i;
                Handle<int[]> x = session.wrap("x", new int[1]);
                group.task("fails").writes(x).run(ctx -> {
                    throw new IllegalStateException(text);
                });
                group.task("reads").reads(x).run(ctx -> {});
            }
            assertThrows(TaskFailedException.class, graph::await);
            TaskFailedException told = assertInstanceOf(TaskFailedException.class, group.failure());
            assertEquals(15, told.getSuppressed().length);
            assertEquals(
                    16,
                    Stream.concat(Stream.of(told), Arrays.stream(told.getSuppressed()))
                            .map(Throwable::getCause)
                            .distinct()
                            .count());
        }
    }

    @Test
    void aFailureIsToldBesideATaskThatWasCancelledBefore() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("group", FailurePolicy.CONTINUE);
            CountDownLatch begun = new CountDownLatch(2);
            TaskGroup group = graph.group();
            Task<?> waits = group.task("waits").abandonable().start(ctx -> {
                begun.countDown();
                return new CompletableFuture<>();
            });
            group.task("fails").run(ctx -> {
                begun.countDown();
                begun.countDown();
                Watchdog.until(() -> waits.state().isOver(), "the other task is cancelled");
                throw new IllegalStateException("disk full");
            });
            Watchdog.await(begun, "both tasks are at work");
            graph.cancel();
            assertThrows(TaskFailedException.class, graph::await);
            assertMentions(assertInstanceOf(TaskFailedException.class, group.failure()), "\"fails\"", "disk full");
        }
    }

    @Test
    void itsKernelsRunOnItsDeviceAndItsWatcherIsTold() throws InterruptedException {
        Kernel fill = Kernel.named("fill")
                .onHost(arguments -> {
                    throw new AssertionError("on the host");
                })
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody("fill", launch -> launch.memory(0).fill((byte) 1)));
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1"))
                .open()) {
            assertEquals(
                    List.of(ExecutionTarget.named("emulated0"), ExecutionTarget.named("emulated1")),
                    session.devices(ExecutionTarget.EMULATED));
            assertEquals(List.of(), session.devices(ExecutionTarget.CUDA));
            Data x = session.data().vector("x", new long[10]);
            CountDownLatch over = new CountDownLatch(1);
            TaskGroup group = session.graph()
                    .group(
                            session.devices(ExecutionTarget.named("emulated1")).getFirst(),
                            (from, to) -> told.add(from + "-" + to));
            group.task("fill").updates(x).run(fill);
            group.whenOver(over::countDown);
            session.graph().await();
            over.await();
            assertNull(group.failure());
            assertEquals(
                    "emulated1", session.data().transfers().links().getFirst().to());
            assertEquals(List.of("ELSEWHERE-STAGING", "STAGING-RUNNING", "RUNNING-ELSEWHERE"), told);
        }
    }
}
