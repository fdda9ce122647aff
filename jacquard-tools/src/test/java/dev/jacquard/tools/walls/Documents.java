package dev.jacquard.tools.walls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The documents: README.md and all of {@code docs}, decisions included.
 *
 * <p>A paragraph is a run of lines without an empty one, an item of a list, or a cell of a table. Blocks of code and
 * headings are none. Its length is that of its text, without the targets of links.
 */
final class Documents {
    /** Bytes beyond which a document is long. */
    static final int LONG_DOCUMENT = 40_000;
    /** Characters beyond which a paragraph is long. */
    static final int LONG_PARAGRAPH = 420;
    /** The document of figures, which has a length of its own. */
    static final String BENCHMARKS = "docs/benchmarks.md";

    private final Map<String, String> texts = new TreeMap<>();

    /** Reads the documents of {@code project}. */
    Documents(Path project) throws IOException {
        texts.put("README.md", Files.readString(project.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(project.resolve("docs"))) {
            for (Path page : docs.filter(one -> one.toString().endsWith(".md")).toList()) {
                texts.put(project.relativize(page).toString().replace('\\', '/'), Files.readString(page));
            }
        }
    }

    /** The longest document, and its bytes. */
    Map.Entry<String, Integer> longest() {
        return sizes().entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    }

    /** The documents that are too long, and their bytes. */
    Map<String, Integer> longDocuments() {
        Map<String, Integer> sizes = sizes();
        sizes.values().removeIf(bytes -> bytes <= LONG_DOCUMENT);
        return sizes;
    }

    private Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        texts.forEach((page, text) -> sizes.put(page, text.getBytes(StandardCharsets.UTF_8).length));
        return sizes;
    }

    /** The number of long paragraphs in each document that has any. */
    Map<String, Integer> longParagraphs() {
        Map<String, Integer> counts = new TreeMap<>();
        texts.forEach((page, text) -> {
            int its = (int) paragraphs(text).stream()
                    .filter(one -> one.length() > LONG_PARAGRAPH)
                    .count();
            if (its > 0) {
                counts.put(page, its);
            }
        });
        return counts;
    }

    /** The lines of the page of figures. */
    int linesOfBenchmarks() {
        return (int) texts.getOrDefault(BENCHMARKS, "").lines().count();
    }

    /** The paragraphs of a text in Markdown. */
    static List<String> paragraphs(String text) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        boolean code = false;
        for (String line : text.lines().map(String::strip).toList()) {
            boolean fence = line.startsWith("```");
            boolean item = line.matches("([-*+]|\\d+[.)])\\s.*");
            if (fence || code || item || line.isEmpty() || line.startsWith("#") || line.startsWith("|")) {
                close(open, paragraphs);
            }
            code ^= fence;
            if (code || fence || line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("|")) {
                for (String cell : line.split("(?<!\\\\)\\|", -1)) {
                    close(open.append(cell.strip()), paragraphs);
                }
            } else {
                open.append(open.isEmpty() ? "" : " ").append(line);
            }
        }
        close(open, paragraphs);
        return paragraphs;
    }

    private static void close(StringBuilder open, List<String> paragraphs) {
        if (!open.isEmpty()) {
            paragraphs.add(open.toString().replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"));
            open.setLength(0);
        }
    }

    /** Appends the figures, one a line. */
    void print(StringBuilder out) {
        Map<String, Integer> paragraphs = longParagraphs();
        out.append(String.format(
                Locale.ROOT,
                "longest document: %s, %d bytes%n",
                longest().getKey(),
                longest().getValue()));
        out.append(String.format(Locale.ROOT, "%s: %d lines%n", BENCHMARKS, linesOfBenchmarks()));
        out.append(String.format(
                Locale.ROOT,
                "paragraphs of more than %d characters: %d%n",
                LONG_PARAGRAPH,
                paragraphs.values().stream().mapToInt(Integer::intValue).sum()));
        paragraphs.forEach((page, number) ->
                out.append("  ").append(page).append(' ').append(number).append('\n'));
    }
}
