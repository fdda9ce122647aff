package dev.jacquard.tools;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;

/** Starts the command line. The only place that ends the process. */
final class Main {
    /** The property of the JDK's log that has the format of its lines. */
    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

    private Main() {}

    /** Runs one command and ends with its exit code. After a Java program threads that it has left go on. */
    public static void main(String[] args) {
        int exitCode = runHere(args);
        LaunchNotes notes = LaunchNotes.ofEnvironment();
        if (notes != null) {
            System.exit(notes.exit(exitCode));
        }
        if (exitCode != 0 || !JavaCommand.isIn(args)) {
            System.exit(exitCode);
        }
    }

    /**
     * Runs one command with the environment of the process. Direct output of code, such as a component of the user's,
     * goes to standard error when the command prints a JSON document, which has standard output for itself.
     */
    static int runHere(String[] args) {
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "jacquard: %5$s%6$s%n"); // a message and its exception, as other lines here
        }
        Environment environment = Environment.ofProcess();
        if (wantsJson(args)) {
            System.setOut(System.err);
        }
        return run(args, environment);
    }

    private static boolean wantsJson(String[] args) {
        return !JavaCommand.isIn(args) && Arrays.asList(args).contains(Subcommand.JSON);
    }

    /**
     * Runs one command; 0 when done, 1 when the work failed, 2 for bad usage or input, 128 and the signal's number when
     * stopped by one.
     */
    static int run(String[] args, Environment environment) {
        FailureHandler failures = new FailureHandler(environment, wantsJson(args));
        CommandLine commands = JacquardCommand.commandLine(environment, args)
                .setOut(environment.out())
                .setErr(environment.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
        try {
            int exitCode = commands.execute(args);
            return environment.out().checkError() ? failures.outputLost(exitCode) : exitCode;
        } catch (OutOfMemoryError e) {
            return failures.outOfMemory(e);
        } finally {
            environment.out().flush();
            environment.err().flush();
        }
    }

    /** A writer for a standard stream, in UTF-8 whatever the locale says: the JSON documents are UTF-8. */
    static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, false, StandardCharsets.UTF_8);
    }
}
