package dev.jacquard.apps.graphs;

import dev.jacquard.components.program.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a graph with its processors from tables with commas: {@code NAME_task_connectivity.csv} has the amount of data
 * from each task to each other, 0 for no edge; {@code NAME_task_exe_time.csv} the times by task and processor;
 * {@code NAME_resource_BW.csv} the amount of data per unit of time by processors; {@code NAME_resource_BW_startup.csv},
 * which may be absent, the time of an empty copy by the processor that sends. The first line and the first column are
 * names.
 *
 * <p>Source: H. Topcuoglu, S. Hariri, M.-Y. Wu, "Performance-effective and low-complexity task scheduling for
 * heterogeneous computing", IEEE TPDS 13(3), 2002.
 */
final class HeftReader {
    static final String CONNECTIVITY = "_task_connectivity.csv";
    static final String TIMES = "_task_exe_time.csv";
    static final String BANDWIDTHS = "_resource_BW.csv";
    static final String STARTUP = "_resource_BW_startup.csv";
    private static final int MOST_ROWS = 10_000;

    private final Path file;
    private final GraphDraft graph;

    private HeftReader(Path file) {
        this.file = file;
        this.graph = new GraphDraft(file.toString());
    }

    static GraphFile read(Path file) {
        return new HeftReader(file).read();
    }

    /** A table with named rows and columns. */
    private record Table(LineReader lines, List<Integer> rows, List<String> names, List<String> columns) {
        double[] row(int row) {
            int line = rows.get(row);
            List<String> cells = lines.cells(line);
            double[] values = new double[columns.size()];
            for (int column = 0; column < values.length; column++) {
                String what = "the value of \"" + names.get(row) + "\" and \"" + columns.get(column) + '"';
                values[column] = lines.number(line, what, cells.get(column + 1));
            }
            return values;
        }

        InputException wrong(int row, String fault) {
            return lines.wrong(rows.get(row), fault);
        }
    }

    private GraphFile read() {
        Table edges = table(file);
        Table times = table(other(TIMES));
        Table bandwidths = table(other(BANDWIDTHS));
        requireSquare(edges, "task");
        requireSquare(bandwidths, "processor");
        int tasks = edges.names.size();
        int processors = bandwidths.names.size();
        if (times.names.size() != tasks || times.columns.size() != processors) {
            throw times.lines.wrong(
                    0,
                    "there are times of " + times.names.size() + " tasks on " + times.columns.size()
                            + " processors; expected " + tasks + " tasks, as in " + file.getFileName() + ", on "
                            + processors + " processors, as in "
                            + other(BANDWIDTHS).getFileName());
        }
        for (int task = 0; task < tasks; task++) {
            graph.task(edges.names.get(task), 0, false, times.row(task));
        }
        for (int from = 0; from < tasks; from++) {
            double[] sizes = edges.row(from);
            for (int to = 0; to < tasks; to++) {
                if (sizes[to] > 0) {
                    graph.edge(from, to, sizes[to]);
                }
            }
        }
        return graph.build(GraphFile.Unit.OF_FILE, processors(bandwidths));
    }

    private GraphFile.Processors processors(Table bandwidths) {
        int count = bandwidths.names.size();
        double[] startups = startups(count);
        double[][] startup = new double[count][count];
        double[][] perUnit = new double[count][count];
        for (int from = 0; from < count; from++) {
            double[] row = bandwidths.row(from);
            for (int to = 0; to < count; to++) {
                if (from != to && row[to] == 0) {
                    throw bandwidths.wrong(
                            from,
                            "the bandwidth from \"" + bandwidths.names.get(from) + "\" to \"" + bandwidths.names.get(to)
                                    + "\" is 0; expected a number above 0");
                }
                startup[from][to] = from == to ? 0 : startups[from];
                perUnit[from][to] = from == to ? 0 : 1 / row[to];
            }
        }
        return new GraphFile.Processors(bandwidths.names, startup, perUnit);
    }

    /** The table has the processors as columns, and one line. */
    private double[] startups(int count) {
        double[] startups = new double[count];
        if (!Files.exists(other(STARTUP))) {
            return startups;
        }
        LineReader lines = new LineReader(other(STARTUP));
        for (int line = 0; line < lines.size(); line++) {
            List<String> cells = lines.cells(line);
            if (!cells.getFirst().equalsIgnoreCase("startup")) {
                continue;
            }
            if (cells.size() != count + 1) {
                throw lines.wrong(
                        line,
                        "there are " + (cells.size() - 1) + " times; expected one for each of " + count
                                + " processors");
            }
            for (int i = 0; i < count; i++) {
                startups[i] = lines.number(line, "the time of an empty copy", cells.get(i + 1));
            }
            return startups;
        }
        throw lines.wrong(0, "there is no line \"Startup,…\"; expected one with a time for each processor");
    }

    private Path other(String ending) {
        String name = String.valueOf(file.getFileName());
        return file.resolveSibling(name.substring(0, name.length() - CONNECTIVITY.length()) + ending);
    }

    private static Table table(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new InputException(file + ": there is no such file, which belongs to the graph");
        }
        GraphFile.requireSize(file);
        LineReader lines = new LineReader(file);
        if (lines.size() == 0) {
            throw new InputException(file + ": it is empty; expected a table with commas");
        }
        List<String> head = lines.cells(0);
        List<Integer> rows = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int line = 1; line < lines.size(); line++) {
            if (lines.line(line).isBlank()) {
                continue;
            }
            List<String> cells = lines.cells(line);
            if (cells.size() != head.size()) {
                throw lines.wrong(
                        line,
                        "\"" + cells.getFirst() + "\" has " + (cells.size() - 1) + " values; expected "
                                + (head.size() - 1) + ", as the first line has names");
            }
            rows.add(line);
            names.add(cells.getFirst());
            if (rows.size() > MOST_ROWS) {
                throw lines.wrong(line, "there are more than " + MOST_ROWS + " lines");
            }
        }
        return new Table(lines, rows, names, head.subList(1, head.size()));
    }

    private static void requireSquare(Table table, String what) {
        if (!table.names.equals(table.columns)) {
            throw table.lines.wrong(
                    0,
                    "the columns are " + table.columns + " and the lines " + table.names + "; expected each " + what
                            + " as a column and as a line, in one order");
        }
    }
}
