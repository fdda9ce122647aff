package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.testing.ForwardingDevice;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies that were decided, and never begun since the stack was full: no wait for them lasts for ever. */
@Timeout(180)
class HalfDoneTest {
    private static final Place DEVICE = Place.device(ExecutionTarget.EMULATED, "emulated0", Place.FIRST_NUMBER);
    private static final int LENGTH = 16;
    private static final int MOST_ROOM = 110;
    private static final int ROUNDS = 3;

    /** A device that has no stack left for copies to and from the Java heap, while it is told so. */
    private static final class Full extends ForwardingDevice {
        private volatile boolean full;

        Full(Device device) {
            super(device);
        }

        @Override
        public PinnedMemory allocatePinned(long bytes) {
            if (full) {
                throw new StackOverflowError();
            }
            return super.allocatePinned(bytes);
        }
    }

    private final Full device = new Full(EmulatedDevice.offer("emulated0").open());
    private final Coherence coherence = on(device);
    private final Data x =
            new Data("x", this, Layout.of(DataType.FLOAT64, LENGTH), MemorySegment.ofArray(new double[LENGTH]));

    private static Coherence on(Device device) {
        return new Coherence(
                new Limits(
                        Long.MAX_VALUE,
                        List.of(),
                        List.of(1L << 20),
                        CachePolicy.leastRecentlyUsed(),
                        LinkTable.empty()),
                Map.of(DEVICE, device),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                new TimeModel());
    }

    @AfterEach
    void itIsClosed() {
        coherence.close();
    }

    private DataClaim claim(Place place, Access access) {
        return coherence.claim("task", coherence.footprint(AccessList.of(x, access)), place, null, false);
    }

    /** Begins the copy to the device for a task that reads x there. */
    private void breakOff() {
        device.full = true;
        var plan = coherence.plan("task", "", AccessList.of(x, Access.read()), DEVICE);
        assertThrows(StackOverflowError.class, plan::submitted);
        device.full = false;
    }

    @Test
    void closingDoesNotWait() {
        breakOff();
    }

    @Test
    void freeingSaysSo() {
        breakOff();
        coherence.retire(x);
        Exception e = assertThrows(IllegalStateException.class, () -> coherence.free(x));
        assertTrue(String.valueOf(e.getMessage()).contains("broke off half way"), e::toString);
    }

    @Test
    void bringingHomeSaysSo() {
        DataClaim writer = claim(DEVICE, Access.write());
        assertTrue(writer.begin(() -> {}));
        writer.release(true);
        device.full = true;
        assertThrows(
                StackOverflowError.class, () -> claim(Place.HOST, Access.read()).begin(() -> {}));
        device.full = false;
        List<Throwable> failures = coherence.bringHome(null);
        assertEquals(1, failures.size());
        String told = String.valueOf(failures.getFirst().getMessage());
        assertTrue(told.contains("broke off half way"), told);
    }

    /** A copy that was begun before is over first, and arrives. */
    @Test
    void othersArriveBehindANoteOfTheGraphs() throws Exception {
        Breakage graphs = new Breakage();
        coherence.breaksWith(graphs);
        DataClaim writer = claim(DEVICE, Access.write());
        assertTrue(writer.begin(() -> {}));
        writer.release(true);
        graphs.by = new StackOverflowError();
        assertTrue(coherence.bringHome(null).isEmpty());
        CountDownLatch there = new CountDownLatch(1);
        DataClaim reader = claim(Place.HOST, Access.read());
        assertTrue(reader.begin(there::countDown), "it is at home");
        reader.release(true);
        coherence.retire(x);
        coherence.free(x);
        assertFalse(graphs.by == null);
    }

    /** Fills the stack, and makes its call with some frames left. */
    private static final class Descent {
        private final Runnable call;
        private int room;
        private boolean made;

        Descent(int room, Runnable call) {
            this.room = room;
            this.call = call;
        }

        int deeper(int level) {
            try {
                return level < Integer.MAX_VALUE ? deeper(level + 1) : level;
            } catch (StackOverflowError full) {
                if (made || room-- > 0) {
                    throw full;
                }
                made = true;
                call.run();
                return level;
            }
        }
    }

    /** Whatever call it is for which there is no room. */
    @Test
    void closingDoesNotWaitWhereverTheStackWasFull() throws Exception {
        for (int i = 0; i < ROUNDS * MOST_ROOM; i++) {
            int room = i % MOST_ROOM;
            Coherence its = on(EmulatedDevice.offer("emulated0").open());
            Data data = new Data(
                    "data", this, Layout.of(DataType.FLOAT64, LENGTH), MemorySegment.ofArray(new double[LENGTH]));
            Runnable submits = its.plan("task", "", AccessList.of(data, Access.read()), DEVICE)::submitted;
            Thread full = new Thread(
                    null,
                    () -> {
                        try {
                            int _ = new Descent(room, submits).deeper(0);
                        } catch (StackOverflowError e) {
                            // told
                        }
                    },
                    "full",
                    250_000);
            full.start();
            full.join();
            Thread closes = Thread.ofPlatform().daemon().start(its::close);
            assertTrue(closes.join(Duration.ofSeconds(30)), "hangs with room " + room);
        }
    }
}
