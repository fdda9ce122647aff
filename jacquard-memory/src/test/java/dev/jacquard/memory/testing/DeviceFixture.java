package dev.jacquard.memory.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What a kind of device says about itself, the device that its tests share, and what they do with it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeviceFixture {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private @Nullable Device opened;

    /** Opens a device; where there is none, an assumption fails, with the reason. */
    protected abstract Device open();

    /** What it compiles; null when its kernels are none of these. */
    protected abstract @Nullable Language language();

    /** Makes one of the samples a kernel of {@code device}. */
    protected DeviceKernel kernel(Device device, SampleKernel sample) {
        return device.compile(sample.source(Objects.requireNonNull(language())));
    }

    /** Whether the driver tells how many arguments a kernel takes. */
    protected boolean countsArguments() {
        return true;
    }

    /** How much of the device's memory is in use, where that is known. */
    protected OptionalLong usedBytes(Device device) {
        return OptionalLong.empty();
    }

    /**
     * Has the stream, of a device of its own, do something that fails there; false when this kind cannot be brought to
     * that.
     */
    protected boolean fail(DeviceStream stream) {
        return false;
    }

    @BeforeAll
    void openDevice() {
        opened = open();
    }

    @AfterAll
    void closeDevice() {
        if (opened != null) {
            usedBytes(opened).ifPresent(used -> assertEquals(0, used, "bytes that tests left behind"));
            opened.close();
            opened.close();
        }
    }

    /** The shared one. */
    protected final Device device() {
        return Objects.requireNonNull(opened);
    }

    /** Waits for all that it was told. */
    protected static void finish(DeviceStream stream) {
        try (DeviceEvent end = stream.record()) {
            end.await();
        }
    }

    static MemorySegment hold(Arena arena, byte[] bytes) {
        MemorySegment segment = arena.allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, BYTE, 0, bytes.length);
        return segment;
    }

    static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static void fill(MemorySegment segment, long seed) {
        byte[] bytes = bytes((int) segment.byteSize(), new SplittableRandom(seed));
        MemorySegment.copy(bytes, 0, segment, BYTE, 0, bytes.length);
    }
}
