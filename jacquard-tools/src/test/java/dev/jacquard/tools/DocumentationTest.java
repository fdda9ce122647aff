package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every example in Java is a whole program that shows its imports, compiles, runs to its end, and prints what it says.
 */
@Timeout(170)
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

    private static final int SECONDS = 150;

    @TempDir
    Path folder;

    private record Example(String name, String page, String text) {}

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
                    String name = own.find() ? own.group(1) : "Example" + blocks.size();
                    blocks.add(new Example(name, PROJECT.relativize(page).toString(), block.group(2)));
                }
            }
        }
        return blocks;
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
    void everyExampleIsAWholeProgramThatRuns() throws Exception {
        List<Example> examples = blocks("java");
        assertTrue(examples.size() >= 30, () -> "only " + examples.size() + " examples were found");
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
        for (Example example : examples) {
            Path file = Files.writeString(folder.resolve(example.name() + ".java"), example.text());
            arguments.add(file.toString());
        }
        StringBuilder names = new StringBuilder();
        examples.forEach(example -> names.append(example.name())
                .append(" of ")
                .append(example.page())
                .append('\n'));
        Path errors = folder.resolve("errors");
        try (OutputStream out = Files.newOutputStream(errors)) {
            int result = ToolProvider.getSystemJavaCompiler().run(null, out, out, arguments.toArray(String[]::new));
            assertEquals(0, result, () -> names + read(errors));
        }
        int half = examples.size() / 2;
        Stream.of(examples.subList(0, half), examples.subList(half, examples.size()))
                .parallel()
                .forEach(this::check);
    }

    private void check(List<Example> examples) {
        List<String> names = examples.stream().map(Example::name).toList();
        String[] printed = run(names).split(ExampleRunner.RULE, -1);
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

    /** Runs examples in a process of their own, whose folder takes their files, and returns all that they print. */
    private String run(List<String> names) {
        try {
            return output(names);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(String.join(" ", names), e);
        }
    }

    private String output(List<String> names) throws IOException, InterruptedException {
        String classPath = folder + System.getProperty("path.separator") + System.getProperty("java.class.path");
        Path printed = folder.resolve(names.getFirst() + ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                ExampleRunner.class.getName()));
        command.addAll(names);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertTrue(
                    process.waitFor(SECONDS, TimeUnit.SECONDS),
                    () -> "an example is not over after " + SECONDS + " s, or has left a thread: " + names + "\n"
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
