package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import dev.jacquard.testkit.Mute;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy that breaks its contract ends the run, not the process, and nobody waits for ever. */
@Timeout(180)
class WrongPoliciesTest {
    /** First in, first out, until {@code wrong} is asked instead. */
    private static Supplier<ReadyOrder> popping(
            BiFunction<Deque<ReadyTask>, @Nullable ReadyTask, @Nullable ReadyTask> wrong) {
        return () -> new ReadyOrder() {
            private final Deque<ReadyTask> ready = new ArrayDeque<>();
            private @Nullable ReadyTask last;

            @Override
            public synchronized void push(ReadyTask task) {
                ready.add(task);
            }

            @Override
            public synchronized @Nullable ReadyTask pop(int worker) {
                ReadyTask task = wrong.apply(ready, last);
                last = task;
                return task;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void onePopTooMany(int workers) {
        PolicyException end = endOf(workers, with(popping((ready, last) -> last != null ? last : ready.poll()), null));
        assertMentions(end, "policy \"fifo with another order\" returned task \"t", "which was taken out before");
        assertTrue(end.task().orElseThrow().startsWith("t"));
    }

    @Test
    void aTaskThatWasNeverReady() {
        Node never = new Scripted("never", Place.HOST, worker -> {});
        PolicyException end = endOf(2, with(popping((ready, last) -> never), null));
        assertMentions(end, "returned task \"never\", which was never ready");
    }

    /** Neither runs what belongs to the other, which would wait for ever for the end of its task. */
    @Test
    void aTaskOfAnotherEngine() {
        ReadyOrder shared = Objects.requireNonNull(Policies.named("fifo").order());
        Policy policy = with(() -> shared, null);
        AtomicInteger ran = new AtomicInteger();
        try (Engine a = new Engine(EngineOptions.of(1).withPolicy(policy), new Trace(Clock.system(), 0)).start();
                Engine b = new Engine(EngineOptions.of(1).withPolicy(policy), new Trace(Clock.system(), 0)).start()) {
            a.ready(new Scripted("of a", Place.HOST, worker -> ran.getAndIncrement()));
            b.ready(new Scripted("of b", Place.HOST, worker -> ran.getAndIncrement()));
            for (Engine each : List.of(b, a)) {
                assertMentions(
                        assertThrows(PolicyException.class, () -> each.awaitUntil(() -> ran.get() > 0)),
                        each == a ? "returned task \"of b\"" : "returned task \"of a\"",
                        ", which was never ready");
            }
        }
        assertEquals(0, ran.get());
    }

    @Test
    void anInventedTask() {
        ReadyTask invented = new ReadyTask() {};
        PolicyException end = endOf(2, with(popping((ready, last) -> invented), null));
        assertMentions(end, "which is no task of the engine's");
    }

    @Test
    void anInventedTaskWithoutAName() {
        ReadyTask invented = new ReadyTask() {
            @Override
            public String name() {
                throw new UnsupportedOperationException("planned");
            }
        };
        PolicyException end = endOf(2, with(popping((ready, last) -> invented), null));
        assertMentions(end, "policy \"fifo with another order\" returned a task whose name() throws", "planned");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aTaskThatIsNeverReturned(int workers) {
        PolicyException end =
                endOf(workers, with(popping((ready, last) -> ready.size() > 1 ? ready.poll() : null), null));
        assertMentions(end, "keeps 1 ready task back: all workers are idle, and pop answers null");
        assertEquals(Optional.empty(), end.task());
    }

    /** Whoever was refused before the last pop sleeps, and must ask again; about one run in twenty comes to that. */
    @Test
    void aTaskThatIsNeverReturnedIsAlwaysFoundOut() {
        for (int run = 0; run < 300; run++) {
            aTaskThatIsNeverReturned(4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aTaskThatIsNeverReturnedToItsWorker(int workers) {
        Supplier<ReadyOrder> keeps = popping((ready, last) -> null);
        assertMentions(
                endOf(workers, with(keeps, (task, machine) -> machine.places().getLast())), "keeps 5 ready tasks back");
    }

    /** The message of the end asks for the text: if that failed, the run would not end, nor the waits for it. */
    @ParameterizedTest
    @ValueSource(strings = {"push", "pop", "place"})
    void throwingWhatHasNoText(String where) {
        RuntimeException mute = new Mute();
        Supplier<ReadyOrder> order = () -> new ReadyOrder() {
            private final Deque<ReadyTask> ready = new ArrayDeque<>();

            @Override
            public synchronized void push(ReadyTask task) {
                throwIf("push");
                ready.add(task);
            }

            @Override
            public synchronized @Nullable ReadyTask pop(int worker) {
                throwIf("pop");
                return ready.poll();
            }

            private void throwIf(String here) {
                if (here.equals(where)) {
                    throw mute;
                }
            }
        };
        Placement placement = (task, machine) -> {
            throw mute;
        };
        PolicyException end = endOf(2, with(order, where.equals("place") ? placement : null));
        assertMentions(
                new AssertionError(end.getMessage()),
                "threw from " + where,
                "(its toString failed with java.lang.IllegalStateException)");
    }

    @Test
    void throwingFromPush() {
        RuntimeException thrown = new RuntimeException("planned");
        PolicyException end = endOf(
                2,
                with(
                        () -> new ReadyOrder() {
                            @Override
                            public void push(ReadyTask task) {
                                throw thrown;
                            }

                            @Override
                            public @Nullable ReadyTask pop(int worker) {
                                return null;
                            }
                        },
                        null));
        assertMentions(end, "threw from push of task \"t0\"", "planned");
        assertSame(thrown, Objects.requireNonNull(end.getCause()).getCause());
    }

    @Test
    void throwingFromPop() {
        PolicyException end = endOf(
                2,
                with(
                        popping((ready, last) -> {
                            throw new StackOverflowError("planned");
                        }),
                        null));
        assertMentions(end, "threw from pop", "planned");
    }

    @Test
    void askingAboutAPlaceThatIsNotThere() {
        for (Place place : new Place[] {Place.worker(9), Place.worker(0), Place.MAIN}) {
            PolicyException end = endOf(2, with(null, (task, machine) -> {
                assertTrue(machine.tasks(machine.places().getFirst()) >= 0);
                assertTrue(machine.queuedNanos(place) >= 0);
                return machine.places().getFirst();
            }));
            assertMentions(
                    end,
                    "threw from place of task \"t0\"",
                    place.name() + " is not among the places to choose from: worker 0, worker 1");
        }
    }

    @Test
    void throwingFromPlace() {
        PolicyException end = endOf(2, with(null, (task, machine) -> {
            throw new IllegalStateException("planned");
        }));
        assertMentions(end, "policy \"fifo with another placement\" threw from place of task \"t0\"", "planned");
    }

    @Test
    void placingOnAWorkerThatDoesNotExist() {
        PolicyException end = endOf(3, with(null, (task, machine) -> Place.worker(3)));
        assertMentions(end, "placed task \"t0\" on worker 3; the places were worker 0, worker 1, worker 2");
        assertEquals(Optional.of("t0"), end.task());
    }

    @Test
    void throwingWhenATaskIsSubmitted() {
        Policy policy = new Policy() {
            @Override
            public String name() {
                return "throws";
            }

            @Override
            public Set<Need> needs() {
                return Set.of(Need.SUBMISSIONS, Need.EXCLUSIVE_CALLS);
            }

            @Override
            public ReadyOrder order() {
                return Objects.requireNonNull(Policies.named("fifo").order());
            }

            @Override
            public void submitted(ReadyTask task, Edges edges) {
                throw new IllegalStateException("planned");
            }
        };
        Engine engine = new Engine(EngineOptions.of(1).withPolicy(policy), new Trace(Clock.system(), 0)).start();
        engine.submitted(new Scripted("t", Place.HOST, worker -> {}), earlier -> {});
        assertMentions(
                assertThrows(PolicyException.class, () -> engine.awaitUntil(() -> false)),
                "policy \"throws\" threw when task \"t\" was submitted: ",
                "planned");
        engine.close();
    }

    @Test
    void aPlacementWithoutEnoughOrdersIsRefusedAtOnce() {
        ReadyOrder one = Objects.requireNonNull(Policies.named("fifo").order());
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder()
                                .workers(2)
                                .order(() -> one)
                                .placement((task, machine) -> machine.places().getFirst())
                                .open()),
                "must make an order for each worker, and made the same one again");
    }

    @Test
    void everyThreadThatWaitsIsTold() {
        Policy policy = with(popping((ready, last) -> null), null);
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Engine engine = new Engine(EngineOptions.of(2).withPolicy(policy), new Trace(Clock.system(), 0)).start()) {
            CompletableFuture<Void> waiter = CompletableFuture.runAsync(
                    () -> {
                        thread.set(Thread.currentThread());
                        try {
                            engine.awaitUntil(() -> false);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    },
                    task -> new Thread(task).start());
            Watchdog.until(
                    () -> thread.get() != null
                            && Objects.requireNonNull(thread.get()).getState() == Thread.State.WAITING,
                    "somebody waits");
            engine.ready(new Scripted("kept", Place.HOST, worker -> {}));
            assertThrows(PolicyException.class, () -> engine.awaitUntil(() -> false));
            CompletionException other = assertThrows(CompletionException.class, waiter::join);
            assertTrue(other.getCause() instanceof PolicyException, "thrown: " + other.getCause());
        }
    }

    private static Policy with(@Nullable Supplier<ReadyOrder> order, @Nullable Placement placement) {
        return Policies.with(Policies.named("fifo"), order, placement);
    }

    /** What a session of five tasks ends with; it can be closed afterwards. */
    private static PolicyException endOf(int workers, Policy policy) {
        Session session = Session.builder().workers(workers).policy(policy).open();
        try {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 5; i++) {
                graph.task("t" + i).run(context -> {});
            }
            return assertThrows(PolicyException.class, graph::await);
        } finally {
            assertThrows(PolicyException.class, session::close);
        }
    }
}
