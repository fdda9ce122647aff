package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.DataClaim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A kind of memory that the main code does not know takes what the disk has no room for. */
@Timeout(180)
class OtherSpaceTest {
    private static final int LENGTH = 1 << 10;
    private static final long BYTES = LENGTH * 8L;

    /** A second disk, with a file for each replica. */
    private static final class FolderSpace extends Space {
        private final Path folder;
        private int count;

        FolderSpace(Path folder, long limit) {
            super("folder", limit, false, 2, 0);
            this.folder = folder;
        }

        private interface Work {
            void perform() throws IOException;
        }

        private static void perform(Work work) {
            try {
                work.perform();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        Object allocate(Layout layout) {
            Path file = folder.resolve("replica" + count++);
            perform(() -> Files.write(file, new byte[(int) layout.bytes()]));
            return file;
        }

        @Override
        void free(Object memory) {
            perform(() -> Files.delete((Path) memory));
        }

        @Override
        TransferPath fromHost() {
            return (from, to, shapes, careful, then) -> {
                perform(() -> {
                    byte[] bytes = Files.readAllBytes((Path) to);
                    Shapes.copy((MemorySegment) from, MemorySegment.ofArray(bytes), shapes);
                    Files.write((Path) to, bytes);
                });
                then.accept(null);
            };
        }

        @Override
        TransferPath toHost() {
            return (from, to, shapes, careful, then) -> {
                perform(() -> Shapes.copy(
                        MemorySegment.ofArray(Files.readAllBytes((Path) from)), (MemorySegment) to, shapes));
                then.accept(null);
            };
        }

        @Override
        void close() {}
    }

    private final List<Data> all = new ArrayList<>();

    private static DataClaim claim(Coherence coherence, Data data, Access access) throws InterruptedException {
        DataClaim claim = coherence.claim(
                "access " + data.name(), coherence.footprint(AccessList.of(data, access)), Place.HOST, null, false);
        CountDownLatch there = new CountDownLatch(1);
        if (!claim.begin(there::countDown)) {
            there.await();
        }
        return claim;
    }

    /** Begins to write new data. */
    private DataClaim write(Coherence coherence) throws InterruptedException {
        Data data = new Data("d" + all.size(), this, Layout.of(DataType.FLOAT64, LENGTH), null);
        all.add(data);
        return claim(coherence, data, Access.write());
    }

    @Test
    void takesReplicasAndGivesThemBack(@TempDir Path disk, @TempDir Path folder) throws Exception {
        Limits limits = new Limits(
                2 * BYTES,
                List.of(new Limits.Disk(disk, BYTES, false)),
                List.of(),
                CachePolicy.leastRecentlyUsed(),
                LinkTable.empty());
        try (Coherence coherence = new Coherence(
                limits,
                Map.of(),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                new TimeModel(),
                List.of(new FolderSpace(folder, 2 * BYTES)))) {
            coherence.check();
            for (int i = 0; i < 5; i++) {
                DataClaim claim = write(coherence);
                assertNull(claim.failure());
                claim.memory(all.get(i), all.get(i).box()).setDouble(7, i);
                claim.release(true);
            }
            DataClaim none = write(coherence);
            String told = String.valueOf(none.failure());
            assertTrue(told.contains("finds no room"), told);
            assertTrue(told.contains("disk " + BYTES + " and " + BYTES), told);
            assertTrue(told.contains("folder " + 2 * BYTES + " and " + 2 * BYTES), told);
            none.release(false);
            coherence.retire(all.get(4));
            coherence.free(all.get(4));
            for (int i = 0; i < 4; i++) {
                DataClaim claim = claim(coherence, all.get(i), Access.read());
                assertNull(claim.failure());
                assertEquals(i, claim.memory(all.get(i), all.get(i).box()).getDouble(7));
                claim.release(true);
            }
            assertEquals(
                    List.of("host", "disk", "folder"),
                    coherence.transfers().spaces().stream()
                            .map(Transfers.Used::space)
                            .toList());
        }
    }
}
