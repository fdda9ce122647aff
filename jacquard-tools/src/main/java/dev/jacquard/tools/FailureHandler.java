package dev.jacquard.tools;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.WorkFailedException;
import dev.jacquard.components.run.ComponentFailedException;
import dev.jacquard.tools.Interrupts.StoppedException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports a failure to the user, and returns its exit code. A message alone for errors of the user or the machine; with
 * the place in the code for errors that can only be ours, or when asked to debug.
 */
final class FailureHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int WORK_FAILED = 1;
    private static final int BAD_INPUT = 2;

    private final Environment environment;
    private final boolean json;
    /** The command line that resumes the run that failed; null if there is none. Confined to the command's thread. */
    private @Nullable String resumeLine;

    FailureHandler(Environment environment, boolean json) {
        this.environment = environment;
        this.json = json;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        tell(textOf(e), BAD_INPUT);
        environment.err().println("Try './" + name + " --help'.");
        debug(e);
        return BAD_INPUT;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        resumeLine = command.getCommand() instanceof Subcommand its ? its.resumeLine() : null;
        for (Throwable cause : e instanceof StoppedException ? List.<Throwable>of() : causes(e)) {
            if (cause instanceof InputException || cause instanceof ImageFormatException) {
                tell(message(cause), BAD_INPUT);
                debug(e);
                return BAD_INPUT;
            }
        }
        if (e instanceof StoppedException stopped) {
            tell(message(e), stopped.exitCode());
            debug(e);
            return stopped.exitCode();
        }
        if (e instanceof ComponentFailedException) {
            tell(message(e), WORK_FAILED);
            debug(e);
            return WORK_FAILED;
        }
        Throwable root = causes(e).getLast();
        if (root instanceof CancellationException || root instanceof InterruptedException) {
            tell(RunCommand.STOPPED, WORK_FAILED);
            debug(e);
        } else if (root instanceof OutOfMemoryError error) {
            return outOfMemory(error);
        } else if (root instanceof IOException || root instanceof WorkFailedException) {
            tell(message(inOwnWords(causes(e))), WORK_FAILED);
            debug(e);
        } else {
            tell("internal error: " + root, WORK_FAILED);
            e.printStackTrace(environment.err());
        }
        return WORK_FAILED;
    }

    /** Returns the exit code of a run that has failed so on all ranks. */
    static int exitCode(Exception e) {
        return switch (e) {
            case StoppedException stopped -> stopped.exitCode();
            case InputException _ -> BAD_INPUT;
            default -> WORK_FAILED;
        };
    }

    /**
     * Results were not written to standard output, or not all of them. A reader that closes a pipe, as {@code head}
     * does, has read enough: that is no failure.
     */
    int outputLost(int exitCode) {
        if (environment.pipe()) {
            return exitCode;
        }
        environment.err().println("jacquard: standard output could not be written; its disk may be full");
        return exitCode == 0 ? WORK_FAILED : exitCode;
    }

    int outOfMemory(OutOfMemoryError e) {
        long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
        tell(
                "out of memory: the heap is limited to " + mebibytes
                        + " MiB; give more with JACQUARD_JAVA_OPTIONS=-Xmx…",
                WORK_FAILED);
        debug(e);
        return WORK_FAILED;
    }

    private void tell(String message, int exitCode) {
        environment.err().println("jacquard: " + message);
        if (resumeLine != null) {
            environment.err().println("jacquard: to resume from the checkpoint: " + resumeLine);
        }
        if (json) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("error", message);
            error.put("exitCode", exitCode);
            if (resumeLine != null) {
                error.put("resume", resumeLine);
            }
            environment.out().print(Report.json(error));
        }
    }

    private void debug(Throwable e) {
        if (environment.debug()) {
            e.printStackTrace(environment.err());
        }
    }

    private static List<Throwable> causes(Throwable e) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = e; cause != null && !causes.contains(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /**
     * Returns the first of {@code causes} with its own message from the system or the work: it names the file, and the
     * system's message below it does not.
     */
    private static Throwable inOwnWords(List<Throwable> causes) {
        return causes.stream()
                .filter(cause -> cause instanceof IOException || cause instanceof WorkFailedException)
                .filter(cause ->
                        cause.getMessage() != null && !cause.getMessage().equals(String.valueOf(cause.getCause())))
                .findFirst()
                .orElse(causes.getLast());
    }

    /** A message that stands alone: messages of the file system are only a file's name. */
    private static String message(Throwable e) {
        String message = e.getMessage();
        if (message == null) {
            return e.toString();
        }
        return e instanceof FileSystemException file && file.getReason() == null
                ? e.getClass().getSimpleName().replace("Exception", "") + ": " + message
                : message;
    }

    private static String textOf(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return suggestion(unmatched);
        }
        boolean isOfHelp = e.getArgSpec() == null && e.getValue() != null; // "help WORD"
        return isOfHelp ? unknownCommand(e.getValue(), e.getCommandLine()) : message(e);
    }

    private static String unknownCommand(String word, CommandLine command) {
        return "there is no command '" + word + "'"
                + meant(word, List.copyOf(command.getSubcommands().keySet()));
    }

    /** Returns a message for {@code e}: the word that is unknown, and the words that may be meant. */
    private static String suggestion(UnmatchedArgumentException e) {
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
        return command.getSubcommands().isEmpty()
                ? "'" + of + "' takes no argument '" + first + "'"
                : unknownCommand(first, command);
    }

    private static String meant(String name, List<String> known) {
        Optional<String> begun = known.stream()
                .filter(one -> name.length() > 1 && !name.equals("--") && one.startsWith(name))
                .findFirst();
        return begun.map(one -> "; did you mean '" + one + "'?").orElseGet(() -> NearestName.hint(name, known));
    }
}
