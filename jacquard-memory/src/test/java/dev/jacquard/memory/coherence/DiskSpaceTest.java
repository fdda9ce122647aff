package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas lie in the file beside each other, whatever their sizes. */
@Timeout(180)
class DiskSpaceTest {
    private static void await(Consumer<Consumer<@Nullable Throwable>> job) {
        CompletableFuture<String> done = new CompletableFuture<>();
        job.accept(error -> done.complete(String.valueOf(error)));
        assertEquals("null", done.join());
    }

    private static DiskSpace diskIn(Path folder) {
        return diskIn(folder, false);
    }

    private static DiskSpace diskIn(Path folder, boolean direct) {
        return new DiskSpace("disk", new Limits.Disk(folder, 1 << 20, direct), (name, body) -> {
            Thread thread = new Thread(body, name);
            thread.start();
            return thread;
        });
    }

    @Test
    void aJobForWhichThereIsNoMemoryFails(@TempDir Path folder) {
        DiskSpace disk = diskIn(folder);
        DiskSpace.Extent extent = (DiskSpace.Extent) disk.allocate(Layout.of(DataType.INT64, 1));
        CompletableFuture<String> done = new CompletableFuture<>();
        disk.write(
                extent,
                target -> {
                    throw new OutOfMemoryError("no memory left");
                },
                error -> done.complete(String.valueOf(error)));
        assertTrue(done.join().contains("no memory left"));
        await(then -> disk.write(extent, target -> {}, then)); // the thread lives on
        disk.close();
    }

    /** Replicas that lie in host memory as in the file go to and fro without a copy in between. */
    @Test
    void wholeReplicasComeBackFromWhereTheyLie(@TempDir Path folder) {
        for (boolean direct : new boolean[] {false, true}) {
            DiskSpace disk = diskIn(folder, direct);
            Layout layout = Layout.of(DataType.INT64, 1_000);
            DiskSpace.Extent before = (DiskSpace.Extent) disk.allocate(layout);
            DiskSpace.Extent extent = (DiskSpace.Extent) disk.allocate(layout);
            long bytes = layout.bytes();
            try (Arena arena = Arena.ofShared()) {
                MemorySegment from = arena.allocate(bytes + 64, 64);
                for (int i = 0; i < 1_000; i++) {
                    from.set(ValueLayout.JAVA_LONG, 64 + 8L * i, 3L * i);
                }
                List<CopyShape> there = List.of(new CopyShape(64, 0, bytes, 1, bytes, bytes, 1, bytes, bytes));
                List<CopyShape> back = List.of(new CopyShape(0, 8, bytes, 1, bytes, bytes, 1, bytes, bytes));
                await(then -> disk.fromHost().move(from, before, there, false, then));
                await(then -> disk.fromHost().move(from, extent, there, false, then));
                for (boolean careful : new boolean[] {false, true}) {
                    MemorySegment to = arena.allocate(bytes + 64, 64);
                    await(then -> disk.toHost().move(extent, to, back, careful, then));
                    assertEquals(-1, from.asSlice(64, bytes).mismatch(to.asSlice(8, bytes)));
                    assertEquals(0, to.get(ValueLayout.JAVA_LONG, 0));
                    assertEquals(0, to.get(ValueLayout.JAVA_LONG, 8 + bytes));
                }
                double[] onHeap = new double[1_001];
                await(then -> disk.toHost().move(extent, MemorySegment.ofArray(onHeap), back, false, then));
                assertEquals(
                        -1,
                        from.asSlice(64, bytes)
                                .mismatch(MemorySegment.ofArray(onHeap).asSlice(8)));
                extent.checksum++; // as if the file had changed
                for (boolean careful : new boolean[] {false, true}) {
                    CompletableFuture<String> done = new CompletableFuture<>();
                    MemorySegment to = arena.allocate(bytes + 64, 64);
                    disk.toHost().move(extent, to, back, careful, error -> done.complete(String.valueOf(error)));
                    assertTrue(done.join().contains("checksum differs"), done.join());
                    assertTrue(!careful || to.mismatch(arena.allocate(bytes + 64)) < 0, "a careful one leaves all");
                }
            } finally {
                disk.close();
            }
        }
    }

    @Test
    void aSmallOneIsWrittenInItsPlaceAlone(@TempDir Path folder) {
        DiskSpace disk = diskIn(folder);
        List<DiskSpace.Extent> extents = List.of(1L, 1L, 100_000L).stream()
                .map(length -> (DiskSpace.Extent) disk.allocate(Layout.of(DataType.INT64, length)))
                .toList();
        for (int i = extents.size() - 1; i >= 0; i--) { // the large one first
            DiskSpace.Extent extent = extents.get(i);
            long value = i;
            await(then -> disk.write(extent, target -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value), then));
        }
        for (int i = 0; i < extents.size(); i++) {
            DiskSpace.Extent extent = extents.get(i);
            long[] found = new long[1];
            Consumer<MemorySegment> sink = source -> found[0] = source.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            await(then -> disk.read(extent, sink, then));
            assertEquals(i, found[0]);
        }
        disk.close();
    }
}
