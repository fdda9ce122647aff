package dev.jacquard.tools;

import picocli.CommandLine.Option;

/** The options that every command has. */
final class Options {
    static final String JSON = "--json";

    @Option(
            names = JSON,
            description = "Print one JSON document on standard output, everything else on standard error.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;
}
