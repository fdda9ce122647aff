package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Messages;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that are told of submissions are users' code: slow, wrong, or both. */
@Timeout(180)
class PoliciesThatAreToldTest {
    /** Schedules by stealing, and hands what it is told to {@code told}. */
    private record Told(BiConsumer<ReadyTask, Edges> told, boolean exclusive) implements Policy {
        @Override
        public String name() {
            return "told";
        }

        @Override
        public Set<Need> needs() {
            Set<Need> needs = EnumSet.of(Need.SUBMISSIONS);
            if (exclusive) {
                needs.add(Need.EXCLUSIVE_CALLS);
            }
            return needs;
        }

        @Override
        public @Nullable ReadyOrder order() {
            return null;
        }

        @Override
        public void submitted(ReadyTask task, Edges edges) {
            told.accept(task, edges);
        }
    }

    @Test
    void oneThatIsHeldUpHoldsUpNoOtherSubmitter() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Policy policy = new Told(
                (task, edges) -> {
                    if (task.name().equals("slow")) {
                        inside.countDown();
                        Watchdog.await(goOn, "the other submitter");
                    }
                },
                false);
        try (Session session = Session.builder().workers(2).policy(policy).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompletableFuture<?> slow = CompletableFuture.runAsync(
                    () -> session.graph().task("slow").updates(x).run(ctx -> ctx.get(x)[0]++),
                    task -> new Thread(task).start());
            Watchdog.await(inside, "the policy");
            Handle<int[]> y = session.wrap("y", new int[1]);
            session.graph().task("other").updates(y).run(ctx -> ctx.get(y)[0]++).join();
            session.graph("elsewhere", FailurePolicy.CONTINUE)
                    .task("behind")
                    .updates(x)
                    .run(ctx -> ctx.get(x)[0] *= 10);
            goOn.countDown();
            slow.join();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatSubmitsIsAnError(boolean exclusive) {
        AtomicReference<Session> opened = new AtomicReference<>();
        Policy policy = new Told(
                (task, edges) -> Objects.requireNonNull(opened.get())
                        .graph()
                        .task("from the policy")
                        .run(ctx -> {}),
                exclusive);
        Session session = Session.builder().workers(2).policy(policy).open();
        opened.set(session);
        CompletableFuture<Void> holds = new CompletableFuture<>();
        session.graph().task("first").start(ctx -> holds);
        PolicyException why = assertThrows(PolicyException.class, session.graph()::await);
        Messages.assertMentions(why, "told", "first");
        assertTrue(causes(why).contains("\"from the policy\" was submitted by the scheduling policy"), causes(why));
        assertThrows(PolicyException.class, session::close);
        holds.complete(null);
    }

    private static String causes(Throwable error) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
        return text.toString();
    }

    /** Calls {@code told} when the device is told, and runs {@code work} there. */
    private static Kernel kernel(String name, Runnable told, Runnable work) {
        EmulatedBody body = new EmulatedBody(name, launch -> work.run());
        return Kernel.named(name).onDevice(ExecutionTarget.EMULATED, its -> {
            told.run();
            body.enqueue(its);
        });
    }

    /** Its edge counts like others: it goes with the kernel that was told before it, and no other one with it. */
    @Test
    void aKernelBehindAnEdgeOfThePolicyIsToldAhead() {
        List<ReadyTask> known = new ArrayList<>();
        Policy policy = new Told(
                (task, edges) -> {
                    if (task.name().equals("last")) {
                        edges.after(known.getFirst());
                    }
                    known.add(task);
                },
                false);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch ahead = new CountDownLatch(1);
        try (Session session = Session.builder()
                .workers(3)
                .clock(() -> 0) // by which no kernel takes long: less is told ahead where they do
                .device(EmulatedDevice.offer("emulated0"))
                .policy(policy)
                .open()) {
            Data x = session.data().vector("x", new double[1]);
            Data y = session.data().vector("y", new double[1]);
            Handle<int[]> h = session.wrap("h", new int[1]);
            TaskGraph graph = session.graph();
            Task<?> first = graph.task("first").updates(y).run(kernel("first", () -> {}, () -> {
                begun.countDown();
                Watchdog.await(submitted, "the submissions");
            }));
            Watchdog.await(begun, "the device");
            graph.task("on the host").updates(h).run(context -> Watchdog.await(go, "the end of the first kernel"));
            Runnable waits = () -> Watchdog.await(ahead, "the device is told of the last kernel");
            graph.task("before").reads(h).updates(x).run(kernel("before", () -> {}, waits));
            graph.task("last").updates(x).run(kernel("last", ahead::countDown, () -> {}));
            submitted.countDown();
            first.join();
            go.countDown();
            graph.await();
        }
    }

