package dev.jacquard.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command line that resumes a run, as a shell takes it. */
final class ResumeLine {
    private static final String RESUME = "--resume";
    /** The characters of an argument that no shell changes. */
    private static final Pattern PLAIN = Pattern.compile("[-\\w./:=,+@%]+");

    private ResumeLine() {}

    /**
     * Returns the command line.
     *
     * @param launcher the words of a launcher of ranks before the command; empty for none
     * @param arguments of the run that has left a checkpoint
     */
    static String of(List<String> launcher, List<String> arguments) {
        List<String> words = new ArrayList<>(launcher);
        words.add("./jacquard");
        arguments.forEach(argument -> words.add(quoted(argument)));
        if (!arguments.contains(RESUME)) {
            words.add(RESUME);
        }
        return words.stream().collect(Collectors.joining(" "));
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
