package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.drawing.SvgWriter;
import dev.jacquard.testkit.Pictures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the pictures that commands make of the examples, nothing is cut, and no text is on top of another. */
class ExamplePicturesTest {
    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    Path folder;

    private int run(Object... arguments) {
        StringWriter out = new StringWriter();
        Environment environment =
                new Environment(new PrintWriter(out), new PrintWriter(out), false, null, folder, false);
        return Main.run(Stream.of(arguments).map(Object::toString).toArray(String[]::new), environment);
    }

    private void requireReadable(Path svg) throws IOException {
        Pictures.assertReadable(svg.getFileName().toString(), Files.readString(svg), SvgWriter::width);
    }

    private static long lines(Path svg) throws IOException {
        return Pattern.compile("marker-end")
                .matcher(Files.readString(svg))
                .results()
                .count();
    }

    @Test
    void graphsOfPrograms() throws IOException {
        int drawn = 0;
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".yaml")).toList()) {
                Path svg = folder.resolve(file.getFileName() + ".svg");
                if (run("graph", file, "--svg", svg) == 0) {
                    requireReadable(svg);
                    drawn++;
                }
            }
        }
        assertTrue(drawn >= 6, "drawn: " + drawn);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tour", "stencil", "particles"})
    void graphsOfTasks(String name) throws IOException {
        Path svg = folder.resolve(name + ".svg");
        Path program = EXAMPLES.resolve("replay-" + name + ".json");
        run("replay", program, "--workers", 2, "--svg", svg);
        requireReadable(svg);
        long lines = lines(svg);
        run("replay", program, "--workers", 2, "--svg", svg, "--all-edges");
        assertTrue(name.equals("stencil") ? lines(svg) > lines : lines(svg) == lines);
    }

    /** A program of components, a flow graph, and the graph of a step. */
    @Test
    void picturesOfRuns() throws IOException {
        List<List<String>> runs = List.of(
                List.of("loops.yaml", "graph.svg"),
                List.of("stitching.yaml", "profile.svg"),
                List.of("gray-scott.yaml", "graph.svg", "--set", "time.end=2"));
        for (List<String> one : runs) {
            Path results = folder.resolve(one.getFirst().replace(".yaml", ""));
            Stream<Object> arguments = Stream.of("run", EXAMPLES.resolve(one.getFirst()), "--out", results);
            assertEquals(
                    0,
                    run(Stream.concat(arguments, one.subList(2, one.size()).stream())
                            .toArray()));
            requireReadable(results.resolve(one.get(1)));
        }
    }
}
