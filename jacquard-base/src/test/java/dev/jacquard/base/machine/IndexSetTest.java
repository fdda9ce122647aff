package dev.jacquard.base.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x0000000f | 0-3",
                "0x00000001,,0x0 | 64",
                "0x00000001,,0x00000002 | 1,64",
                "0x00000303,0x03030000,,0x03030303 | 0-1,8-9,16-17,24-25,80-81,88-89,96-97,104-105",
                "0xffffffff,0xffffffff | 0-63",
                "0x80000000,,,,0x0 | 159",
                "0x0 | ''"
            })
    void masksAndListsAreThoseOfHwlocAndLinux(String mask, String list) {
        IndexSet set = IndexSet.ofMask(mask);
        assertEquals(list, set.toString());
        assertEquals(mask, set.mask());
        assertEquals(set, IndexSet.ofList(list));
        assertEquals(set.hashCode(), IndexSet.ofList(list).hashCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,,0", "0x1,,0x0", "0x00000001,0x,", "0x1,,"})
    void wordsWithoutDigitsAreZero(String mask) {
        assertEquals("64", IndexSet.ofMask(mask).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0xg", "0x123456789", "-1", "0xf...f", "0x1 ,0x0"})
    void noMaskIsRefused(String mask) {
        String message = refusal(mask);
        assertTrue(message.contains("expected up to 8 hexadecimal digits"), message);
    }

    @Test
    void masksHaveALimit() {
        assertEquals(IndexSet.of(0), IndexSet.ofMask(",".repeat(2047) + "0x1"));
        String message = refusal(",".repeat(2048));
        assertEquals("a mask of 2049 words of 32 bits; expected at most 2048", message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3-1", "a", "1-", "-1", "65536", "1,,2"})
    void noListIsRefused(String list) {
        assertThrows(IllegalArgumentException.class, () -> IndexSet.ofList(list));
    }

    @Test
    void setsAreComparedAndCombined() {
        IndexSet all = IndexSet.below(100);
        IndexSet some = IndexSet.of(3, 70);
        assertTrue(all.containsAll(some));
        assertFalse(some.containsAll(all));
        assertTrue(some.contains(70));
        assertFalse(some.contains(71) || some.contains(-1) || some.contains(1 << 20));
        assertEquals(100, all.size());
        assertEquals(some, all.and(some));
        assertEquals(all, all.or(some));
        assertTrue(some.intersects(IndexSet.of(70)));
        assertFalse(some.intersects(IndexSet.of(71, 200)));
        assertEquals(3, some.first().orElseThrow());
        assertTrue(IndexSet.EMPTY.isEmpty() && IndexSet.EMPTY.first().isEmpty());
        assertEquals(IndexSet.EMPTY, some.and(IndexSet.of(4)));
    }

    @Test
    void textsAreReadAgain() {
        long seed = 7;
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int[] members =
                    random.ints(random.nextInt(40), 0, 1 + random.nextInt(400)).toArray();
            IndexSet set = IndexSet.of(members);
            assertEquals(set, IndexSet.ofMask(set.mask()), "seed " + seed);
            assertEquals(set, IndexSet.ofList(set.toString()), "seed " + seed);
        }
    }

    private static String refusal(String mask) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> IndexSet.ofMask(mask))
                .getMessage());
    }
}
