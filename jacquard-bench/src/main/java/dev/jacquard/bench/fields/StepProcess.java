package dev.jacquard.bench.fields;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.rival.Program;
import dev.jacquard.expressions.codegen.Loops;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that runs steps of a problem on one worker: {@code PROBLEM CELLS QUICK}. */
final class StepProcess {
    private static final String RUN = "run";

    private StepProcess() {}

    /** Starts a process, with the options for the JVM that matter. */
    static Program start(StepProblem problem, int cells, boolean isQuick) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-XX:+UseCondCardMark",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED"));
        if (Loops.hasLanes()) {
            command.add("--add-modules=jdk.incubator.vector");
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                StepProcess.class.getName(),
                problem.name(),
                String.valueOf(cells),
                String.valueOf(isQuick)));
        return Program.start("two processes", new ProcessBuilder(command));
    }

    /** Lets a process run the steps of a round; returns the nanoseconds of one. */
    static double run(Program process) throws IOException {
        return Double.parseDouble(process.ask(RUN, "[0-9.]+(E[0-9]+)?"));
    }

    /** The process: answers each line with the nanoseconds of a step. */
    public static void main(String[] args) throws IOException {
        try (StepRuns runs = new StepRuns(
                        StepProblem.valueOf(args[0]),
                        Integer.parseInt(args[1]),
                        1,
                        Boolean.parseBoolean(args[2]),
                        Clock.system());
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Writer answers = new FileWriter(FileDescriptor.out)) { // the pipe to the program that started this one
            answers.append("ready\n").flush();
            while (RUN.equals(in.readLine())) {
                double nanos = runs.run();
                String answer = runs.isRight() ? String.valueOf(nanos) : "wrong: an unknown has left its range";
                answers.append(answer).append('\n').flush();
            }
        }
    }
}
