package dev.jacquard.apps.graphs;

import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.plan.WorkGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A graph of tasks with their times, from a file: a Standard Task Graph, the tables of a HEFT example, a WfFormat
 * workflow instance, or a task program.
 *
 * <pre>{@code
 * GraphFile file = GraphFile.read(Path.of("rand0000.stg"));
 * WorkGraph graph = file.on(4);   // for four equal workers
 * }</pre>
 *
 * <p>Immutable.
 */
public final class GraphFile {
    private static final long MOST_BYTES = 256L << 20;

    /**
     * The unit of the times of a file.
     *
     * @param name for users
     * @param nanos the nanoseconds that it stands for; 1,000 where the file does not say
     */
    public record Unit(String name, double nanos) {
        /** Of files that name none, and of the tables that {@link #write} makes. */
        public static final Unit OF_FILE = new Unit("units of the file", 1e3);

        static final Unit SECONDS = new Unit("seconds", 1e9);
        static final Unit MICROS = new Unit("microseconds", 1e3);
    }

    /** @param costs its times: one for all workers, or one for each processor of the file */
    @SuppressWarnings("ArrayRecordComponent") // no tasks are compared
    record Task(String name, int priority, boolean main, double... costs) {}

    record Edge(int from, int to, double size) {}

    /**
     * The processors of a file that has its own, and the times of copies between them.
     *
     * @param startup by both ends
     * @param perUnit by both ends
     */
    @SuppressWarnings("ArrayRecordComponent") // no processors are compared
    record Processors(List<String> names, double[][] startup, double[][] perUnit) {
        /** The file has none: its tasks run on any worker. */
        static final Processors NONE = new Processors(List.of(), new double[0][], new double[0][]);
    }

    private final String file;
    private final Unit unit;
    private final Processors processors;
    private final List<Task> tasks;
    private final List<Edge> edges;

    GraphFile(String file, Unit unit, Processors processors, List<Task> tasks, List<Edge> edges) {
        this.file = file;
        this.unit = unit;
        this.processors = processors;
        this.tasks = List.copyOf(tasks);
        this.edges = List.copyOf(edges);
    }

    /**
     * Reads the graph in {@code file}, whichever format it has.
     *
     * @throws InputException for a file that cannot be used
     */
    public static GraphFile read(Path file) {
        Kind kind = Kind.of(file);
        if (!Files.isRegularFile(file)) {
            throw new InputException(file + (Files.exists(file) ? ": it is no file" : ": there is no such file"));
        }
        if (kind == null) {
            throw new InputException(file + ": no known graph; expected a name that ends in "
                    + String.join(
                            ", ",
                            Arrays.stream(Kind.values()).map(its -> its.ending).toList()));
        }
        requireSize(file);
        return switch (kind) {
            case STG -> StgReader.read(file);
            case HEFT -> HeftReader.read(file);
            case JSON -> ProgramReader.read(file);
        };
    }

    /**
     * Writes a graph with its places as the tables of a HEFT example, files of a folder that exists. Returns the table
     * of the edges, which {@link #read} takes.
     *
     * @param name the begin of the names of the files
     * @throws IllegalArgumentException if tables cannot hold the graph: a task that some place cannot run, an edge
     *     without data, two edges between the same tasks, or a link that takes no time
     */
    public static Path write(WorkGraph graph, Path folder, String name) throws IOException {
        return HeftWriter.write(graph, folder, name);
    }

    /** Refuses files that do not fit into memory. */
    static void requireSize(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new InputException(
                        file + ": it has " + Files.size(file) + " bytes; expected " + MOST_BYTES + " at most");
            }
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the files with graphs in a folder and in the folders below it, in the order of their names.
     *
     * @throws InputException if there is none
     */
    public static List<Path> in(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> graphs = files.filter(file -> Kind.of(file) != null && Files.isRegularFile(file))
                    .sorted()
                    .toList();
            if (graphs.isEmpty()) {
                throw new InputException(
                        folder + ": there is no graph in this folder; expected files with names that" + " end in "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Kind.values())
                                                .map(its -> its.ending)
                                                .toList()));
            }
            return graphs;
        } catch (IOException e) {
            throw new InputException(folder + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private enum Kind {
        STG(".stg"),
        HEFT(HeftReader.CONNECTIVITY),
        JSON(".json");

        private final String ending;

        Kind(String ending) {
            this.ending = ending;
        }

        static @Nullable Kind of(Path file) {
            String name = String.valueOf(file.getFileName());
            return Arrays.stream(values())
                    .filter(kind -> name.endsWith(kind.ending))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Returns the unit of the times. */
    public Unit unit() {
        return unit;
    }

    /** Returns the number of processors that the file describes; 0 where its tasks run on any worker. */
    public int processors() {
        return processors.names.size();
    }

    /** Returns the priorities of the tasks of the graph. */
    public int[] priorities() {
        return tasks.stream().mapToInt(Task::priority).toArray();
    }

    /**
     * Returns the graph for equal workers that share a memory, or for the first of the file's processors.
     *
     * @throws IllegalArgumentException if there are fewer processors
     * @throws InputException if a task can run at none of them
     */
    public WorkGraph on(int workers) {
        boolean own = processors() > 0;
        if (workers < 1 || (own && workers > processors())) {
            throw new IllegalArgumentException(workers + " workers: 1 to " + (own ? processors() : "any number"));
        }
        List<String> places = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            places.add(own ? processors.names.get(i) : "w" + i);
        }
        WorkGraph.Builder graph = new WorkGraph.Builder(places);
        for (int from = 0; own && from < workers; from++) {
            for (int to = 0; to < workers; to++) {
                graph.link(from, to, processors.startup[from][to], processors.perUnit[from][to]);
            }
        }
        double[] speeds = new double[workers];
        Arrays.fill(speeds, 1);
        return built(graph, task -> own ? Arrays.copyOf(task.costs, workers) : costs(task, speeds));
    }

    /**
     * Returns the graph for places of different speeds: a task takes its time of the file, divided by the speed of the
     * place; one for the main thread runs at the first place alone.
     *
     * @param machine the places and the links between them, without tasks
     * @param speeds of all places, each above 0
     * @throws IllegalArgumentException if the file has its own processors, or a speed is not above 0
     * @throws InputException if a task can run at none of the places
     */
    public WorkGraph on(WorkGraph.Builder machine, double... speeds) {
        if (processors() > 0) {
            throw new IllegalArgumentException(file + " has times for its own processors alone");
        }
        for (double speed : speeds) {
            if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a place has the speed " + speed + ": a number above 0");
            }
        }
        return built(machine, task -> costs(task, speeds));
    }

    private WorkGraph built(WorkGraph.Builder graph, Function<Task, double[]> costs) {
        for (Task task : tasks) {
            try {
                graph.task(task.name, costs.apply(task));
            } catch (IllegalArgumentException e) {
                throw new InputException(file + ": " + e.getMessage(), e);
            }
        }
        edges.forEach(edge -> graph.edge(edge.from, edge.to, edge.size));
        return graph.build();
    }

    /** Returns the times of a task of the file; a task for the main thread runs at the first place alone. */
    private static double[] costs(Task task, double... speeds) {
        double[] costs = new double[speeds.length];
        for (int place = 0; place < costs.length; place++) {
            boolean runs = !task.main || place == 0;
            costs[place] = runs ? task.costs[0] / speeds[place] : Double.POSITIVE_INFINITY;
        }
        return costs;
    }
}
