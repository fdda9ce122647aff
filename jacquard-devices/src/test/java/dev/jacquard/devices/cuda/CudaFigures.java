package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Measurements on a device: medians of rounds, what is compared taking turns. */
final class CudaFigures {
    private static final int BLOCK = 16 << 20;
    private static final int BLOCKS = 24;
    private static final int STREAMS = 3;

    private final Device device;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    CudaFigures(Device device) {
        this.device = device;
    }

    Map<String, Object> all() {
        launches();
        overlap();
        fields();
        return figures;
    }

    private DeviceKernel kernel(String function) {
        return device.compile(KernelSource.resource(Language.CUDA, CudaFigures.class, "measured.cu", function));
    }

    /** What a launch takes beyond the driver's own call. */
    private void launches() {
        int batch = 200;
        int rounds = 300;
        DeviceKernel nothing = kernel("nothing");
        double[] ours = new double[rounds];
        double[] raw = new double[rounds];
        double[] marks = new double[rounds];
        try (DeviceStream stream = device.stream("launches");
                LaunchArguments packed = new LaunchArguments()) {
            Driver driver = CudaLibraries.driver().orThrow();
            CudaKernel kernel = (CudaKernel) nothing;
            LaunchShape one = LaunchShape.of(32);
            List<Integer> arguments = List.of(1);
            long parameters = packed.pack(kernel, arguments);
            for (int round = -rounds; round < rounds; round++) {
                double a = timed(stream, batch, i -> stream.launch(nothing, one, arguments));
                double b = timed(
                        stream,
                        batch,
                        i -> driver.launchKernel(
                                kernel.handle(), 1, 1, 1, 32, 1, 1, 0, stream.handle(), parameters, 0));
                double c = timed(stream, batch, i -> stream.record().close());
                if (round >= 0) {
                    ours[round] = a / batch / 1e3;
                    raw[round] = b / batch / 1e3;
                    marks[round] = c / batch / 1e3;
                }
            }
        }
        figures.put("launch_us", median(ours));
        figures.put("launch_driver_us", median(raw));
        figures.put("launch_beyond_driver_us", median(ours) - median(raw));
        figures.put("record_us", median(marks));
    }

    /** Nanoseconds that a batch takes until it is enqueued. */
    private static double timed(DeviceStream stream, int batch, IntConsumer call) {
        long start = System.nanoTime();
        for (int i = 0; i < batch; i++) {
            call.accept(i);
        }
        long end = System.nanoTime();
        finish(stream);
        return end - start;
    }

    /** Blocks that are copied in and worked on, over streams, beside copies and work alone. */
    private void overlap() {
        DeviceKernel spin = kernel("spin");
        DeviceStream[] streams = new DeviceStream[STREAMS];
        DeviceBuffer[] buffers = new DeviceBuffer[STREAMS];
        try (PinnedMemory host = device.allocatePinned(BLOCK)) {
            for (int i = 0; i < STREAMS; i++) {
                streams[i] = device.stream("overlap " + i);
                buffers[i] = device.allocate(BLOCK);
            }
            Blocks blocks = new Blocks(spin, streams, buffers, host);
            blocks.time(true, 1);
            double copies = blocks.time(true, 0);
            int rounds = 1;
            double length = blocks.time(false, rounds);
            while (length < copies && rounds < 1 << 20) {
                rounds *= 2;
                length = blocks.time(false, rounds);
            }
            rounds = (int) Math.max(1, rounds * copies / length);
            double[] copy = new double[9];
            double[] work = new double[9];
            double[] both = new double[9];
            for (int round = 0; round < copy.length; round++) {
                copy[round] = blocks.time(true, 0);
                work[round] = blocks.time(false, rounds);
                both[round] = blocks.time(true, rounds);
            }
            double longer = Math.max(median(copy), median(work));
            figures.put("copy_in_gb_per_s", (double) BLOCK * BLOCKS / median(copy));
            figures.put("overlap_copies_ms", median(copy) / 1e6);
            figures.put("overlap_work_ms", median(work) / 1e6);
            figures.put("overlap_both_ms", median(both) / 1e6);
            figures.put("overlap_ratio", median(both) / longer);
            for (int i = 0; i < STREAMS; i++) {
                streams[i].close();
                buffers[i].close();
            }
        }
    }

    /**
     * Copies of a field with padded rows, 258 x 258 x 258 numbers, from and to host memory that is page-locked and that
     * is not.
     */
    private void fields() {
        long side = 258;
        long run = side * Double.BYTES;
        long pitch = (run + 63) / 64 * 64;
        long bytes = pitch * side * side;
        CopyShape in = new CopyShape(0, 0, run, side, pitch, run, side, pitch * side, run * side);
        CopyShape out = new CopyShape(0, 0, run, side, run, pitch, side, run * side, pitch * side);
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = device.stream("fields");
                DeviceBuffer buffer = device.allocate(bytes)) {
            long start = System.nanoTime();
            MemorySegment host = arena.allocate(bytes, 64);
            figures.put("field_memory_ms", (System.nanoTime() - start) / 1e6);
            field("pageable", stream, buffer, host, in, out);
            start = System.nanoTime();
            PinnedMemory pinned = device.pin(host);
            figures.put("field_pin_ms", (System.nanoTime() - start) / 1e6);
            if (pinned != null) {
                field("pinned", stream, buffer, host, in, out);
                pinned.close();
            }
        }
    }

    private void field(
            String what, DeviceStream stream, DeviceBuffer buffer, MemorySegment host, CopyShape in, CopyShape out) {
        double[] ins = new double[9];
        double[] outs = new double[9];
        for (int round = 0; round < ins.length; round++) {
            long start = System.nanoTime();
            stream.copyIn(host, buffer, in);
            finish(stream);
            ins[round] = in.bytes() / (double) (System.nanoTime() - start);
            start = System.nanoTime();
            stream.copyOut(buffer, host, out);
            finish(stream);
            outs[round] = out.bytes() / (double) (System.nanoTime() - start);
        }
        figures.put("field_in_" + what + "_gb_per_s", median(ins));
        figures.put("field_out_" + what + "_gb_per_s", median(outs));
    }

    private record Blocks(DeviceKernel spin, DeviceStream[] streams, DeviceBuffer[] buffers, PinnedMemory host) {
        /** Nanoseconds until all blocks are done. */
        double time(boolean copy, int rounds) {
            LaunchShape items = LaunchShape.of(BLOCK / Float.BYTES);
            CopyShape all = CopyShape.run(0, 0, BLOCK);
            long start = System.nanoTime();
            for (int i = 0; i < BLOCKS; i++) {
                int at = i % STREAMS;
                if (copy) {
                    streams[at].copyIn(host.segment(), buffers[at], all);
                }
                if (rounds > 0) {
                    streams[at].launch(spin, items, List.of(buffers[at], BLOCK / Float.BYTES, rounds));
                }
            }
            Arrays.stream(streams).forEach(CudaFigures::finish);
            return System.nanoTime() - start;
        }
    }

    private static void finish(DeviceStream stream) {
        try (DeviceEvent end = stream.record()) {
            end.await();
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
