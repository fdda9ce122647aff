package dev.jacquard.engine.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.stream.IntStream;

/** The graphs of 50 tasks of the Standard Task Graph set, with their shortest plans. */
final class Stg {
    static final int[] PROCESSORS = {2, 4, 8, 16};

    private Stg() {}

    /**
     * A graph on a number of processors.
     *
     * @param name of its file
     * @param bound no plan is shorter
     * @param known the length of the shortest plan that is known; equal to {@code bound} in a closed case
     */
    record Case(String name, int processors, double bound, double known) {
        boolean isClosed() {
            return bound == known;
        }

        WorkGraph graph(Path folder) throws IOException {
            return read(Files.readString(folder.resolve("tasks-50").resolve(name)), processors);
        }
    }

    static List<Case> cases(Path folder, int processors) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("optimal/Case50_" + processors + "_OPT.csv"))) {
            String[] columns = line.split(",", -1);
            cases.add(new Case(
                    columns[0].substring(columns[0].indexOf('/') + 1),
                    processors,
                    Double.parseDouble(columns[2]),
                    Double.parseDouble(columns[columns.length - 1])));
        }
        return cases;
    }

    /** Reads {@code n}, then n + 2 tasks as {@code id time count predecessors...}; the rest from # on is a comment. */
    static WorkGraph read(String text, int processors) {
        WorkGraph.Builder builder = new WorkGraph.Builder(
                IntStream.range(0, processors).mapToObj(i -> "P" + i).toList());
        Scanner numbers = new Scanner(text.substring(0, text.indexOf('#')));
        int tasks = numbers.nextInt() + 2;
        for (int i = 0; i < tasks; i++) {
            int task = numbers.nextInt();
            double[] costs = new double[processors];
            Arrays.fill(costs, numbers.nextInt());
            builder.task(Integer.toString(task), costs);
            for (int edges = numbers.nextInt(); edges > 0; edges--) {
                builder.edge(numbers.nextInt(), task, 0);
            }
        }
        return builder.build();
    }
}
