package dev.jacquard.tools;

import dev.jacquard.apps.program.NearestName;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** Guesses which command or option was meant by an argument that is none. */
final class Suggestions {
    private Suggestions() {}

    /** Returns a message for {@code e}: the word that is unknown, and those that may be meant. */
    static String of(UnmatchedArgumentException e) {
        CommandLine command = e.getCommandLine();
        String first = e.getUnmatched().getFirst();
        String of = command.getCommandSpec().qualifiedName();
        if (first.startsWith("-")) {
            List<String> options = command.getCommandSpec().optionsMap().keySet().stream()
                    .filter(name -> name.startsWith("--"))
                    .toList();
            String name = first.split("=", 2)[0];
            return "'" + of + "' has no option '" + name + "'" + meant(name, options);
        }
        List<String> commands = command.getSubcommands().keySet().stream().toList();
        return commands.isEmpty()
                ? "'" + of + "' takes no argument '" + first + "'"
                : "there is no command '" + first + "'" + meant(first, commands);
    }

    private static String meant(String name, List<String> known) {
        Optional<String> begun = known.stream()
                .filter(one -> name.length() > 1 && !name.equals("--") && one.startsWith(name))
                .findFirst();
        return begun.map(one -> "; did you mean '" + one + "'?").orElseGet(() -> NearestName.hint(name, known));
    }
}