    @Test
    void anEdgeToATaskThatWaitsForTheNewOneIsLeftOut() {
        List<ReadyTask> known = new ArrayList<>();
        Policy policy = new Told(
                (task, edges) -> {
                    known.forEach(edges::after);
                    known.add(task);
                },
                false);
        try (Session session = Session.builder().workers(2).policy(policy).open()) {
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            TaskGraph graph = session.graph();
            graph.task("solve")
                    .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                    .run(ctx -> order.add("solve"));
            graph.task("member").tag("assemble").run(ctx -> order.add("member"));
            graph.await();
            assertEquals(List.of("member", "solve"), order);
        }
    }

    /** An edge to a task that may be ready would make it ready twice. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEdgeThatIsAddedOutsideOfItsCallIsAnError(boolean elsewhere) {
        AtomicReference<ReadyTask> first = new AtomicReference<>();
        AtomicReference<Edges> kept = new AtomicReference<>();
        Policy policy = new Told(
                (task, edges) -> {
                    switch (task.name()) {
                        case "first" -> first.set(task);
                        case "second" -> kept.set(edges);
                        default -> {
                            Edges its = elsewhere ? edges : Objects.requireNonNull(kept.get());
                            Runnable adds = () -> its.after(Objects.requireNonNull(first.get()));
                            CompletableFuture.runAsync(
                                            adds, elsewhere ? call -> new Thread(call).start() : Runnable::run)
                                    .join();
                        }
                    }
                },
                false);
        Session session = Session.builder().workers(2).policy(policy).open();
        CompletableFuture<Void> holds = new CompletableFuture<>();
        TaskGraph graph = session.graph();
        graph.task("first").start(ctx -> holds);
        graph.task("second").start(ctx -> holds);
        graph.task("third").start(ctx -> holds);
        PolicyException why = assertThrows(PolicyException.class, graph::await);
        Messages.assertMentions(why, "told", "third");
        String late = elsewhere ? "third" : "second";
        assertTrue(causes(why).contains("an edge to task \"" + late + "\" was added too late"), causes(why));
        assertThrows(PolicyException.class, session::close);
        holds.complete(null);
    }

    /** A policy is told of sub-tasks too, and cannot know of which task they are. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void edgesBetweenSubTasksOfDifferentTasksAreLeftOut(int workers) {
        List<ReadyTask> known = Collections.synchronizedList(new ArrayList<>());
        Policy policy = new Told(
                (task, edges) -> {
                    synchronized (known) {
                        known.stream()
                                .filter(earlier -> earlier.id() < task.id())
                                .forEach(edges::after);
                        known.add(task);
                    }
                },
                true);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder().workers(workers).policy(policy).open()) {
            TaskGraph graph = session.graph();
            for (String name : List.of("a", "b")) {
                graph.task(name)
                        .run(ctx -> ctx.refine(inside -> {
                            inside.task(name + 1).run(sub -> order.add(sub.name()));
                            inside.task(name + 2).run(sub -> order.add(sub.name()));
                        }));
            }
            graph.await();
        }
        assertEquals(List.of("a1", "a2", "b1", "b2"), order);
    }

    @Test
    void anEdgeToATaskOfAnotherSessionIsAnError() {
        AtomicReference<ReadyTask> other = new AtomicReference<>();
        Policy policy = new Told(
                (task, edges) -> {
                    ReadyTask foreign = other.get();
                    if (foreign != null) {
                        edges.after(foreign);
                    }
                    other.compareAndSet(null, task);
                },
                false);
        try (Session session = Session.builder().workers(1).policy(policy).open()) {
            session.graph().task("there").run(ctx -> {}).join();
        }
        Session session = Session.builder().workers(1).policy(policy).open();
        session.graph().task("here").run(ctx -> {});
        PolicyException why = assertThrows(PolicyException.class, session.graph()::await);
        assertTrue(
                causes(why).contains("cannot come after \"there\", which was not submitted to the same session"),
                causes(why));
        assertThrows(PolicyException.class, session::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void edgesToEarlierTasksHoldWhoeverSubmits(int submitters) throws Exception {
        List<ReadyTask> known = Collections.synchronizedList(new ArrayList<>());
        Policy policy = new Told(
                (task, edges) -> {
                    synchronized (known) {
                        for (ReadyTask earlier : known) {
                            if (earlier.id() < task.id()) {
                                edges.after(earlier);
                            }
                        }
                        known.add(task);
                    }
                },
                false);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder().workers(3).policy(policy).open()) {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < submitters; i++) {
                int submitter = i;
                all.add(CompletableFuture.runAsync(
                        () -> {
                            for (int k = 0; k < 100; k++) {
                                String name = submitter + " " + k;
                                session.graph().task(name).run(ctx -> order.add(name));
                            }
                        },
                        task -> new Thread(task).start()));
            }
            all.forEach(CompletableFuture::join);
            session.graph().await();
        }
        assertEquals(100 * submitters, order.size());
        for (int i = 0; i < submitters; i++) {
            String mine = i + " ";
            List<Integer> numbers = order.stream()
                    .filter(name -> name.startsWith(mine))
                    .map(name -> Integer.valueOf(name.substring(mine.length())))
                    .toList();
            assertEquals(numbers.stream().sorted().toList(), numbers);
        }
    }
}
