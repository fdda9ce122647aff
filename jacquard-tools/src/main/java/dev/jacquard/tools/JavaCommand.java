package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compiles and runs a Java program that is one file. Its words after the file are the program's arguments. */
@Command(
        name = JavaCommand.NAME,
        description = "Run a Java program of one file, with all of Jacquard's modules.",
        footer = {
            "",
            "The file needs no class, no build and no flags: a method 'void main()' is enough, and",
            "'import module dev.jacquard.core;' imports the types of tasks, sessions and data.",
            "Exit codes: 0 done, 1 the program threw, 2 there is no such file or it does not compile.",
            "Try: ./jacquard java examples/java/src/main/java/example/Cholesky.java"
        })
final class JavaCommand implements Callable<Integer> {
    static final String NAME = "java";

    private final Environment environment;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli writes it
    private boolean help;

    @Parameters(index = "0", paramLabel = "FILE", description = "The program, like Hello.java.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

    @Parameters(index = "1..*", paramLabel = "ARG", description = "The arguments of the program.")
    private final List<String> arguments = new ArrayList<>();

    JavaCommand(Environment environment) {
        this.environment = environment;
    }

    /** Lets the words after the file be the program's, options included. */
    @Spec
    void leaveOptionsToTheProgram(CommandSpec spec) {
        spec.parser().stopAtPositional(true);
    }

    /** Returns true if {@code args} begin with this command: the program has the standard streams and the exit then. */
    static boolean isIn(String[] args) {
        return args.length > 0 && args[0].equals(NAME);
    }

    @Override
    public Integer call() throws Exception {
        if (Files.isDirectory(file)) {
            throw new InputException(file + ": is a folder; expected a Java program, a file");
        }
        if (!Files.exists(file)) {
            throw new InputException(file + ": there is no such file");
        }
        SingleFileProgram program = SingleFileProgram.compile(file, environment.err());
        return program.run(arguments.toArray(String[]::new)) ? 0 : 1;
    }
}
