package dev.jacquard.memory.device.emulated;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What emulated devices refuse, wait for, and clean up. */
class EmulatedLimitsTest {
    private static final EmulatedOffer OFFER = EmulatedDevice.offer("emulated0").memory(1000);

    @Test
    void memoryEndsAtItsLimit() {
        try (EmulatedDevice device = OFFER.open()) {
            DeviceBuffer first = device.allocate(600);
            assertMentions(
                    assertThrows(DeviceMemoryException.class, () -> device.allocate(401)),
                    "emulated0",
                    "400 of 1000",
                    "401");
            DeviceBuffer second = device.allocate(400);
            assertEquals(1000, device.usedBytes());
            first.close();
            first.close();
            assertEquals(400, device.usedBytes());
            device.allocate(600).close();
            second.close();
            assertEquals(0, device.usedBytes());
        }
    }

    @Test
    void closingADeviceFreesWhatWasLeftBehind() {
        EmulatedDevice device = OFFER.open();
        DeviceBuffer buffer = device.allocate(10);
        EmulatedStream stream = device.stream("left behind");
        int[] ran = new int[1]; // written by the stream's thread, which the closing one joins
        stream.run("count", launch -> ran[0]++, List.of());
        device.close();
        device.close();
        assertEquals(1, ran[0]);
        assertEquals(0, device.usedBytes());
        buffer.close();
        stream.close();
        assertThrows(IllegalStateException.class, () -> device.allocate(1));
        assertThrows(IllegalStateException.class, stream::record);
    }

    @Test
    void newMemoryHoldsNonsense() {
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            rig.out();
            rig.finish();
            assertEquals(-1, rig.value());
        }
    }

    @Test
    void whoTellsTooMuchWaits() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            rig.in();
            rig.stream.run("wait", launch -> Watchdog.await(release, "the test lets it go on"), List.of());
            Thread teller = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 3000; i++) {
                    rig.increment();
                }
            });
            Watchdog.until(() -> teller.getState() == Thread.State.WAITING, "the stream is full");
            release.countDown();
            teller.join();
            rig.out();
            rig.finish();
            assertEquals(3000, rig.value());
        }
    }

    @Test
    void segmentsThatTheStreamsThreadCannotReachAreRefused() {
        try (Rig rig = Rig.with(FaultPlan.NONE);
                Arena confined = Arena.ofConfined()) {
            MemorySegment segment = confined.allocate(Rig.BYTES);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> rig.stream.copyIn(segment, rig.buffer, Rig.ALL)),
                    "confined",
                    "Arena.ofShared");
        }
    }

    @Test
    void codeThatTakesOtherArgumentsSaysWhich() {
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            rig.stream.run("wrong", launch -> launch.doubleAt(1), List.of(rig.buffer, 5L));
            assertMentions(assertThrows(DeviceException.class, rig::finish), "wrong", "argument 1", "Long", "Double");
            assertThrows(IllegalArgumentException.class, () -> rig.stream.run("w", launch -> {}, List.of("text")));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> rig.device.kernel("wrong", launch -> {}, String.class)),
                    "wrong",
                    "java.lang.String");
        }
    }

    @Test
    void anInterruptOfCodeEndsWithIt() {
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            boolean[] interrupted = new boolean[1]; // written by the stream's thread; the event hands it on
            rig.stream.run("interrupt", launch -> Thread.currentThread().interrupt(), List.of());
            rig.stream.run(
                    "look", launch -> interrupted[0] = Thread.currentThread().isInterrupted(), List.of());
            rig.finish();
            assertFalse(interrupted[0]);
        }
    }

    @Test
    void anInterruptedThreadWaitsAndStaysInterrupted() {
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            rig.increment();
            Thread.currentThread().interrupt();
            rig.finish();
            rig.stream.close();
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void offersThatMakeNoSenseAreRefused() {
        assertMentions(assertThrows(IllegalArgumentException.class, () -> OFFER.memory(0)), "emulated0", "0");
        assertMentions(assertThrows(IllegalArgumentException.class, () -> OFFER.slower(0.5)), "0.5");
        assertThrows(IllegalArgumentException.class, () -> OFFER.slower(Double.NaN));
        assertMentions(assertThrows(IllegalArgumentException.class, () -> OFFER.link(0, 0)), "byte per second");
        assertMentions(assertThrows(IllegalArgumentException.class, () -> OFFER.link(1, -1)), "-1 ns");
        assertThrows(IllegalArgumentException.class, () -> EmulatedDevice.offer(" "));
    }
}
