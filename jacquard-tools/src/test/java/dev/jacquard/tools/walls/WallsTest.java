package dev.jacquard.tools.walls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Keeps the walls. What breaks one today is named in {@code exceptions.txt} with its number, which may only fall: a
 * place that is not named, or whose number has grown, fails the test, and so does one whose number has fallen and was
 * not lowered there.
 */
class WallsTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Walls WALLS = walls();

    /** The most uses per 10,000 words of comment. */
    private static final Map<String, Double> RATES =
            Map.of("behind, told, beside, of its own, meanwhile, anew", 8.0, "what", 10.0, "whose, those", 8.0);

    /** The most paragraphs of documents that may be long, all documents together. */
    private static final int LONG_PARAGRAPHS = 12;

    private static final int LINES_OF_BENCHMARKS = 200;

    private static Walls walls() {
        try {
            return new Walls(PROJECT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void allModulesAreLookedAt() {
        assertEquals(WALLS.linesOfModules().keySet(), modules(), "modules of the build");
        assertTrue(WALLS.files().size() > 500, () -> "only " + WALLS.files().size() + " files");
    }

    private static Set<String> modules() {
        Set<String> modules = new TreeSet<>();
        Matcher module = Pattern.compile("<module>(.*?)</module>").matcher(read("pom.xml"));
        while (module.find()) {
            modules.add(module.group(1));
        }
        return modules;
    }

    private static String read(String file) {
        try {
            return Files.readString(PROJECT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void packagesImportWhatTheySay() {
        Map<String, Set<String>> stated = WALLS.statedImports();
        Map<String, String> wrong = new TreeMap<>();
        WALLS.imports().forEach((pkg, imports) -> {
            Set<String> its = stated.get(pkg);
            if (its == null) {
                wrong.put(pkg, "its package-info has no sentence \"<p>Imports: ...\"");
            } else if (!its.equals(imports)) {
                wrong.put(pkg, "says " + without(its, imports) + " too much, and not " + without(imports, its));
            }
        });
        assertEquals(Map.of(), wrong, "package-infos state what their packages import of ours");
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    @Test
    void exportsAreThoseListed() throws IOException {
        List<String> exports = new ArrayList<>();
        Map<String, Set<String>> toAll = WALLS.exports(true);
        WALLS.exports(false)
                .forEach((module, packages) -> packages.forEach(pkg -> exports.add(module + " " + pkg
                        + (toAll.getOrDefault(module, Set.of()).contains(pkg) ? "" : " to some"))));
        assertEquals(lines("exports.txt"), exports, "an export is a promise: list it in exports.txt");
    }

    @Test
    void longFilesHaveAReason() throws IOException {
        List<SourceFile> all = new ArrayList<>(WALLS.files());
        all.addAll(SourceFile.all(PROJECT, true));
        requireReasons(Walls.longFiles(all), "`(\\w+)`(?: \\(`[a-z.]+`\\) \\| (\\d+))?");
    }

    /**
     * Compares with ADR 8: a place must be named there; where it is named with a number it may have grown by a tenth.
     */
    private static void requireReasons(Map<String, Integer> places, String row) {
        Map<String, Integer> most = new TreeMap<>();
        Matcher reason = Pattern.compile(row).matcher(read("docs/adr/0008-longer-files.md"));
        while (reason.find()) {
            most.putIfAbsent(
                    reason.group(1),
                    reason.group(2) == null ? Integer.MAX_VALUE : Integer.parseInt(reason.group(2)) * 11 / 10);
        }
        Map<String, Integer> without = new TreeMap<>();
        places.forEach((place, number) -> {
            String name = place.substring(place.lastIndexOf('.') + 1);
            if (number > most.getOrDefault(name, 0)) {
                without.put(place, number);
            }
        });
        assertEquals(Map.of(), without, "split them, or say in docs/adr/0008-longer-files.md why they are one idea");
    }

    @Test
    void longMethodsAreExceptions() {
        compare("long-method", WALLS.longMethods());
    }

    @Test
    void typesHaveFewMethods() {
        compare("many-methods", WALLS.manyMethods());
    }

    @Test
    void fewTypesArePublic() throws IOException {
        compare("public-share", WALLS.publicShares());
    }

    @Test
    void noModuleIsMostOfTheProject() {
        Map<String, Long> modules = WALLS.linesOfModules();
        long all = modules.values().stream().mapToLong(Long::longValue).sum();
        Map<String, Integer> large = new TreeMap<>();
        modules.forEach((module, lines) -> {
            if (100 * lines / all > 25) {
                large.put(module, (int) (100 * lines / all));
            }
        });
        compare("module-share", large);
    }

    @Test
    void arrowsRunDownWithinPackages() {
        compare("arrows-up", WALLS.arrowsUp());
    }

    @Test
    void publicSignaturesHaveNoObjectArrays() throws IOException {
        compare("object-arrays", WALLS.objectArrays());
    }

    @Test
    void linesAreNotWide() {
        compare("columns", WALLS.columns());
    }

    @Test
    void commentsAreInTechnicalEnglish() {
        compare("words", WALLS.words());
        compare("questions", WALLS.questions());
    }

    @Test
    void commentsUseFewVagueWords() {
        Map<String, String> wrong = new TreeMap<>();
        Map<String, Double> rates = WordRates.of(WALLS.files());
        assertEquals(RATES.keySet(), rates.keySet());
        rates.forEach((words, rate) -> {
            double most = RATES.getOrDefault(words, 0.0);
            if (rate > most) {
                wrong.put(words, String.format(Locale.ROOT, "%.1f, %.1f allowed", rate, most));
            }
        });
        assertEquals(Map.of(), wrong, "uses per 10,000 words of comment; name the subject, or the noun");
    }

    @Test
    void commentsAreFoundBetweenTexts() {
        assertEquals(
                " a b c ", WordRates.comments("/** a {@code //} */ \"/*\" '\"' // b\n\"\"\"\n// no\n\"\"\" // c\n"));
    }

    @Test
    void documentsAreShort() throws IOException {
        Documents documents = new Documents(PROJECT);
        assertEquals(Map.of(), documents.longDocuments(), "bytes; the most is " + Documents.LONG_DOCUMENT);
        int lines = documents.linesOfBenchmarks();
        assertTrue(0 < lines && lines <= LINES_OF_BENCHMARKS, () -> Documents.BENCHMARKS + " has " + lines + " lines");
        Map<String, Integer> paragraphs = documents.longParagraphs();
        int all = paragraphs.values().stream().mapToInt(Integer::intValue).sum();
        assertTrue(
                all <= LONG_PARAGRAPHS,
                () -> all + " paragraphs of more than " + Documents.LONG_PARAGRAPH + " characters, " + LONG_PARAGRAPHS
                        + " allowed: " + paragraphs);
    }

    @Test
    void paragraphsAreThoseThatAreRead() {
        String text = "# T\n\none\nline [two](three.md)\n- item\n- item\n\n```java\ncode\n```\n| a | b |\n|---|---|\n";
        assertEquals(List.of("one line two", "- item", "- item", "a", "b", "---", "---"), Documents.paragraphs(text));
    }

    @Test
    void exceptionsAreOfKnownWalls() {
        Set<String> known = Set.of(
                "long-method",
                "many-methods",
                "public-share",
                "module-share",
                "arrows-up",
                "object-arrays",
                "columns",
                "words",
                "questions");
        Set<String> named = new HashSet<>();
        lines("exceptions.txt").forEach(line -> named.add(line.split(" ", -1)[0]));
        assertTrue(known.containsAll(named), () -> without(named, known) + " in exceptions.txt");
    }

    /** Compares what breaks a wall with the exceptions from it. */
    private static void compare(String wall, Map<String, Integer> places) {
        Map<String, Integer> allowed = new TreeMap<>();
        for (String line : lines("exceptions.txt")) {
            String[] words = line.split(" ", -1);
            if (words[0].equals(wall)) {
                allowed.put(words[1], Integer.parseInt(words[2]));
            }
        }
        Set<String> all = new TreeSet<>(places.keySet());
        all.addAll(allowed.keySet());
        Map<String, String> wrong = new TreeMap<>();
        for (String place : all) {
            int now = places.getOrDefault(place, 0);
            int most = allowed.getOrDefault(place, 0);
            if (now > most) {
                wrong.put(place, now + ", " + most + " allowed");
            } else if (now < most) {
                wrong.put(place, now + ": well done; lower the exception from " + most);
            }
        }
        assertEquals(
                Map.of(), wrong, () -> "wall \"" + wall + "\", exceptions.txt beside " + WallsTest.class.getName());
    }

    private static List<String> lines(String resource) {
        return read("jacquard-tools/src/test/resources/dev/jacquard/tools/walls/" + resource)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
