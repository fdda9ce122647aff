package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RasterTest {
    private static final String SIGNS =
            "αβγδεζηθικλμνξοπρςστυφχψωΓΔΘΛΞΠΣΦΨΩ°±×÷·−∂∇∞√∫≤≥≈≠→←↑↓…′µ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉";

    private static byte[] drawn(String text) {
        return new Raster(6 * text.length(), 9, 0).text(0, 0, text, 1, 1).pixels();
    }

    /** Letters that look like Latin ones aside, each character has another glyph than all others, and no box. */
    @Test
    void charactersOfNamesAndUnitsDiffer() {
        Map<String, Integer> glyphs = new HashMap<>();
        for (int c = ' '; c < 127; c++) {
            requireNew(glyphs, c);
        }
        SIGNS.codePoints().filter(c -> c != 'µ' && c != 'ο' && c != '₋').forEach(c -> requireNew(glyphs, c));
        assertFalse(BitmapFont.has('漢'));
        assertArrayEquals(drawn("µο"), drawn("μo"));
        assertArrayEquals(drawn("漢"), drawn("語"), "a box");
    }

    private static void requireNew(Map<String, Integer> glyphs, int character) {
        String text = Character.toString(character);
        assertTrue(BitmapFont.has(character), text);
        Integer before = glyphs.put(HexFormat.of().formatHex(drawn(text)), character);
        assertTrue(before == null, () -> text + " looks like " + Character.toString(before));
    }

    @Test
    void textIsScaledAndCutOffAtTheEdges() {
        Raster small = new Raster(11, 9, 7).text(0, 0, "LJ", 1, 3);
        Raster large = new Raster(33, 27, 7).text(0, 0, "LJ", 3, 3);
        for (int y = 0; y < large.rows(); y++) {
            for (int x = 0; x < large.columns(); x++) {
                assertEquals(small.pixels()[y / 3 * 11 + x / 3], large.pixels()[y * 33 + x], x + ", " + y);
            }
        }
        Raster cut = new Raster(3, 4, 7).text(-4, -3, "LJ", 1, 3);
        for (int y = 0; y < 4; y++) {
            for (int x = 0; x < 3; x++) {
                assertEquals(small.pixels()[(y + 3) * 11 + x + 4], cut.pixels()[y * 3 + x], x + ", " + y);
            }
        }
        assertEquals(11, Raster.width("LJ", 1));
        assertEquals(0, Raster.width("", 4));
        assertThrows(IllegalArgumentException.class, () -> new Raster(0, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new Raster(1 << 16, 1 << 16, 0));
    }

    @Test
    void longTextEndsInAnEllipsis() {
        assertEquals("width", Raster.shortened("width", Raster.width("width", 2), 2));
        assertEquals("wid…", Raster.shortened("width", Raster.width("width", 2) - 1, 2));
        assertEquals("…", Raster.shortened("width", 0, 2));
    }

    @Test
    void rectanglesAndRims() {
        Raster raster = new Raster(4, 4, 0).fill(1, 1, 2, 2, 5).rim(1, 1, 2, 2, 1, 6);
        assertArrayEquals(new byte[] {6, 6, 6, 6, 6, 5, 5, 6, 6, 5, 5, 6, 6, 6, 6, 6}, raster.pixels());
        raster.fill(-3, 2, Integer.MAX_VALUE, Integer.MAX_VALUE, 1);
        assertArrayEquals(new byte[] {6, 6, 6, 6, 6, 5, 5, 6, 1, 1, 1, 1, 1, 1, 1, 1}, raster.pixels());
    }
}
