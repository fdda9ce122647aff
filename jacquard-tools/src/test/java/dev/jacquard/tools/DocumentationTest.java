package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every example in Java is a whole program that shows its imports, compiles, runs to its end, and prints what it says. */
@Timeout(170)
class DocumentationTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    /** Pages whose examples are still parts of programs. */
    private static final List<String> PARTS = List.of("tasks.md", "compiled.md", "policies.md");

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PRINTS = Pattern.compile("// prints: (.*)");

    @TempDir
    Path folder;

    private record Example(String name, String page, String text) {}

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md"))
                    .filter(page -> !PARTS.contains(String.valueOf(page.getFileName())))
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult found :
                    EXAMPLE.matcher(Files.readString(page)).results().toList()) {
                String name = "Example" + examples.size();
                examples.add(new Example(name, PROJECT.relativize(page).toString(), found.group(1)));
            }
        }
        return examples;
    }

    @Test
    void everyExampleIsAWholeProgramThatRuns() throws Exception {
        List<Example> examples = examples();
        assertTrue(examples.size() >= 9, () -> "only " + examples.size() + " examples were found");
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
        for (Example example : examples) {
            String text = run(example);
            for (MatchResult prints : PRINTS.matcher(example.text()).results().toList()) {
                assertTrue(
                        text.contains(prints.group(1)),
                        () -> example.page() + " says it prints \"" + prints.group(1) + "\", and it prints:\n" + text);
            }
        }
    }

    /** In a process of its own, so that it leaves its files in a folder of its own. */
    private String run(Example example) throws Exception {
        String classPath = folder + System.getProperty("path.separator") + System.getProperty("java.class.path");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        example.name())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(
                0, process.waitFor(), () -> "the example of " + example.page() + ":\n" + example.text() + '\n' + text);
        return text;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
