package dev.jacquard.tools;

import dev.jacquard.memory.device.link.LinkFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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

    /** Every subcommand, in the order of the help. A new command is added here. */
    static CommandLine commandLine(Environment environment) {
        return new CommandLine(new JacquardCommand())
                .addSubcommand(new RunCommand(environment))
                .addSubcommand(new ReplayCommand(environment))
                .addSubcommand(new BenchCommand(environment))
                .addSubcommand(new ComponentsCommand(environment))
                .addSubcommand(new MachineCommand(environment, LinkFile.ofUser()))
                .addSubcommand(new CompletionCommand(environment))
                .addSubcommand(new CommandLine.HelpCommand());
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
