package dev.jacquard.tools;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints a script with which a shell completes commands and options. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash and zsh.",
        footer = {
            "",
            "Now:    source <(./jacquard completion)",
            "Always: put that line, with the whole path, into ~/.bashrc"
        })
final class CompletionCommand implements Callable<Integer> {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli writes it
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // the command line fills it before it calls call()
    private CommandSpec spec;

    private final Environment environment;

    CompletionCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        CommandSpec root = spec.root();
        environment.out().print(AutoComplete.bash(root.name(), root.commandLine()));
        return 0;
    }
}
