package dev.jacquard.apps.stitching;

import dev.jacquard.components.program.InputException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How tiles are named: a file name in which {@code {rrr}} and {@code {ccc}} stand for the numbers of the row and
 * column, or {@code {ppp}} for a number in sequence, padded with zeros to at least as many digits as there are letters.
 */
final class TilePattern {
    private static final Pattern FIELD = Pattern.compile("\\{(r+|c+|p+)}");
    private static final int MOST_DIGITS = 9;

    private final String text;
    private final Pattern regex;
    private final String letters;

    private TilePattern(String text, Pattern regex, String letters) {
        this.text = text;
        this.regex = regex;
        this.letters = letters;
    }

    /**
     * Reads a pattern.
     *
     * @throws InputException if it has other fields than {@code r} and {@code c}, or {@code p}, once each
     */
    public static TilePattern parse(String text) {
        StringBuilder regex = new StringBuilder();
        StringBuilder letters = new StringBuilder();
        Matcher fields = FIELD.matcher(text);
        int done = 0;
        while (fields.find()) {
            String field = fields.group(1);
            regex.append(Pattern.quote(text.substring(done, fields.start())));
            regex.append("(\\d{").append(field.length()).append(",})");
            letters.append(field.charAt(0));
            done = fields.end();
        }
        regex.append(Pattern.quote(text.substring(done)));
        boolean known = Arrays.asList("p", "rc", "cr").contains(letters.toString());
        if (!known || text.contains("/") || text.contains("\\")) {
            throw new InputException("'tiles.pattern' is '" + text + "'; expected a file name with {rrr} and {ccc}"
                    + " (row and column) or {ppp} (number in sequence), once each, like img_r{rrr}_c{ccc}.tif");
        }
        return new TilePattern(text, Pattern.compile(regex.toString()), letters.toString());
    }

    /** Returns true if names have one number in sequence rather than a row and a column. */
    boolean isSequence() {
        return letters.equals("p");
    }

    /** The numbers in a name, if it fits: the one in sequence, or row and column. */
    Optional<TileName> match(String fileName) {
        Matcher matcher = regex.matcher(fileName);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        MatchResult groups = matcher.toMatchResult();
        int[] numbers = new int[letters.length()];
        for (int i = 0; i < numbers.length; i++) {
            String digits = groups.group(i + 1);
            if (digits.length() > MOST_DIGITS) {
                return Optional.empty();
            }
            numbers[i] = Integer.parseInt(digits);
        }
        return Optional.of(
                switch (letters) {
                    case "p" -> new TileName(0, numbers[0]);
                    case "rc" -> new TileName(numbers[0], numbers[1]);
                    default -> new TileName(numbers[1], numbers[0]);
                });
    }

    /** The name with these numbers, padded as the pattern says. */
    String fileName(TileName name) {
        return FIELD.matcher(text).replaceAll(field -> {
            int number = field.group(1).startsWith("r") ? name.row() : name.column();
            return ("%0" + field.group(1).length() + "d").formatted(number);
        });
    }

    /** The numbers in the name of the tile at a place. */
    TileName nameAt(GridLayout layout, int row, int column) {
        return isSequence()
                ? new TileName(0, layout.number(row, column))
                : new TileName(layout.rowNumber(row), layout.columnNumber(column));
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * The numbers in a tile's name.
     *
     * @param row the row's, 0 for tiles in sequence
     * @param column the column's, or the one in sequence
     */
    record TileName(int row, int column) {
        /** One number for both, to look names up by: a record's own hash costs 10 ms at its first use. */
        long key() {
            return ((long) row << Integer.SIZE) | column;
        }
    }
}
