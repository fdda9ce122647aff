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
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Parts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often tasks that add are held against others grows with their number, and no faster. */
@Timeout(180)
class ManyAddersTest {
    private static final Place HOST = Place.HOST;
    private static final Place ONE = Place.device(ExecutionTarget.EMULATED, "emulated0", Place.FIRST_NUMBER);
    private static final Place OTHER = Place.device(ExecutionTarget.EMULATED, "emulated1", Place.FIRST_NUMBER + 1);
    private static final int FEW = 250;
    private static final int MANY = 1_000;
    private static final int TILE = 4;
    private static final int TILES = 64;

    private final Data x = new Data(
            "x", this, Layout.of(DataType.FLOAT64, TILES * TILE), MemorySegment.ofArray(new double[TILES * TILE]));

    /** Says where a task adds, and to what. */
    private interface Shape {
        Access access(int task);

        Place place(int task);
    }

    private static Shape shape(List<Place> places, Access... accesses) {
        return new Shape() {
            @Override
            public Access access(int task) {
                return accesses[task % accesses.length];
            }

            @Override
            public Place place(int task) {
                return places.get(task % places.size());
            }
        };
    }

    private static Area tile(int number) {
        return Parts.area(Box.of(new long[] {(long) number * TILE}, new long[] {(number + 1L) * TILE}));
    }

    /** All begin at once, and each ends when it can go on. */
    private long looks(int tasks, Shape shape) throws InterruptedException {
        Limits limits = new Limits(
                Long.MAX_VALUE,
                List.of(),
                List.of(1L << 20, 1L << 20),
                CachePolicy.leastRecentlyUsed(),
                LinkTable.empty());
        Map<Place, Device> devices = new LinkedHashMap<>();
        devices.put(ONE, EmulatedDevice.offer("emulated0").open());
        devices.put(OTHER, EmulatedDevice.offer("emulated1").open());
        try (Coherence coherence = new Coherence(
                limits,
                devices,
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                new TimeModel())) {
            BlockingQueue<DataClaim> ready = new LinkedBlockingQueue<>();
            for (int i = 0; i < tasks; i++) {
                AccessList accesses = AccessList.of(x, shape.access(i));
                DataClaim claim = coherence.claim("add", coherence.footprint(accesses), shape.place(i), null, false);
                if (claim.begin(() -> ready.add(claim))) {
                    ready.add(claim);
                }
            }
            for (int i = 0; i < tasks; i++) {
                ready.take().release(true);
            }
            synchronized (coherence.lock) {
                return coherence.admission.looksAtAdders();
            }
        }
    }

    private void assertLinear(Shape shape) throws InterruptedException {
        long few = looks(FEW, shape);
        long many = looks(MANY, shape);
        assertTrue(few >= FEW, () -> "only " + few + " looks at " + FEW + " tasks");
        long most = few * MANY / FEW * 5 / 4;
        assertTrue(many <= most, () -> few + " looks at " + FEW + " tasks, " + many + " at " + MANY);
    }

    @Test
    void toOneDataOnOneDevice() throws InterruptedException {
        assertLinear(shape(List.of(ONE), Access.add()));
    }

    @Test
    void toOneDataOnTwoDevices() throws InterruptedException {
        assertLinear(shape(List.of(ONE, OTHER), Access.add()));
    }

    @Test
    void toOneDataOnTheHostAndADevice() throws InterruptedException {
        assertLinear(shape(List.of(HOST, ONE), Access.add()));
    }

    @Test
    void toTilesOnADevice() throws InterruptedException {
        List<Access> tiles = new ArrayList<>();
        for (int i = 0; i < TILES; i++) {
            tiles.add(Access.add(tile(i)));
        }
        assertLinear(shape(List.of(ONE), tiles.toArray(Access[]::new)));
    }

    @Test
    void toOneTileAndToAllOnADevice() throws InterruptedException {
        assertLinear(shape(List.of(ONE), Access.add(tile(3)), Access.add()));
    }
}
