package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.testing.SampleKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What this kind of device does of its own, over a driver that has no device. */
class StubDeviceTest {
    private List<DeviceOffer> offers = List.of();

    @BeforeEach
    void discover() {
        offers = StubDriver.discover().offers();
    }

    private Device open(int i) {
        return offers.get(i).open();
    }

    @Test
    void offersSayWhatDevicesAreLike() {
        assertEquals(
                List.of("cuda0", "cuda1"),
                offers.stream().map(DeviceOffer::name).toList());
        var more = offers.get(1).properties().more();
        assertEquals("Stub 1", offers.get(1).properties().model());
        assertEquals("9.0", more.get("compute_capability"));
        assertEquals("32", more.get("warp_size"));
        assertEquals("1024", more.get("max_thread_block_size"));
        assertEquals("13.0", more.get("driver_version"));
        assertEquals("0000:82:00.0", more.get("pci_busid"));
    }

    @Test
    void aClosedDeviceHasTakenEverythingBack() {
        int before = StubDriver.alive();
        Device device = open(0);
        device.compile(SampleKernel.AXPY.source(Language.CUDA));
        var buffer = device.allocate(100);
        var pinned = device.allocatePinned(100);
        MemorySegment callers = Arena.ofAuto().allocate(100);
        var locked = Objects.requireNonNull(device.pin(callers));
        assertSame(callers, locked.segment());
        var stream = device.stream("s");
        DeviceEvent event = stream.record();
        event.await();
        event.close();
        stream.record().close();
        assertTrue(StubDriver.alive() > before);
        device.close();
        assertEquals(before, StubDriver.alive());
        List.of(buffer, pinned, locked, stream, event).forEach(StubDeviceTest::closeQuietly);
        assertEquals(before, StubDriver.alive());
        assertThrows(IllegalStateException.class, () -> device.allocate(1));
        assertThrows(IllegalStateException.class, () -> pinned.segment().fill((byte) 1));
    }

    @Test
    void memoryThatTheDriverDoesNotLockIsUsedAsItIs() {
        try (Device device = open(0);
                Arena arena = Arena.ofShared()) {
            MemorySegment much = MemorySegment.ofAddress(64).reinterpret((1 << 29) + 8);
            assertNull(device.pin(much), "more than the driver locks");
            assertThrows(IllegalArgumentException.class, () -> device.pin(MemorySegment.ofArray(new byte[8])));
            int before = StubDriver.alive();
            PinnedMemory locked = Objects.requireNonNull(device.pin(arena.allocate(8)));
            assertEquals(before + 1, StubDriver.alive());
            locked.close();
            locked.close();
            assertEquals(before, StubDriver.alive());
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fullMemorySaysHowMuchIsFree() {
        try (Device device = open(0);
                var half = device.allocate(1 << 29)) {
            var error = assertThrows(DeviceMemoryException.class, () -> device.allocate(1L << 30));
            assertEquals(
                    "cuda0 cannot allocate 1073741824 bytes: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; " + (1 << 29)
                            + " of " + (1 << 30) + " bytes are free",
                    error.getMessage());
            assertEquals(1 << 29, half.bytes());
        }
    }

    @Test
    void devicesCopyToEachOther() {
        try (Device one = open(0);
                Device two = open(1);
                var from = one.allocate(64);
                var to = two.allocate(64);
                var pinned = one.allocatePinned(64);
                var stream = one.stream("peers")) {
            assertTrue(one.reaches(two) && two.reaches(one));
            pinned.segment().fill((byte) 7);
            stream.copyIn(pinned.segment(), from, CopyShape.run(0, 0, 64));
            stream.copy(from, to, CopyShape.run(0, 0, 64));
            pinned.segment().fill((byte) 0);
            stream.copyIn(pinned.segment(), from, CopyShape.run(0, 0, 64));
            int boxes = StubDriver.boxes();
            stream.copy(to, from, new CopyShape(0, 0, 4, 2, 8, 16, 2, 16, 32));
            assertTrue(StubDriver.boxes() > boxes);
            stream.copyOut(from, pinned.segment(), CopyShape.run(0, 0, 64));
            assertOver(stream.record());
            assertEquals(7, pinned.segment().get(ValueLayout.JAVA_BYTE, 16));
            assertEquals(0, pinned.segment().get(ValueLayout.JAVA_BYTE, 4));
            try (var theirs = two.stream("theirs");
                    var more = two.allocate(64)) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> stream.copyIn(pinned.segment(), to, CopyShape.run(0, 0, 64)));
                assertThrows(IllegalArgumentException.class, () -> stream.copy(to, more, CopyShape.run(0, 0, 64)));
                assertThrows(IllegalArgumentException.class, () -> theirs.await(stream.record()));
            }
        }
    }

