package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.cache.CachePolicy.Entry;
import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import dev.jacquard.memory.cache.CachePolicyException;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who leaves a memory that is full, as the cache policy says. */
class CachePolicyTest {
    private static final long BYTES = 800;
    private static final Kernel LOOK =
            Kernel.named("look").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("look", launch -> {}));

    private static Session session(CachePolicy policy, long bytes) {
        return Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), bytes)
                .cachePolicy(policy)
                .open();
    }

    private static Data vector(Session session, String name, int length) {
        return session.data().vector(name, new double[length]);
    }

    /** Reads them on the device, one after the other; what was copied in all. */
    private static long copiesOf(Session session, Data... inTurn) {
        for (Data data : inTurn) {
            session.graph().task("look").reads(data).run(LOOK).join();
        }
        return session.data().transfers().copies();
    }

    @Test
    void whatWasUsedLongestAgoGoesFirst() {
        try (Session session = session(CachePolicy.leastRecentlyUsed(), 2 * BYTES)) {
            Data a = vector(session, "a", 100);
            Data b = vector(session, "b", 100);
            Data c = vector(session, "c", 100);
            assertEquals(3, copiesOf(session, a, b, a, c, a), "b went, which was not used any more");
        }
    }

    @Test
    void whatCameFirstGoesFirst() {
        try (Session session = session(CachePolicy.firstInFirstOut(), 2 * BYTES)) {
            Data a = vector(session, "a", 100);
            Data b = vector(session, "b", 100);
            Data c = vector(session, "c", 100);
            assertEquals(4, copiesOf(session, a, b, a, c, a), "a went, though it was used just before");
        }
    }

    @Test
    void whatIsLargestGoesFirst() {
        try (Session session = session(CachePolicy.largestFirst(), 4 * BYTES)) {
            Data small = vector(session, "small", 100);
            Data large = vector(session, "large", 200);
            Data other = vector(session, "other", 200);
            assertEquals(3, copiesOf(session, small, large, other, small), "small stays, though it is older");
        }
    }

    /** An order that does one thing wrong. */
    private static class Wrong implements CachePolicy, EvictionOrder {
        final List<Entry> entries = new ArrayList<>();

        @Override
        public String name() {
            return "wrong";
        }

        @Override
        public EvictionOrder order(String memory, long bytes) {
            return memory.equals("emulated0")
                    ? this
                    : CachePolicy.leastRecentlyUsed().order(memory, bytes);
        }

        @Override
        public void inserted(Entry entry) {
            entries.add(entry);
        }

        @Override
        public void used(Entry entry) {}

        @Override
        public void removed(Entry entry) {
            entries.remove(entry);
        }

        @Override
        public @Nullable Entry victim() {
            return entries.stream().filter(Entry::mayGo).findFirst().orElse(null);
        }
    }

    private static String failureUnder(CachePolicy policy) {
        try (Session session = session(policy, 2 * BYTES)) {
            TaskGraph graph = session.graph("full", FailurePolicy.CONTINUE);
            Data a = vector(session, "a", 100);
            Data b = vector(session, "b", 100);
            Data c = vector(session, "c", 100);
            graph.task("first").reads(a).reads(b).run(LOOK).join();
            graph.task("second").reads(b).reads(c).run(LOOK);
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            assertInstanceOf(CachePolicyException.class, failed.getCause());
            graph.task("third").reads(a).reads(b).run(LOOK).join(); // it is there, and needs no room
            return String.valueOf(failed.getCause().getMessage());
        }
    }

    @Test
    void aPolicyOfTheUsersOwnDecides() {
        Wrong right = new Wrong();
        try (Session session = session(right, 2 * BYTES)) {
            Data a = vector(session, "a", 100);
            Data b = vector(session, "b", 100);
            Data c = vector(session, "c", 100);
            assertEquals(4, copiesOf(session, a, b, a, c, a));
            assertEquals(2, right.entries.size());
            session.data().free(a);
            assertEquals(
                    List.of("c[0 until 100] in emulated0"),
                    right.entries.stream().map(Entry::toString).toList());
        }
    }

    /** Returns a policy whose orders, for that many bytes, come from there. */
    private static CachePolicy withOrder(LongFunction<EvictionOrder> orders) {
        return new CachePolicy() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public EvictionOrder order(String memory, long bytes) {
                return orders.apply(bytes);
            }
        };
    }

    @Test
    void oneThatThrowsInPlaceOfAnOrderIsNamed() {
        CachePolicy none = withOrder(bytes -> {
            throw new UnsupportedOperationException("not for " + bytes);
        });
        CachePolicyException refused = assertThrows(
                CachePolicyException.class,
                () -> Session.builder().workers(1).cachePolicy(none).open());
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("cache policy \"none\" threw when it was to make the order of "),
                refused.toString());
    }

    @Test
    @SuppressWarnings("NullAway") // the point
    void oneWithoutAnOrderIsRefused() {
        CachePolicy none = withOrder(bytes -> null);
        CachePolicyException refused = assertThrows(
                CachePolicyException.class,
                () -> Session.builder().workers(1).cachePolicy(none).open());
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("cache policy \"none\" has made no order for "),
                refused.toString());
    }

    @Test
    void oneThatThrowsFailsWhoNeedsRoom() {
        String why = failureUnder(new Wrong() {
            @Override
            public Entry victim() {
                throw new IllegalArgumentException("no idea");
            }
        });
        assertEquals(
                "cache policy \"wrong\" threw when asked which replica is to leave emulated0: "
                        + "java.lang.IllegalArgumentException: no idea",
                why);
        String before = failureUnder(new Wrong() {
            @Override
            public void used(Entry entry) {
                throw new IllegalArgumentException("no use");
            }
        });
        assertTrue(before.startsWith("cache policy \"wrong\" threw when notified of a use of "), before);
    }

    @Test
    void oneThatNamesWhatIsInUseFailsWhoNeedsRoom() {
        String why = failureUnder(new Wrong() {
            @Override
            public Entry victim() {
                return entries.stream()
                        .filter(entry -> entry.data().name().equals("b"))
                        .findFirst()
                        .orElseThrow();
            }
        });
        assertTrue(
                why.startsWith("cache policy \"wrong\" says that b[0 until 100] in emulated0 is to leave emulated0, "
                        + "which is in use, or is not there"),
                why);
    }

    @Test
    void whatHasNowhereToGoKeepsNothingElseFromGoing() {
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(0)
                .device(EmulatedDevice.offer("emulated0"), 3 * BYTES)
                .open()) {
            Data made = session.data().vector("made", DataType.FLOAT64, 100);
            session.graph().task("make").writes(made).run(LOOK).join();
            Data a = vector(session, "a", 100);
            Data b = vector(session, "b", 100);
            Data c = vector(session, "c", 100);
            assertEquals(3, copiesOf(session, a, b, c), "made is the oldest, and the only copy: a went");
        }
    }

    @Test
    void manyPartsAreNoProblem() {
        int parts = 5_000;
        try (Session session = session(CachePolicy.leastRecentlyUsed(), parts / 2 * 8L)) {
            Data x = session.data().vector("x", DataType.FLOAT64, parts);
            session.graph().window(1000);
            for (int part = 0; part < parts; part++) {
                View view = x.rows(part, part + 1);
                session.graph().task("write").writes(view).run(LOOK);
            }
            session.graph().await();
            Transfers.Used device = session.data().transfers().spaces().getLast();
            assertEquals(parts / 2, device.evictions());
            assertEquals(parts / 2 * 8L, device.bytes());
        }
    }
}
