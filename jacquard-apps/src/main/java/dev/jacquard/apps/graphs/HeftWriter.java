package dev.jacquard.apps.graphs;

import dev.jacquard.components.program.WholeFile;
import dev.jacquard.engine.plan.WorkGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * Writes a graph with its places as the tables that {@link HeftReader} reads. Tables have no task that some place
 * cannot run, no edge without data or beside another, and no copy without time; a bandwidth may differ by rounding.
 */
final class HeftWriter {
    private final WorkGraph graph;

    private HeftWriter(WorkGraph graph) {
        this.graph = graph;
        requireNames(graph.tasks(), graph::name, "task");
        requireNames(graph.places(), graph::place, "place");
    }

    static Path write(WorkGraph graph, Path folder, String name) throws IOException {
        HeftWriter writer = new HeftWriter(graph);
        String edges = writer.edges();
        String times = writer.times();
        String bandwidths = writer.bandwidths();
        String startup = bandwidths + writer.startup();
        Path file = folder.resolve(name + HeftReader.CONNECTIVITY);
        WholeFile.write(folder.resolve(name + HeftReader.TIMES), out -> out.write(times));
        WholeFile.write(folder.resolve(name + HeftReader.BANDWIDTHS), out -> out.write(bandwidths));
        WholeFile.write(folder.resolve(name + HeftReader.STARTUP), out -> out.write(startup));
        WholeFile.write(file, out -> out.write(edges));
        return file;
    }

    private static void requireNames(int count, IntFunction<String> names, String what) {
        Set<String> known = new HashSet<>();
        for (int i = 0; i < count; i++) {
            String name = names.apply(i);
            if (!name.equals(name.strip()) || name.isEmpty() || name.matches("(?s).*[,\\r\\n].*") || !known.add(name)) {
                throw new IllegalArgumentException("the name \"" + name + "\" of a " + what
                        + " cannot stand in a table: not empty, not twice, no comma or line end");
            }
        }
    }

    private String edges() {
        double[][] sizes = new double[graph.tasks()][graph.tasks()];
        for (int edge = 0; edge < graph.edges(); edge++) {
            int from = graph.from(edge);
            int to = graph.to(edge);
            if (graph.size(edge) == 0 || sizes[from][to] > 0) {
                throw new IllegalArgumentException("the edge from \"" + graph.name(from) + "\" to \"" + graph.name(to)
                        + "\" has no data, or there is another one: a table has one amount above 0");
            }
            sizes[from][to] = graph.size(edge);
        }
        return table("T", graph.tasks(), graph::name, graph.tasks(), graph::name, task -> to -> sizes[task][to]);
    }

    private String times() {
        return table("TP", graph.tasks(), graph::name, graph.places(), graph::place, task -> place -> {
            if (!graph.canRun(task, place)) {
                throw new IllegalArgumentException("task \"" + graph.name(task) + "\" cannot run on "
                        + graph.place(place) + ": a table has a time for each place");
            }
            return graph.cost(task, place);
        });
    }

    private String bandwidths() {
        return table("P", graph.places(), graph::place, graph.places(), graph::place, from -> to -> {
            double perUnit = graph.perUnit(from, to);
            if (from != to && !(1 / perUnit < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("data from " + graph.place(from) + " to " + graph.place(to)
                        + " takes " + perUnit + " per unit: a table has bandwidths, which are not infinite");
            }
            return from == to ? 0 : 1 / perUnit;
        });
    }

    /** The time of an empty copy, by the place that sends. */
    private String startup() {
        return line("Startup", graph.places(), from -> {
            double time = graph.places() == 1 ? 0 : graph.startup(from, from == 0 ? 1 : 0);
            for (int to = 0; to < graph.places(); to++) {
                if (to != from && graph.startup(from, to) != time) {
                    throw new IllegalArgumentException("empty copies from " + graph.place(from)
                            + " take different times: a table has one for each place that sends");
                }
            }
            return time;
        });
    }

    private static String table(
            String corner,
            int rows,
            IntFunction<String> rowNames,
            int columns,
            IntFunction<String> columnNames,
            IntFunction<IntToDoubleFunction> values) {
        StringBuilder text = new StringBuilder(corner);
        for (int column = 0; column < columns; column++) {
            text.append(',').append(columnNames.apply(column));
        }
        text.append('\n');
        for (int row = 0; row < rows; row++) {
            text.append(line(rowNames.apply(row), columns, values.apply(row)));
        }
        return text.toString();
    }

    private static String line(String name, int columns, IntToDoubleFunction values) {
        StringBuilder text = new StringBuilder(name);
        for (int column = 0; column < columns; column++) {
            double value = values.applyAsDouble(column);
            boolean isWhole = value == Math.rint(value) && value < 1e15;
            text.append(',').append(isWhole ? String.valueOf((long) value) : String.valueOf(value));
        }
        return text.append('\n').toString();
    }
}