    private static void assertOver(DeviceEvent event) {
        event.await();
        assertTrue(event.isOver());
        event.close();
    }

    @Test
    void aCrashLosesTheDeviceAndTheNextOneIsFresh() {
        Device device = open(0);
        var buffer = device.allocate(8);
        var stream = device.stream("crashing");
        var before = stream.record();
        var crash = device.compile(new KernelSource(
                Language.CUDA, "crash.cu", "crash", "extern \"C\" __global__ void crash(int* at) { *at = 0; }"));
        stream.launch(crash, LaunchShape.of(1), List.of(16L));
        var error =
                assertThrows(DeviceLostException.class, () -> stream.record().await());
        assertTrue(String.valueOf(error.getMessage()).contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), error::getMessage);
        assertThrows(DeviceLostException.class, () -> stream.record().await());
        assertThrows(DeviceLostException.class, before::await);
        assertTrue(before.isOver());
        assertThrows(DeviceLostException.class, () -> device.allocate(1));
        buffer.close();
        stream.close();
        device.close();
        try (Device fresh = open(0)) {
            assertFalse(fresh.name().isBlank());
            fresh.allocate(1).close();
        }
    }

    @Test
    void aRefusalReachesStreamsThatWaitForIt() {
        try (Device device = open(0);
                var first = device.stream("first");
                var second = device.stream("second")) {
            CudaDeviceTest.refuse(first);
            DeviceEvent event = first.record();
            assertTrue(event.isOver());
            var error = assertThrows(DeviceException.class, event::await);
            assertTrue(String.valueOf(error.getMessage()).contains("launch kernel \"grid\""), error::getMessage);
            second.await(event);
            assertThrows(DeviceException.class, () -> second.record().await());
        }
    }

    @Test
    void sourcesThatAreNotOursAreRefused() {
        try (Device device = open(0)) {
            var language = assertThrows(
                    DeviceException.class, () -> device.compile(SampleKernel.AXPY.source(Language.OPENCL_C)));
            assertTrue(String.valueOf(language.getMessage()).contains("OPENCL_C"), language::getMessage);
            var name = assertThrows(
                    KernelCompilationException.class,
                    () -> device.compile(new KernelSource(Language.CUDA, "a.cu", "absent", "void present() {}")));
            assertTrue(name.log().contains("__global__"), name::log);
        }
    }

    @Test
    void manyArgumentsFit() {
        try (Device device = open(0);
                var stream = device.stream("many")) {
            var axpy = device.compile(SampleKernel.AXPY.source(Language.CUDA));
            List<Integer> numbers = Collections.nCopies(100, 1);
            var error =
                    assertThrows(IllegalArgumentException.class, () -> stream.launch(axpy, LaunchShape.of(1), numbers));
            assertTrue(String.valueOf(error.getMessage()).contains("takes 4 arguments, not 100"), error::getMessage);
            var buffer = device.allocate(8);
            error = assertThrows(
                    IllegalArgumentException.class,
                    () -> stream.launch(axpy, LaunchShape.of(1), List.of(buffer, buffer, 1f, 1)));
            assertTrue(String.valueOf(error.getMessage()).contains("argument 2 of kernel \"axpy\" has 8 bytes, not 4"));
            buffer.close();
        }
    }
}
