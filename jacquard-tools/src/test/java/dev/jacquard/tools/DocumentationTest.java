package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every example in Java is a whole program that shows its imports, runs to its end by {@code ./jacquard java}, and
 * prints what it says.
 */
@Timeout(330)
class DocumentationTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern STATEMENT = Pattern.compile(";\\h*(//.*)?$", Pattern.MULTILINE);

    /**
     * In the comment of a statement: what it prints; before the colon may stand where, and then no test compares it.
     */
    private static final Pattern PRINTS = Pattern.compile("//.*\\bprints([^:]*): (.*)");

    /** A program that has a class of its own name. */
    private static final Pattern CLASS = Pattern.compile("^public final class (\\w+)", Pattern.MULTILINE);

    /** A run of one of our programs, in a sentence or a block, without a jar of the user's and without MPI. */
    private static final Pattern RUN =
            Pattern.compile("(?:^|`)\\./jacquard run (examples/[^`#\n\\\\)]+?)\\s*([`#\n)]|$)", Pattern.MULTILINE);

    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static final int SECONDS = 300;

    @TempDir
    Path folder;

    /**
     * A program.
     *
     * @param file relative to the test's folder, or absolute
     */
    private record Example(Path file, String page, String text) {}

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    /** The blocks of all pages in a language; "" stands for those that name none. */
    private static List<Example> blocks(String language) throws IOException {
        List<Example> blocks = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                if (block.group(1).equals(language)) {
                    Matcher own = CLASS.matcher(block.group(2));
                    String name = (own.find() ? own.group(1) : "Main") + ".java";
                    Path file = Path.of("example" + blocks.size(), name);
                    blocks.add(new Example(file, PROJECT.relativize(page).toString(), block.group(2)));
                }
            }
        }
        return blocks;
    }

    /** The programs of the example project. */
    private static List<Example> files() throws IOException {
        List<Example> examples = new ArrayList<>();
        try (Stream<Path> all = Files.list(PROJECT.resolve("examples/java/src/main/java/example"))) {
            for (Path file :
                    all.filter(one -> one.toString().endsWith(".java")).sorted().toList()) {
                examples.add(new Example(file, PROJECT.relativize(file).toString(), Files.readString(file)));
            }
        }
        return examples;
    }

    @Test
    void everyExampleIsAProgramThatSaysWhatItPrints() throws IOException {
        for (Example example : blocks("java")) {
            assertTrue(
                    example.text().contains("void main(")
                            && PRINTS.matcher(example.text()).find(),
                    () -> example.page()
                            + " has a block of Java that is no program with a main and a \"// prints: ...\";"
                            + " make it one, or say it in a sentence:\n" + example.text());
        }
        for (Example block : blocks("")) {
            assertFalse(
                    STATEMENT.matcher(block.text()).find(),
                    () -> block.page() + " has statements in a block that names no language; name it (java, c, text):\n"
                            + block.text());
        }
    }

    @Test
    void everyRunOfAProgramIsAccepted() throws IOException {
        int found = 0;
        for (Path page : pages()) {
            for (MatchResult run : RUN.matcher(Files.readString(page)).results().toList()) {
                String line = run.group(1);
                if (line.contains("--jar") || line.contains("--mpi") || line.contains("…")) {
                    continue;
                }
                List<String> words = new ArrayList<>(List.of("run"));
                WORD.matcher(line)
                        .results()
                        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                        .map(word -> word.startsWith("examples/")
                                ? PROJECT.resolve(word).toString()
                                : word)
                        .forEach(words::add);
                if (!words.contains("--check")) {
                    words.add("--check");
                }
                StringWriter err = new StringWriter();
                PrintWriter out = new PrintWriter(new StringWriter());
                int exitCode = Main.run(
                        words.toArray(String[]::new),
                        new Environment(out, new PrintWriter(err), false, null, PROJECT, false));
                assertEquals(0, exitCode, () -> page + ": " + words + "\n" + err);
                found++;
            }
        }
        int runs = found;
        assertTrue(found >= 10, () -> "only " + runs + " runs were found");
    }

    @Test
    void everyExampleIsAWholeProgramThatRuns() throws Exception {
        List<Example> examples = blocks("java");
        for (Example example : examples) {
            Path file = folder.resolve(example.file());
            Files.createDirectories(file.getParent());
            Files.writeString(file, example.text());
        }
        examples.addAll(files());
        assertTrue(examples.size() >= 40, () -> "only " + examples.size() + " examples were found");
        int half = examples.size() / 2;
        Stream.of(examples.subList(0, half), examples.subList(half, examples.size()))
                .parallel()
                .forEach(this::check);
    }

    private void check(List<Example> examples) {
        List<String> files =
                examples.stream().map(example -> example.file().toString()).toList();
        String[] printed = run(files).split(ExampleRunner.RULE, -1);
        for (int i = 0; i < examples.size(); i++) {
            Example example = examples.get(i);
            String text = i + 1 < printed.length ? printed[i + 1] : "nothing: it was not begun";
            assertTrue(
                    text.endsWith(ExampleRunner.OVER),
                    () -> "the example of " + example.page() + ":\n" + example.text() + '\n' + text);
            for (MatchResult prints : PRINTS.matcher(example.text()).results().toList()) {
                assertTrue(
                        !prints.group(1).isEmpty() || text.contains(prints.group(2)),
                        () -> example.page() + " says it prints \"" + prints.group(2) + "\", and it prints:\n" + text);
            }
        }
        assertEquals(examples.size() + 1, printed.length, () -> printed[printed.length - 1]);
    }

    /** Runs examples in a process of their own, with both compilers, and returns all that they print. */
    private String run(List<String> files) {
        try {
            return output(files);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(String.join(" ", files), e);
        }
    }

    private String output(List<String> files) throws IOException, InterruptedException {
        Path printed = Files.createTempFile(folder, "printed", ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ExampleRunner.class.getName()));
        command.addAll(files);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertTrue(
                    process.waitFor(SECONDS, TimeUnit.SECONDS),
                    () -> "an example is not over after " + SECONDS + " s, or has left a thread: " + files + "\n"
                            + read(printed));
        } finally {
            process.destroyForcibly();
        }
        return read(printed);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
