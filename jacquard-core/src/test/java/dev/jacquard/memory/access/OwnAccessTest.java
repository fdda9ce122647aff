package dev.jacquard.memory.access;

import static dev.jacquard.testkit.Messages.assertMentions;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.AccessTable.Kind;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.testing.AccessLaws;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The kinds of a user's own that the documentation shows. */
class OwnAccessTest {
    private record Keys(Set<String> keys, boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return Mode.ofStranger(this).conflictsWith(earlier)
                    && !(earlier instanceof Keys other && Collections.disjoint(keys, other.keys));
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(other) == Mode.NONE
                    || (other instanceof Keys part && keys.containsAll(part.keys) && (writes || !part.writes));
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.ofStranger(this);
        }
    }

    private static Set<String> draw(Random random) {
        Set<String> keys = new HashSet<>();
        for (String key : List.of("a", "b", "c")) {
            if (random.nextBoolean()) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** The elements with numbers that leave a remainder, of data that is accessed whole. */
    private record Every(int step, int rest, boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            boolean apart = earlier instanceof Every other && step == other.step && rest != other.rest;
            return Mode.ofStranger(this).conflictsWith(earlier) && !apart;
        }

        @Override
        public boolean covers(Access other) {
            boolean part = other instanceof Every its && step == its.step && rest == its.rest;
            return Mode.ofStranger(other) == Mode.NONE || (part && (writes || !other.writes()));
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.ofStranger(this);
        }
    }

    private static final Access EVEN = new Every(2, 0, true);
    private static final Access ODD = new Every(2, 1, true);

    /** Adds its argument to every second element, from the one on that the first argument names. */
    private static final Kernel SECOND = Kernel.named("second")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("second", launch -> {
                for (int i = launch.intAt(0); i < launch.memory(1).byteSize() / 8; i += 2) {
                    long at = 8L * i;
                    launch.memory(1).set(JAVA_LONG, at, launch.memory(1).get(JAVA_LONG, at) + 1);
                }
            }));

    private static void count(Memory memory, int from) {
        for (int i = from; i < memory.layout().elements(); i += 2) {
            memory.setLong(i, memory.getLong(i) + 1);
        }
    }

    @Test
    void tasksThatWriteOtherElementsOfDataRunSideBySide() {
        try (Session session = Session.builder().workers(2).noMainThread().open()) {
            long[] home = new long[4];
            Data data = session.data().vector("x", home);
            CyclicBarrier both = new CyclicBarrier(2);
            for (Access half : List.of(EVEN, ODD)) {
                session.graph().task("half").accesses(data, half).run(context -> {
                    both.await(10, TimeUnit.SECONDS);
                    count(context.memory(data), half == EVEN ? 0 : 1);
                    both.await(10, TimeUnit.SECONDS);
                });
            }
            session.data().fetch(data);
            assertArrayEquals(new long[] {1, 1, 1, 1}, home);
        }
    }

    @Test
    void inDifferentMemoriesTheyTakeTurns() {
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1"))
                .open()) {
            long[] home = new long[5];
            Data data = session.data().vector("x", home);
            TaskGraph graph = session.graph();
            for (int i = 0; i < 100; i++) {
                graph.task("even")
                        .accesses(data, EVEN)
                        .on(ExecutionTarget.named("emulated" + i % 2))
                        .run(SECOND, 0);
                graph.task("odd").accesses(data, ODD).run(context -> count(context.memory(data), 1));
            }
            session.data().fetch(data);
            assertArrayEquals(new long[] {100, 100, 100, 100, 100}, home);
        }
    }

    @Test
    void aFailureLosesNoElementsOfOthers() {
        try (Session session = Session.builder().workers(2).noMainThread().open()) {
            Data data = session.data().vector("x", new long[4]);
            TaskGraph graph = session.graph("half", FailurePolicy.CONTINUE);
            graph.task("even").accesses(data, EVEN).run(context -> count(context.memory(data), 0));
            Task<?> odd = graph.task("odd").accesses(data, ODD).run(context -> {
                throw new IllegalStateException("no");
            });
            Task<Long> second = graph.task("reads even")
                    .accesses(data, new Every(2, 0, false))
                    .call(context -> context.memory(data).getLong(2));
            Task<?> third = graph.task("reads odd")
                    .accesses(data, new Every(2, 1, false))
                    .run(context -> {});
            assertEquals(1, second.join());
            assertThrows(TaskFailedException.class, odd::join);
            assertThrows(TaskFailedException.class, third::join);
        }
    }

    @Test
    void aFailureOnADeviceLosesNoElementsOfOthers() {
        FaultPlan second = FaultPlan.NONE.at(FaultPlan.Kind.LAUNCH, 2);
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(second))
                .open()) {
            Data data = session.data().vector("x", new long[4]);
            TaskGraph graph = session.graph("half", FailurePolicy.CONTINUE);
            graph.task("even").accesses(data, EVEN).run(SECOND, 0);
            Task<?> odd = graph.task("odd").accesses(data, ODD).run(SECOND.onHost(arguments -> {}), 1);
            Task<Long> even = graph.task("reads even")
                    .accesses(data, new Every(2, 0, false))
                    .call(context -> context.memory(data).getLong(2));
            assertEquals(1, even.join());
            assertMentions(
                    assertThrows(TaskFailedException.class, odd::join),
                    "task \"odd\" failed on emulated0",
                    "is not run elsewhere");
        }
    }

    @Test
    void aTaskThatWritesBesideOthersIsNotTriedAgain() {
        try (Session session = Session.open()) {
            Data data = session.data().vector("x", new long[2]);
            TaskBuilder task = session.graph().task("a").accesses(data, ODD).retries(1);
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> task.run(context -> {}));
            assertMentions(refused, "cannot be retried", "others may write concurrently");
        }
    }

    @Test
    void strideKeepsTheLaws() {
        AccessLaws.check(
                100, seed -> random -> new Every(2 + random.nextInt(2), random.nextInt(2), random.nextBoolean()));
    }

    @Test
    void keysKeepTheLaws() {
        AccessLaws.check(100, seed -> random -> new Keys(draw(random), random.nextBoolean()));
    }

    @Test
    void theTableOfTheDocumentation() {
        AccessTable table = AccessTable.of(
                List.of(
                        new Kind("fill", true, true),
                        new Kind("read", true, false),
                        new Kind("view", true, false),
                        new Kind("none", false, false)),
                new boolean[][] {
                    {false, true, false, false},
                    {true, false, false, false},
                    {false, false, false, false},
                    {false, false, false, false}
                });
        new AccessLaws(table.entries()).check();
        assertFalse(table.entry("view").conflictsWith(table.entry("fill")));
        assertTrue(table.entry("read").conflictsWith(table.entry("fill")));
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> histogram = session.wrap("histogram", new int[2]);
            TaskGraph graph = session.graph();
            for (int i = 0; i < 100; i++) {
                graph.task("fill").accesses(histogram, table.entry("fill")).run(context -> {
                    int[] bins = context.get(histogram);
                    synchronized (bins) {
                        bins[0]++;
                    }
                });
            }
            Access left = new AreaAccess(table.entry("read"), Area.of(0, 0));
            int found = graph.task("read")
                    .accesses(histogram, left)
                    .call(context -> context.get(histogram)[0])
                    .join();
            assertEquals(100, found);
        }
    }
}
