package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedStream;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver that takes a part of a command and refuses the rest. */
@Timeout(180)
class TransferQueueTest {
    private static final long BYTES = 64;
    private static final CopyShape ALL = CopyShape.run(0, 0, BYTES);
    /** The emulated driver refuses this copy: it leaves the memory. */
    private static final CopyShape TOO_LONG = CopyShape.run(0, 8, BYTES);

    private final EmulatedDevice device =
            EmulatedDevice.offer("emulated0").memory(1 << 20).open();
    private final DeviceBuffer buffer = device.allocate(BYTES);
    private final PinnedMemory pinned = device.allocatePinned(BYTES);
    private final TransferQueue queue = new TransferQueue(
            device,
            "work",
            (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
            Clock.system());
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<Throwable> told = new CompletableFuture<>();

    @AfterEach
    void close() {
        gate.countDown();
        queue.close();
        buffer.close();
        device.close();
    }

    private int tellWhatWaitsForTheGate() {
        return queue.tell(
                stream -> ((EmulatedStream) stream).run("waits", launch -> gate.await(), List.of()), error -> {});
    }

    private TransferQueue.Work halfACopy() {
        pinned.segment().set(ValueLayout.JAVA_LONG, 0, 7);
        return stream -> {
            stream.copyIn(pinned.segment(), buffer, ALL);
            stream.copyIn(pinned.segment(), buffer, TOO_LONG);
        };
    }

    /** As paths do: pinned memory is given back when the queue tells that the command is over. */
    private void giveBack(@Nullable Throwable error) {
        pinned.close();
        told.complete(error);
    }

    private void assertGivenBackBehindTheGate() {
        assertEquals(false, told.isDone(), "the part that the driver has taken still reads the memory");
        gate.countDown();
        Watchdog.until(told::isDone, "the queue tells of the refusal");
        assertInstanceOf(IllegalArgumentException.class, told.join());
        CompletableFuture<Long> value = new CompletableFuture<>();
        try (PinnedMemory back = device.allocatePinned(BYTES)) {
            queue.tell(
                    stream -> stream.copyOut(buffer, back.segment(), ALL),
                    error -> value.complete(back.segment().get(ValueLayout.JAVA_LONG, 0)));
            Watchdog.until(value::isDone, "the queue goes on behind a refusal");
            assertEquals(7, value.join());
        }
    }

    @Test
    void memoryIsGivenBackWhenThePartThatWasTakenIsOver() {
        tellWhatWaitsForTheGate();
        assertEquals(-1, queue.tell(halfACopy(), this::giveBack));
        assertGivenBackBehindTheGate();
    }

    /** Commands between the two may have to be told again, and need the memory that the refused one has. */
    @Test
    void aCommandThatIsRefusedAheadBehindAFailureCountsAsNotDone() {
        int stream = queue.tell(
                at -> ((EmulatedStream) at)
                        .run(
                                "fails",
                                launch -> {
                                    gate.await();
                                    throw new IllegalStateException("planned");
                                },
                                List.of()),
                error -> {});
        CompletableFuture<Throwable> between = new CompletableFuture<>();
        assertEquals(
                DataClaim.Ahead.TOLD,
                queue.tellAhead(
                        stream,
                        at -> ((EmulatedStream) at).run("between", launch -> {}, List.of()),
                        between::complete));
        assertEquals(DataClaim.Ahead.REFUSED, queue.tellAhead(stream, halfACopy(), this::giveBack));
        gate.countDown();
        Watchdog.until(told::isDone, "the queue tells of both");
        assertInstanceOf(TransferQueue.NotDone.class, between.join());
        assertInstanceOf(TransferQueue.NotDone.class, told.join());
    }

    @Test
    void andWhenItWasToldAhead() {
        int stream = tellWhatWaitsForTheGate();
        assertEquals(DataClaim.Ahead.REFUSED, queue.tellAhead(stream, halfACopy(), this::giveBack));
        assertGivenBackBehindTheGate();
    }
}
