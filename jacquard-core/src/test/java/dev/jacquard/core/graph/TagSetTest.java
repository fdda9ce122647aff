package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.LiveObjects;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TagSetTest {
    private static final int MANY = 200_000;

    @Test
    void hasTheTagsThatWereAddedAndNoOthers() {
        Random random = new Random(1);
        TagSet tags = new TagSet();
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            String tag = random.ints(random.nextInt(6), 'a', 'e')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertEquals(expected.contains(tag), tags.contains(tag), tag);
            if (random.nextInt(100) == 0) {
                tags.add(tag);
                expected.add(tag);
            }
        }
    }

    @Test
    void manyTagsThatDifferInAFewDigitsAreToldApart() {
        TagSet tags = new TagSet();
        for (int i = 0; i < MANY; i++) {
            assertFalse(tags.contains("step " + i));
            assertFalse(tags.contains(i + " tile"));
            tags.add("step " + i);
            tags.add(i + " tile");
        }
        for (int i = 0; i < MANY; i++) {
            assertTrue(tags.contains("step " + i));
        }
    }

    @Test
    void aTagTakesFewBytes() {
        TagSet tags = new TagSet();
        int[] made = {0};
        long bytes = LiveObjects.bytesKeptBy(() -> {
            for (int i = 0; i < MANY; i++) {
                tags.add("step " + made[0]++);
            }
        });
        assertTrue(bytes < 50L * MANY, bytes / MANY + " bytes per tag");
    }
}
