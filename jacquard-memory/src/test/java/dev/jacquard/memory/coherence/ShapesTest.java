package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Copies that are cut into batches move the bytes that they move as a whole. */
class ShapesTest {
    private static CopyShape random(SplittableRandom random) {
        long run = random.nextLong(1, 30);
        long rows = random.nextLong(1, 6);
        long planes = random.nextLong(1, 5);
        long fromPitch = run + random.nextInt(5);
        long toPitch = run + random.nextInt(5);
        return new CopyShape(
                random.nextInt(9),
                random.nextInt(9),
                run,
                rows,
                fromPitch,
                toPitch,
                planes,
                fromPitch * rows + random.nextInt(5),
                toPitch * rows + random.nextInt(5));
    }

    @Test
    void batchesMoveTheSameBytes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 3_000; round++) {
            List<CopyShape> shapes = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                shapes.add(random(random));
            }
            long most = random.nextLong(1, 400);
            byte[] source = new byte[1_000];
            random.nextBytes(source);
            byte[] whole = new byte[1_000];
            byte[] batched = new byte[1_000];
            Shapes.copy(MemorySegment.ofArray(source), MemorySegment.ofArray(whole), shapes);
            long bytes = 0;
            for (List<CopyShape> batch : Shapes.batches(shapes, most)) {
                assertFalse(batch.isEmpty());
                long its = batch.stream().mapToLong(CopyShape::bytes).sum();
                assertTrue(its <= most, () -> its + " bytes, but at most " + most);
                bytes += its;
                Shapes.copy(MemorySegment.ofArray(source), MemorySegment.ofArray(batched), batch);
            }
            assertEquals(shapes.stream().mapToLong(CopyShape::bytes).sum(), bytes);
            assertEquals(-1, MemorySegment.ofArray(whole).mismatch(MemorySegment.ofArray(batched)));
        }
    }
}
