package dev.jacquard.tools;

import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.WholeFile;
import dev.jacquard.components.run.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a program of components. */
@Command(
        name = "graph",
        description = "Draw a program's components, sockets and loops.",
        footer = {"", "A run leaves the same picture, with where the time went, as graph.svg among its results."})
final class GraphCommand extends Subcommand {
    @Parameters(paramLabel = "FILE", description = "The program, like examples/loops.yaml.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

    @Option(
            names = "--svg",
            paramLabel = "OUT",
            required = true,
            description = "The file for the picture; - for standard output.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path svg;

    @Option(names = "--set", paramLabel = "key=value", description = "Override a value of the file. May be repeated.")
    private final List<String> overrides = new ArrayList<>();

    @Mixin
    private final JarOption jars = new JarOption();

    GraphCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws Exception {
        Program program =
                Program.load(file, new Program.Choices(overrides, environment.data(), jars.catalog(environment), null));
        if (svg.toString().equals("-")) {
            environment.out().print(program.toSvg());
            return 0;
        }
        requirePlace("--svg", svg);
        requireOther("--svg", svg, "the program", file);
        String picture = program.toSvg();
        WholeFile.write(svg, to -> to.write(picture));
        print(
                () -> Report.json(Map.of("svg", svg.toString(), "components", program.size())),
                () -> List.of("the picture is " + svg));
        return 0;
    }
}
