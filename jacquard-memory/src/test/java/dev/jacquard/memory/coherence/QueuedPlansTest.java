package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.Parts;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The number of looks at queued tasks on a device and at their writes grows with the number of these tasks, and no
 * faster.
 */
@Timeout(180)
class QueuedPlansTest {
    private static final Place DEVICE = Place.device(ExecutionTarget.EMULATED, "emulated0", Place.FIRST_NUMBER);
    private static final int FEW = 500;
    private static final int MANY = 2_000;
    private static final int BLOCK = 4;

    private final Data x = new Data(
            "x", this, Layout.of(DataType.FLOAT64, MANY * BLOCK), MemorySegment.ofArray(new double[MANY * BLOCK]));

    /** Returns what task number {@code task} accesses. */
    private interface Shape {
        AccessList accesses(int task);
    }

    private long looks(int tasks, Shape shape) {
        Limits limits = new Limits(
                Long.MAX_VALUE, List.of(), List.of(1L << 20), CachePolicy.leastRecentlyUsed(), LinkTable.empty());
        try (Coherence coherence = new Coherence(
                limits,
                Map.of(DEVICE, EmulatedDevice.offer("emulated0").open()),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                new TimeModel())) {
            Deque<PlannedAccess> live = new ArrayDeque<>();
            for (int i = 0; i < tasks; i++) {
                PlannedAccess intent = coherence.plan("task", "", shape.accesses(i), DEVICE);
                intent.submitted();
                live.add(intent);
            }
            while (!live.isEmpty()) {
                live.remove().over();
            }
            synchronized (coherence.lock) {
                return coherence.prefetcher.looks();
            }
        }
    }

    private void assertLinear(Shape shape) {
        long few = looks(FEW, shape);
        long many = looks(MANY, shape);
        assertTrue(few >= FEW, () -> "only " + few + " looks at " + FEW + " tasks");
        long most = few * MANY / FEW * 5 / 4;
        assertTrue(many <= most, () -> few + " looks at " + FEW + " tasks, " + many + " at " + MANY);
    }

    @Test
    void updatesOfOneData() {
        assertLinear(task -> AccessList.of(x, Access.update()));
    }

    @Test
    void readsBetweenUpdates() {
        assertLinear(task -> AccessList.of(x, task % 4 == 0 ? Access.update() : Access.read()));
    }

    @Test
    void manyReadsBehindOneWrite() {
        assertLinear(task -> AccessList.of(x, task == 0 ? Access.update() : Access.read()));
    }

    @Test
    void readsOfAllBetweenUpdatesOfBlocks() {
        assertLinear(task -> AccessList.of(x, task % 2 == 0 ? Access.update(block(task / 2)) : Access.read()));
    }

    @Test
    void updatesOfBlocksBetweenUpdatesOfOthers() {
        assertLinear(task -> AccessList.of(x, Access.update(block(task % 100))));
    }

    private static Area block(int number) {
        return Parts.area(Box.of(new long[] {(long) number * BLOCK}, new long[] {(number + 1L) * BLOCK}));
    }
}
