package dev.jacquard.tools;

import dev.jacquard.engine.model.TimeFile;
import dev.jacquard.memory.device.link.LinkFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code jacquard}: only its subcommands do anything. */
@Command(
        name = "jacquard",
        description = "Runs task graphs on everything a machine has.",
        versionProvider = JacquardCommand.Version.class,
        footer = {
            "",
            "Exit codes: 0 done, 1 the work failed, 2 bad usage or input; 130, 143, 129 stopped by Ctrl-C, TERM, HUP.",
            "",
            "Environment:",
            "  JACQUARD_JAVA_OPTIONS  options of the JVM, such as -Xmx8g",
            "  JACQUARD_JARS          jars with components, separated as in a class path",
            "  JACQUARD_DATA          a folder where files are looked for that are not found here",
            "  JACQUARD_TIMES         the file of learned times, or none",
            "  JACQUARD_MPI           openmpi, mpich, or the path of the library of MPI",
            "  JACQUARD_DEBUG=1       errors show their place in the code",
            "  JACQUARD_JDK           the JDK 25; by default that of JAVA_HOME, or the first that is found",
            "",
            "Try: ./jacquard run examples/stitching.yaml"
        })
final class JacquardCommand implements Runnable {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // the command line fills it before it calls run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** The subcommands, in the order of the help. A new command is added here. */
    private static Map<String, Function<Environment, ?>> subcommands() {
        Map<String, Function<Environment, ?>> all = new LinkedHashMap<>();
        all.put("run", RunCommand::new);
        all.put(JavaCommand.NAME, JavaCommand::new);
        all.put("replay", ReplayCommand::new);
        all.put("simulate", SimulateCommand::new);
        all.put("bench", BenchCommand::new);
        all.put("components", ComponentsCommand::new);
        all.put("graph", GraphCommand::new);
        all.put("profile", ProfileCommand::new);
        all.put("machine", environment -> new MachineCommand(environment, LinkFile.ofUser()));
        all.put("models", environment -> new ModelsCommand(environment, TimeFile.ofUser()));
        all.put("completion", CompletionCommand::new);
        all.put("help", environment -> new CommandLine.HelpCommand());
        return all;
    }

    /**
     * Returns a command line that understands {@code args}. When they begin with a command, or ask for the version, no
     * other command is made: that takes as long as the start of the JVM. Help and completion tell of all.
     */
    static CommandLine commandLine(Environment environment, String... args) {
        CommandLine line = new CommandLine(new JacquardCommand());
        Map<String, Function<Environment, ?>> all = subcommands();
        String first = args.length == 0 ? "" : args[0];
        boolean alone = all.containsKey(first)
                ? !first.equals("help") && !first.equals("completion")
                : first.equals("--version");
        all.forEach((name, command) -> {
            if (!alone || name.equals(first)) {
                line.addSubcommand(command.apply(environment));
            }
        });
        return line;
    }

    /** Reads the version that the build wrote down. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream text = JacquardCommand.class.getResourceAsStream("version.txt")) {
                String version = text == null
                        ? "of unknown version"
                        : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {"jacquard " + version, "Java " + Runtime.version()};
            }
        }
    }
}
