package dev.jacquard.memory.device.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What takes time, and what does not wait for it. What must last is given hours, and ends with the device. */
class EmulatedTimeTest {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final EmulatedOffer OFFER = EmulatedDevice.offer("emulated0").memory(1 << 20);

    @Test
    void aCopyTakesAtLeastWhatTheLinkTakes() {
        try (Rig rig = new Rig(OFFER.link(512_000, 2_000_000))) {
            long begin = System.nanoTime();
            rig.in(); // 1 ms, and 2 ms of latency
            rig.in(); // 1 ms more behind it, and its own latency
            rig.finish();
            long taken = System.nanoTime() - begin;
            assertTrue(taken >= 6_000_000, () -> taken + " ns");
        }
    }

    @Test
    void theDirectionsOfALinkDoNotWaitForEachOther() {
        try (Rig rig = new Rig(OFFER.link(new EmulatedOffer.Link(1, Long.MAX_VALUE, 0)));
                EmulatedStream out = rig.device.stream("out");
                DeviceBuffer other = rig.device.allocate(Rig.BYTES)) {
            rig.in(); // 512 seconds
            DeviceEvent in = rig.stream.record();
            out.copy(rig.buffer, other, CopyShape.run(0, 0, 1)); // goes over no link
            out.copyOut(other, rig.host(), CopyShape.run(0, 0, 1));
            Rig.finish(out);
            assertFalse(in.isOver());
            rig.device.lose();
            assertThrows(DeviceLostException.class, in::await);
        }
    }

    @Test
    void kernelsRunWhileCopiesAreUnderWay() {
        try (Rig rig = new Rig(OFFER.link(Long.MAX_VALUE, HOUR_NANOS));
                EmulatedStream compute = rig.device.stream("compute")) {
            rig.in();
            DeviceEvent in = rig.stream.record();
            int[] ran = new int[1]; // written by the stream's thread; the event hands it on
            compute.run("count", launch -> ran[0]++, List.of());
            Rig.finish(compute);
            assertEquals(1, ran[0]);
            assertFalse(in.isOver());
            rig.device.lose();
        }
    }

    @Test
    void aSlowDeviceTakesAsManyTimesAsLong() {
        try (Rig rig = new Rig(OFFER.slower(4))) {
            long begin = System.nanoTime();
            rig.stream.run("turn", launch -> turn(1_000_000), List.of());
            rig.finish();
            long taken = System.nanoTime() - begin;
            assertTrue(taken >= 4_000_000, () -> taken + " ns");
        }
    }

    private static void turn(long nanos) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            Thread.onSpinWait();
        }
    }
}
