package dev.jacquard.memory.device.emulated;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.memory.testing.SampleKernel;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LostDeviceTest {
    @Test
    void theOperationOfThatNumberLosesTheDevice() {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.LOSS, 4))) {
            rig.fill(10);
            rig.in();
            rig.increment();
            rig.out();
            rig.finish();
            rig.increment();
            assertMentions(assertThrows(DeviceLostException.class, rig::finish), "emulated0", "operation 4");
            assertEquals(11, rig.value());
        }
    }

    @Test
    void everythingButClosingSaysThatTheDeviceIsGone() {
        try (Rig rig = Rig.with(FaultPlan.NONE)) {
            rig.in();
            DeviceEvent before = rig.stream.record();
            before.await();
            EmulatedBody.Code nothing = launch -> {};
            var kernel = rig.device.kernel("nothing", nothing);
            rig.device.lose();
            rig.device.lose();
            for (Executable call : List.<Executable>of(
                    rig::in,
                    rig::out,
                    rig.stream::record,
                    () -> rig.stream.await(before),
                    () -> rig.stream.copy(rig.buffer, rig.buffer, Rig.ALL),
                    () -> rig.stream.run("nothing", nothing, List.of()),
                    () -> rig.stream.launch(kernel, LaunchShape.of(1), List.of()),
                    () -> rig.device.allocate(1),
                    () -> rig.device.allocatePinned(1),
                    () -> rig.device.stream("more"),
                    () -> rig.device.compile(SampleKernel.AXPY.source(Language.CUDA)))) {
                assertMentions(assertThrows(DeviceLostException.class, call), "emulated0 is lost");
            }
            before.await(); // that was over
            rig.stream.close();
            rig.buffer.close();
            assertEquals(0, rig.device.usedBytes());
        }
    }

    @Test
    void whoWaitsLearnsOfItAtOnceAlsoWhileAKernelGoesOn() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Rig rig = Rig.with(FaultPlan.NONE);
                EmulatedStream other = rig.device.stream("other")) {
            rig.stream.run(
                    "endless",
                    launch -> {
                        running.countDown();
                        Watchdog.await(release, "the test lets it go on");
                    },
                    List.of());
            DeviceEvent behind = rig.stream.record();
            other.await(behind);
            DeviceEvent elsewhere = other.record();
            Watchdog.await(running, "the kernel runs");
            var thrown = new AtomicReference<Throwable>();
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    elsewhere.await();
                } catch (DeviceLostException e) {
                    thrown.set(e);
                }
            });
            Watchdog.until(() -> waiting.getState() == Thread.State.WAITING, "a thread waits");
            assertFalse(behind.isOver() || elsewhere.isOver());
            rig.device.lose();
            waiting.join();
            assertMentions(Objects.requireNonNull(thrown.get()), "emulated0 is lost");
            assertThrows(DeviceLostException.class, behind::await);
            assertTrue(behind.isOver() && elsewhere.isOver());
            release.countDown();
        }
    }
}
