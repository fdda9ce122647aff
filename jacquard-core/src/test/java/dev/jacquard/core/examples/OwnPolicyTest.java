package dev.jacquard.core.examples;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.schedule.EarliestFinish;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders, placements and policies of the user. */
class OwnPolicyTest {
    @Test
    void anOrderOfTheUsersDecidesWhatIsNext() {
        assertEquals(List.of("c", "b", "a"), ran(Session.builder().order(Lifo::new)));
    }

    @Test
    void anOrderSeesTheDepthAndTheConsumersOfATask() {
        List<String> seen = new ArrayList<>();
        class Looking implements ReadyOrder {
            private final Lifo order = new Lifo();

            @Override
            public void push(ReadyTask task) {
                order.push(task);
            }

            @Override
            public @Nullable ReadyTask pop(int worker) {
                ReadyTask task = order.pop(worker);
                if (task != null) {
                    seen.add(task.name() + ", depth " + task.depth() + ", consumers " + task.consumers());
                }
                return task;
            }
        }
        try (Session session = Session.builder().workers(1).order(Looking::new).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> data = session.wrap("data", new int[1]);
            Task<?> first = graph.task("first").writes(data).run(ctx -> {});
            graph.task("second").updates(data).run(ctx -> {});
            graph.task("third").reads(data).after(first).run(ctx -> {});
            graph.await();
        }
        assertEquals(
                List.of("first, depth 0, consumers 2", "second, depth 1, consumers 1", "third, depth 2, consumers 0"),
                seen);
    }

    @Test
    void aPolicyOfTheUsersIsFoundByItsName() {
        assertEquals(List.of("c", "b", "a"), ran(Session.builder().policy(Policies.named("lifo"))));
    }

    @Test
    void anotherPlacementKeepsThePolicysOrder() {
        assertEquals(
                List.of("c", "b", "a"),
                ran(Session.builder()
                        .policy(new LifoPolicy())
                        .placement((task, machine) -> machine.places().getFirst())));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void orderAndPlacementAreCombined(int workers) {
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder()
                .workers(workers)
                .order(Lifo::new)
                .policy(Policies.named("minimum-load"))
                .open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 1000; i++) {
                graph.task("t").run(context -> ran.incrementAndGet());
            }
            graph.await();
            assertEquals(1000, ran.get());
        }
    }

    /** It wants one call at a time, for which the policy of stealing does not ask. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "priority", "sequential"})
    void theOrderOfABuiltInPolicyGoesWithEachOther(String name) {
        for (int round = 0; round < 10; round++) {
            AtomicInteger ran = new AtomicInteger();
            try (Session session = Session.builder()
                    .workers(4)
                    .order(() -> Objects.requireNonNull(Policies.named(name).order()))
                    .open()) {
                TaskGraph graph = session.graph();
                for (int i = 0; i < 5_000; i++) {
                    graph.task("t")
                            .run(context ->
                                    context.refine(parts -> parts.task("part").run(part -> ran.incrementAndGet())));
                }
                graph.await();
            }
            assertEquals(5_000, ran.get());
        }
    }

    /** Tasks with more than 1 MiB on a device go to that device. */
    private static final class ToTheData implements Placement {
        private final Placement otherwise = new EarliestFinish();

        @Override
        public Place place(ReadyTask task, MachineState machine) {
            for (Place place : machine.places()) {
                if (place.isDevice() && machine.bytes(task) - machine.missingBytes(task, place) > 1 << 20) {
                    return place;
                }
            }
            return otherwise.place(task, machine);
        }
    }

    @Test
    void aPlacementSeesDevicesAndData() {
        Kernel one = Kernel.named("one").parameters("y").onHost(arguments -> {
            Memory y = arguments.memory("y");
            for (long i = 0; i < y.extent(0); i++) {
                y.setDouble(i, y.getDouble(i) + 1);
            }
        });
        double[] ys = new double[200_000];
        try (Session session = Session.builder()
                .devices("emulated0", "emulated1")
                .placement(new ToTheData())
                .open()) {
            Data y = session.data().vector("y", ys);
            for (int i = 0; i < 10; i++) {
                session.graph()
                        .task("one")
                        .updates(y)
                        .on(ExecutionTarget.EMULATED)
                        .run(one);
                session.graph().await(); // the other device has nothing to do, and is not chosen for that
            }
            session.data().fetch(y);
            assertEquals(10, ys[199_999]);
            assertEquals(2, session.data().transfers().copies());
        }
    }

    /** How many of six kernels, two on each of three data, ran on the first of two devices. */
    private static int onTheFirstOfTwo(SessionBuilder builder) {
        AtomicInteger first = new AtomicInteger();
        Kernel kernel = Kernel.named("kernel")
                .onDevice(
                        ExecutionTarget.named("emulated0"),
                        new EmulatedBody("first", launch -> first.incrementAndGet()))
                .onDevice(ExecutionTarget.named("emulated1"), new EmulatedBody("second", launch -> {}));
        try (Session session = builder.devices("emulated0", "emulated1").open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 3; i++) {
                Data x = session.data().vector("x" + i, new double[4]);
                graph.task("one").updates(x).run(kernel);
                graph.task("two").updates(x).run(kernel);
            }
            graph.await();
        }
        return first.get();
    }

    @Test
    void thePlacementOfAPolicyChoosesDevices() {
        assertEquals(6, onTheFirstOfTwo(Session.builder().policy(Policies.named("sequential"))));
        assertEquals(3, onTheFirstOfTwo(Session.builder().policy(Policies.named("round-robin"))));
        assertEquals(0, onTheFirstOfTwo(Session.builder().policy(Policies.named("pinned"))) % 2, "by their data");
        assertEquals(
                0,
                onTheFirstOfTwo(Session.builder()
                        .placement((task, machine) -> machine.places().getLast())));
    }

    @Test
    void aWrongAnswerForADeviceEndsTheRun() {
        PolicyException end = assertThrows(
                PolicyException.class,
                () -> onTheFirstOfTwo(Session.builder().placement((task, machine) -> Place.HOST)));
        assertMentions(end, "placed task \"one\" on host; the places were emulated0, emulated1");
    }

    @Test
    void aPlacementReadsFlagsOfTheUsers() {
        Placement first = (task, machine) -> task.has("small")
                ? machine.places().getFirst()
                : machine.places().getLast();
        try (Session session = Session.builder()
                .workers(3)
                .policy(Policies.named("pinned")) // nobody takes what was placed on another
                .placement(first)
                .open()) {
            TaskGraph graph = session.graph();
            AtomicInteger inPlace = new AtomicInteger();
            for (int i = 0; i < 20; i++) {
                graph.task("small").flag(Flag.named("small")).run(ctx -> inPlace.addAndGet(ctx.worker() == 0 ? 1 : 0));
                graph.task("large").run(ctx -> inPlace.addAndGet(ctx.worker() == 2 ? 1 : 0));
            }
            graph.await();
            assertEquals(40, graph.report().done());
            assertEquals(40, inPlace.get());
        }
    }

    /** The order in which one worker runs three tasks that are ready together. */
    private static List<String> ran(SessionBuilder builder) {
        List<String> ran = new ArrayList<>();
        try (Session session = builder.workers(1).open()) {
            TaskGraph graph = session.graph();
            for (String name : List.of("a", "b", "c")) {
                graph.task(name).run(context -> ran.add(context.name()));
            }
            graph.await();
        }
        return ran;
    }
}
