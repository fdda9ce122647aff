package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Messages;
import dev.jacquard.testkit.Pictures;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The check of pictures finds what cannot be read, and texts are measured as wide as the widest font shows them. */
class PicturesTest {
    private static void check(UnaryOperator<SvgWriter> parts) {
        Pictures.assertReadable("test", parts.apply(new SvgWriter(200, 100)).finish(), SvgWriter::width);
    }

    private static void refused(UnaryOperator<SvgWriter> parts, String... why) {
        Messages.assertMentions(assertThrows(AssertionError.class, () -> check(parts)), why);
    }

    @Test
    void cutAndCoveredPartsAreFound() {
        String box = "<rect x=\"20\" y=\"20\" width=\"60\" height=\"40\" stroke=\"#000000\"/>";
        check(svg -> svg.add(box).text(50, 45, "middle", 12, true, "inside"));
        refused(svg -> svg.text(190, 50, "start", 12, false, "at the edge"), "\"at the edge\"", "is cut by");
        refused(svg -> svg.text(50, 5, "start", 12, false, "x"), "is cut by");
        refused(
                svg -> svg.text(50, 50, "start", 12, false, "one").text(60, 52, "end", 12, false, "two"),
                "\"two\"",
                "is on top of",
                "\"one\"");
        refused(svg -> svg.add(box).text(50, 45, "start", 12, true, "too wide"), "crosses the rim of");
        check(svg -> svg.add("<path d=\"M100 10C100 50 200 50 150 90H20\"/>"));
        refused(svg -> svg.add("<path d=\"M100 10C100 50 300 50 150 90\"/>"), "line", "is cut by");
        refused(
                svg -> svg.add("<g transform=\"translate(150 0)\">")
                        .add("%s</g>", box)
                        .add("<g>%s</g>", box),
                "box",
                "is cut by");
    }

    @Test
    void textsAreCutToTheirRoom() {
        assertEquals("short", TextWidth.shortened("short", TextWidth.of("short", 12, false), 12, false));
        for (String text : new String[] {"illicit", "WWWW MMMM", "漢字漢字漢字", "🜁🜂🜃🜄"}) {
            for (double room = 0; room < 120; room += 7) {
                String fitting = TextWidth.shortened(text, room, 12, true);
                assertTrue(fitting.equals("…") || TextWidth.of(fitting, 12, true) <= room, fitting);
            }
        }
    }
}
