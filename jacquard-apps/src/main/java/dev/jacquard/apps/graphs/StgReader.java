package dev.jacquard.apps.graphs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a graph of the Standard Task Graph set: the number n of tasks, then n + 2 lines {@code id time count
 * predecessors…}, of which the first and the last are the entry and the exit and take no time, then notes after a
 * {@code #}.
 *
 * <p>Source: T. Tobita, H. Kasahara, "A standard task graph set for fair evaluation of multiprocessor scheduling
 * algorithms", Journal of Scheduling 5 (2002).
 */
final class StgReader {
    /** The lines of a graph beyond the number of its tasks: entry and exit. */
    private static final int DUMMIES = 2;

    private final LineReader lines;
    private final GraphDraft graph;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    /** By task: the line, and the identifiers of its predecessors. */
    private final List<Integer> lineOf = new ArrayList<>();

    private final List<List<String>> before = new ArrayList<>();

    private StgReader(Path file) {
        this.lines = new LineReader(file);
        this.graph = new GraphDraft(file.toString());
    }

    static GraphFile read(Path file) {
        return new StgReader(file).read();
    }

    private GraphFile read() {
        int wanted = -1;
        int counted = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.line(i).strip();
            if (line.startsWith("#")) {
                break;
            }
            if (line.isEmpty()) {
                continue;
            }
            List<String> words = Arrays.asList(line.split("\\s+", -1));
            if (wanted < 0) {
                if (words.size() != 1) {
                    throw lines.wrong(i, "the number of tasks is missing; expected it alone on the first line");
                }
                wanted = lines.whole(i, "the number of tasks", line, GraphDraft.MOST_TASKS);
                counted = i;
            } else {
                task(i, words);
            }
        }
        if (wanted < 0) {
            throw lines.wrong(0, "the file has no graph; expected the number of tasks, then a line for each");
        }
        if (lineOf.size() != wanted + DUMMIES) {
            throw lines.wrong(
                    counted,
                    "there are " + lineOf.size() + " tasks; expected " + (wanted + DUMMIES) + ", which are the "
                            + wanted + " of this line, an entry and an exit");
        }
        for (int task = 0; task < before.size(); task++) {
            edges(task);
        }
        return graph.build(GraphFile.Unit.OF_FILE, GraphFile.Processors.NONE);
    }

    private void task(int line, List<String> words) {
        int id = lines.whole(line, "the number of a task", words.getFirst(), Integer.MAX_VALUE);
        if (words.size() < 3) {
            throw lines.wrong(
                    line,
                    "task " + id + " has " + words.size()
                            + " values; expected its number, its time, the count of its predecessors and these");
        }
        Integer earlier = numbers.putIfAbsent(id, lineOf.size());
        if (earlier != null) {
            throw lines.wrong(line, "task " + id + " is there a second time, after line " + (lineOf.get(earlier) + 1));
        }
        double time = lines.number(line, "the time of task " + id, words.get(1));
        int count = lines.whole(line, "the count of predecessors of task " + id, words.get(2), GraphDraft.MOST_TASKS);
        if (words.size() != 3 + count) {
            throw lines.wrong(
                    line,
                    "task " + id + " has " + (words.size() - 3) + " predecessors; expected " + count
                            + ", the count before them");
        }
        graph.task(String.valueOf(id), 0, false, time);
        lineOf.add(line);
        before.add(List.copyOf(words.subList(3, words.size())));
    }

    private void edges(int task) {
        int line = lineOf.get(task);
        Set<Integer> known = new HashSet<>();
        for (String word : before.get(task)) {
            int id = lines.whole(line, "a predecessor", word, Integer.MAX_VALUE);
            Integer from = numbers.get(id);
            if (from == null) {
                throw lines.wrong(
                        line,
                        "predecessor " + id + " is no task; expected the number of one of the " + numbers.size()
                                + " tasks of the file");
            }
            if (known.add(from)) {
                graph.edge(from, task, 0);
            }
        }
    }
}
