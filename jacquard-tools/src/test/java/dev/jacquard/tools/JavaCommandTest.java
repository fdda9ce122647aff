package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java programs of one file. {@link DocumentationTest} runs those of the pages by the same command. */
class JavaCommandTest {
    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        PrintWriter out = new PrintWriter(new StringWriter());
        return Main.run(args, new Environment(out, new PrintWriter(err), false, null, folder, false));
    }

    private String program(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    /** The output of a process of its own, standard error included. */
    private static String output(int exitCode, String... args) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(Arrays.asList(args));
        Process process = builder.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(exitCode, process.waitFor(), text);
        return text;
    }

    /** All words after the file are the program's, those that are options of other commands included. */
    @Test
    void aProgramHasItsArgumentsAndItsThreads() throws Exception {
        String file = program("Words.java", """
                import module dev.jacquard.core;
                import module dev.jacquard.flow;
                import module dev.jacquard.expressions;
                import module dev.jacquard.components;

                void main(String[] args) {
                    try (Session session = Session.builder().workers(1).open()) {
                        Task<String> words = session.graph().task("words").call(ctx -> String.join(" ", args));
                        IO.println(words.join());
                    }
                    Thread.ofPlatform().start(() -> IO.println("and its thread"));
                }
                """);
        String text = output(0, "java", file, "--json", "-h", "--trace=x");
        assertEquals("--json -h --trace=x\nand its thread\n", text);
    }

    @Test
    void whatAProgramThrowsIsPrintedWithItsOwnFrames() throws Exception {
        String file = program("Throws.java", """
                void main() {
                    inner();
                }

                void inner() {
                    throw new IllegalStateException("no");
                }
                """);
        assertEquals(
                List.of(
                        "Exception in thread \"main\" java.lang.IllegalStateException: no",
                        "\tat Throws.inner(Throws.java:6)",
                        "\tat Throws.main(Throws.java:2)"),
                output(1, "java", file).lines().toList());
    }

    @Test
    void errorsOfTheCompilerHaveTheirPlace() throws IOException {
        String file = program("Wrong.java", "void main() {\n    int x = nothing;\n}\n");
        assertEquals(2, run("java", file));
        assertTrue(err.toString().contains("Wrong.java:2: error: cannot find symbol"), err.toString());
        assertTrue(err.toString().contains("jacquard: " + file + ": does not compile\n"), err.toString());
    }

    /** The class of the file is the first one; of its methods the one that takes arguments is chosen. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "public class A { public static void main(String[] args) { } } class B { }",
                "class A { void main() { throw new Error(); } static void main(String... args) { } }",
                "class A extends B { } class B { protected void main() { } }",
                "package my.words; class A { void main() { } } record C(int x) { }",
            })
    void aMainMethodIsChosenAsTheJavaLauncherDoes(String text) throws IOException {
        assertEquals(0, run("java", program("A.java", text)), err::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A.java  | class A { private void main() { } } | class A has no main method; expected 'void main()'",
                "A.java  | record A(int x) { void main() { } } | no constructor without parameters",
                "A.java  | package nothing;                    | has no class and no method",
                "A.txt   | void main() { }                     | expected a Java program, a file whose name ends in .java",
            })
    void whatIsNoProgramIsRefused(String name, String text, String part) throws IOException {
        assertEquals(2, run("java", program(name, text)));
        assertTrue(err.toString().contains(part), err.toString());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void aFileMustBeThere() {
        assertEquals(2, run("java", folder.resolve("No.java").toString()));
        assertTrue(err.toString().contains("No.java: there is no such file"), err.toString());
        assertEquals(2, run("java", folder.toString()));
        assertTrue(err.toString().contains("is a folder"), err.toString());
        assertEquals(2, run("java"));
        assertTrue(err.toString().contains("Missing required parameter: 'FILE'"), err.toString());
    }
}
