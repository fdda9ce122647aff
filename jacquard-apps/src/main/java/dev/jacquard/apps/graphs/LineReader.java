package dev.jacquard.apps.graphs;

import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The lines of a text file, for messages that name them. Immutable. */
final class LineReader {
    private final Path file;
    private final List<String> lines;

    LineReader(Path file) {
        this.file = file;
        try {
            this.lines = Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": it is no text in UTF-8", e);
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    int size() {
        return lines.size();
    }

    String line(int index) {
        return lines.get(index);
    }

    /** Returns the values of a line with commas. */
    List<String> cells(int index) {
        return Arrays.stream(lines.get(index).split(",", -1)).map(String::strip).toList();
    }

    /** Returns {@code text} of a line as a number of 0 or more. */
    double number(int index, String what, String text) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && value < Double.POSITIVE_INFINITY) {
                return value;
            }
        } catch (NumberFormatException e) {
            // no number: refused below
        }
        throw wrong(index, what + " is \"" + text + "\"; expected a number of 0 or more");
    }

    /** Returns {@code text} of a line as a whole number up to {@code most}. */
    int whole(int index, String what, String text, int most) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= most) {
                return (int) value;
            }
        } catch (NumberFormatException e) {
            // no whole number: refused below
        }
        throw wrong(index, what + " is \"" + text + "\"; expected a whole number from 0 to " + most);
    }

    /** Returns the error to throw: a line is wrong. */
    InputException wrong(int index, String fault) {
        return new InputException(file + ":" + (index + 1) + ": " + fault);
    }
}
