package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.data.ElementType;
import dev.jacquard.memory.data.Layout;
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
@Timeout(60)
class DiskSpaceTest {
    private static void await(Consumer<Consumer<@Nullable Throwable>> job) {
        CompletableFuture<String> done = new CompletableFuture<>();
        job.accept(error -> done.complete(String.valueOf(error)));
        assertEquals("null", done.join());
    }

    private static DiskSpace diskIn(Path folder) {
        return new DiskSpace("disk", new Limits.Disk(folder, 1 << 20, false), (name, body) -> {
            Thread thread = new Thread(body, name);
            thread.start();
            return thread;
        });
    }

    @Test
    void aJobForWhichThereIsNoMemoryFails(@TempDir Path folder) {
        DiskSpace disk = diskIn(folder);
        DiskSpace.Extent extent = (DiskSpace.Extent) disk.allocate(Layout.of(ElementType.INT64, 1));
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

    @Test
    void aSmallOneIsWrittenInItsPlaceAlone(@TempDir Path folder) {
        DiskSpace disk = diskIn(folder);
        List<DiskSpace.Extent> extents = List.of(1L, 1L, 100_000L).stream()
                .map(length -> (DiskSpace.Extent) disk.allocate(Layout.of(ElementType.INT64, length)))
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
