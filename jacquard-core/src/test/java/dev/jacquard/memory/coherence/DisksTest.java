package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas on several disks. */
class DisksTest {
    private static final int LENGTH = 1_000;
    private static final long BYTES = 8L * LENGTH;

    @Test
    void replicasGoToTheFirstDiskThatHasRoom(@TempDir Path one, @TempDir Path other) {
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(2 * BYTES)
                .disk(one, 2 * BYTES, false)
                .disk(other, 8 * BYTES, false)
                .open()) {
            List<Data> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int value = i;
                Data data = session.data().vector("d" + i, DataType.FLOAT64, LENGTH);
                all.add(data);
                session.graph()
                        .task("write")
                        .writes(data)
                        .run(context -> context.memory(data).setDouble(7, value));
            }
            session.graph().await();
            List<Transfers.Used> spaces = session.data().transfers().spaces();
            assertEquals(
                    List.of("host", "disk", "disk1"),
                    spaces.stream().map(Transfers.Used::space).toList());
            assertEquals(2 * BYTES, spaces.get(1).peak());
            assertTrue(spaces.get(2).peak() >= 4 * BYTES, spaces.toString());
            for (int i = 0; i < 8; i++) {
                Data data = all.get(i);
                double value = session.graph()
                        .task("read")
                        .reads(data)
                        .call(context -> context.memory(data).getDouble(7))
                        .join();
                assertEquals(i, value);
            }
        }
        assertEquals(0, files(one) + files(other));
    }

    @Test
    void aDiskThatIsNotThereLeavesNothingOfTheOthersBehind(@TempDir Path there) {
        Path absent = there.resolve("absent");
        UncheckedIOException e = assertThrows(
                UncheckedIOException.class,
                () -> Session.builder()
                        .hostMemory(BYTES)
                        .disk(there, BYTES, false)
                        .disk(absent, BYTES, false)
                        .open());
        assertTrue(String.valueOf(e.getMessage()).contains(absent.toString()), e.toString());
        assertEquals(0, files(there));
    }

    private static long files(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
