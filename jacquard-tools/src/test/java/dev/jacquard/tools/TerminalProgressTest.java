package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text that is written to a terminal. */
class TerminalProgressTest {
    private final StringWriter text = new StringWriter();

    private TerminalProgress terminal(int columns) {
        return new TerminalProgress(new PrintWriter(text), columns);
    }

    /** Returns the lines since the last call, each of which is written over the one before. */
    private List<String> lines() {
        String all = text.toString();
        text.getBuffer().setLength(0);
        assertTrue(all.isEmpty() || all.startsWith("\r\033[?7l"), all);
        assertTrue(all.isEmpty() || all.endsWith("\033[K\033[?7h"), all);
        assertFalse(all.contains("\n") || all.contains("\033[2K"), "a line is not erased before it is written");
        return Arrays.stream(all.split("\r\033\\[\\?7l", -1))
                .skip(1)
                .map(line -> line.replace("\033[K\033[?7h", ""))
                .toList();
    }

    @Test
    void aProgramAloneHasABar() {
        try (TerminalProgress terminal = terminal(80)) {
            terminal.start("steps", 1_000);
            assertEquals(List.of("steps [" + " ".repeat(40) + "] 0 %"), lines());
            terminal.advance(9);
            assertEquals(List.of(), lines());
            terminal.advance(491);
            assertEquals(List.of("steps [" + "=".repeat(20) + " ".repeat(20) + "] 50 %"), lines());
        }
        assertEquals("\r\033[2K", text.toString());
    }

    @Test
    void partsSideBySideHaveTheirOwn() {
        TerminalProgress terminal = terminal(80);
        Progress left = terminal.part("left");
        Progress right = terminal.part("right");
        left.start("steps", 100);
        assertEquals(List.of("left: steps [" + " ".repeat(40) + "] 0 %"), lines());
        right.start("mosaic", 4);
        assertEquals(List.of("left: steps   0 % | right: mosaic   0 %"), lines());
        left.advance(7);
        right.advance(1);
        left.advance(3);
        assertEquals(
                List.of(
                        "left: steps   7 % | right: mosaic   0 %",
                        "left: steps   7 % | right: mosaic  25 %", "left: steps  10 % | right: mosaic  25 %"),
                lines());
        right.start("tables", 4);
        assertEquals(List.of("left: steps  10 % | right: tables   0 %"), lines());
    }

    /** A part that is over stays until there is something else to tell; then the line has the parts that run. */
    @Test
    void partsThatEndMakeRoom() {
        TerminalProgress terminal = terminal(80);
        Progress left = terminal.part("left");
        Progress right = terminal.part("right");
        left.start("steps", 2);
        right.start("steps", 2);
        lines();
        left.end();
        left.advance(1);
        assertEquals(List.of(), lines());
        right.advance(1);
        assertEquals(List.of("right: steps [" + "=".repeat(20) + " ".repeat(20) + "] 50 %"), lines());
        left.start("steps", 2);
        assertEquals(List.of("right: steps  50 % | left: steps   0 %"), lines());
    }

    @Test
    void aNarrowTerminalShowsWhatItHasRoomFor() {
        TerminalProgress terminal = terminal(40);
        Progress[] parts = new Progress[4];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = terminal.part("p" + i);
            parts[i].start("steps", 100);
        }
        assertEquals(
                List.of(
                        "p0: steps [" + " ".repeat(21) + "] 0 %",
                        "p0: steps   0 % | p1: steps   0 %",
                        "p0: steps   0 % | p1: steps   0 % +1",
                        "p0: steps   0 % | p1: steps   0 % +2"),
                lines().stream().map(String::stripTrailing).toList());
        parts[3].advance(50);
        assertEquals(List.of(), lines(), "nothing is drawn of a part that is not shown");
        parts[1].advance(100);
        assertEquals(List.of("p0: steps   0 % | p1: steps 100 % +2"), lines());
    }

    @Test
    void aStageOfUnknownLengthHasNoBar() {
        TerminalProgress terminal = terminal(80);
        Progress loop = terminal.part("loop to end");
        loop.start("pass 1", Progress.UNKNOWN);
        assertEquals(List.of("loop to end: pass 1"), lines());
        loop.advance(1);
        assertEquals(List.of(), lines());
        terminal.part("a").start("steps", 100);
        assertEquals(List.of("loop to end: pass 1 | a: steps   0 %"), lines());
    }

    /** The line is drawn again below a note. */
    @Test
    void aNoteStays() {
        TerminalProgress terminal = terminal(80);
        terminal.note("resumed");
        assertEquals("jacquard: resumed" + System.lineSeparator(), text.toString());
        text.getBuffer().setLength(0);
        terminal.start("pass 1", Progress.UNKNOWN);
        lines();
        terminal.note("more");
        String all = text.toString();
        String note = "\r\033[2Kjacquard: more" + System.lineSeparator();
        assertTrue(all.startsWith(note), all);
        text.getBuffer().delete(0, note.length());
        assertEquals(List.of("pass 1"), lines());
    }

    @Test
    void noLineReachesTheEdge() {
        for (int columns = 1; columns < 90; columns++) {
            TerminalProgress terminal = terminal(columns);
            Progress only = terminal.part("only");
            only.start("a stage", 10);
            Progress other = terminal.part("other");
            only.advance(10);
            other.start("another stage", 10);
            other.advance(5);
            int most = Math.max(1, columns - 1);
            for (String line : lines()) {
                assertTrue(line.length() <= most, columns + " columns: " + line);
            }
        }
    }
}
