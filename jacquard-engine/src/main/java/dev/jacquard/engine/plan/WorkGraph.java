package dev.jacquard.engine.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A whole graph as a placement sees it: the cost of each task at each place, and the cost of each edge between any two
 * places. Tasks are numbered such that each comes after its predecessors. Immutable.
 *
 * <p>A copy along an edge takes {@code startup + size · perUnit} of the pair of places, 0 within one place, and nothing
 * at all between places that share a memory (both are 0 there).
 *
 * <p>The first place is the host's, for what treats host and devices differently.
 *
 * <p>{@link #bound} is computed once; threads that ask at the same time compute the same number.
 *
 * <p>Source: the expressions thesis, section 3.1.15; the abstract runtime system document, section II-C5.
 */
public final class WorkGraph {
    private static final int[] NONE = {};

    private final String[] names;
    private final String[] places;
    private final double[][] costs;
    private final double[][] startup;
    private final double[][] perUnit;
    private final int[] from;
    private final int[] to;
    private final double[] sizes;
    /** Per task, the numbers of its edges. */
    private final int[][] in;

    private final int[][] out;
    /** No number until it is computed. */
    private volatile double bound = Double.NaN;

    private WorkGraph(Builder built) {
        this.names = built.names.toArray(String[]::new);
        this.places = built.places;
        this.costs = built.costs.toArray(double[][]::new);
        this.startup = built.startup;
        this.perUnit = built.perUnit;
        this.from = Arrays.copyOf(built.from, built.edges);
        this.to = Arrays.copyOf(built.to, built.edges);
        this.sizes = Arrays.copyOf(built.sizes, built.edges);
        this.in = edgesBy(to);
        this.out = edgesBy(from);
    }

    private WorkGraph(WorkGraph other, double[][] costs) {
        this.names = other.names;
        this.places = other.places;
        this.costs = costs;
        this.startup = other.startup;
        this.perUnit = other.perUnit;
        this.from = other.from;
        this.to = other.to;
        this.sizes = other.sizes;
        this.in = other.in;
        this.out = other.out;
    }

    private int[][] edgesBy(int[] ends) {
        int[] counts = new int[names.length];
        for (int end : ends) {
            counts[end]++;
        }
        int[][] all = new int[names.length][];
        for (int task = 0; task < all.length; task++) {
            all[task] = counts[task] == 0 ? NONE : new int[counts[task]];
        }
        for (int edge = ends.length - 1; edge >= 0; edge--) {
            all[ends[edge]][--counts[ends[edge]]] = edge;
        }
        return all;
    }

    /** Returns the number of tasks. */
    public int tasks() {
        return names.length;
    }

    /** Returns the name of a task, for messages. */
    public String name(int task) {
        return names[task];
    }

    /** Returns the number of places. */
    public int places() {
        return places.length;
    }

    /** Returns the name of a place, for messages. */
    public String place(int place) {
        return places[place];
    }

    /** Returns the time of a task at a place; infinite where it cannot run. */
    public double cost(int task, int place) {
        return costs[task][place];
    }

    /** Returns true if the task can run there. */
    public boolean canRun(int task, int place) {
        return costs[task][place] < Double.POSITIVE_INFINITY;
    }

    /** Returns the number of edges. */
    public int edges() {
        return from.length;
    }

    /** Returns the task that an edge begins at. */
    public int from(int edge) {
        return from[edge];
    }

    /** Returns the task that an edge leads to. */
    public int to(int edge) {
        return to[edge];
    }

    /** Returns the amount of data on an edge, in bytes unless the graph's source counts otherwise. */
    public double size(int edge) {
        return sizes[edge];
    }

    /** Returns the edges that lead to a task: an array of the graph, not to be changed. */
    public int[] in(int task) {
        return in[task];
    }

    /** Returns the edges that begin at a task: an array of the graph, not to be changed. */
    public int[] out(int task) {
        return out[task];
    }

    /** Returns the time of the copy along an edge between two places. */
    public double copy(int edge, int fromPlace, int toPlace) {
        return fromPlace == toPlace ? 0 : startup[fromPlace][toPlace] + sizes[edge] * perUnit[fromPlace][toPlace];
    }

    /** Returns the time of an empty copy between two places; 0 within one. */
    public double startup(int fromPlace, int toPlace) {
        return fromPlace == toPlace ? 0 : startup[fromPlace][toPlace];
    }

    /** Returns the time that each unit of an edge's size adds to a copy between two places; 0 within one. */
    public double perUnit(int fromPlace, int toPlace) {
        return fromPlace == toPlace ? 0 : perUnit[fromPlace][toPlace];
    }

    /** Returns a time below which no plan of this graph can be; computed on the first call. */
    public double bound() {
        double known = bound;
        if (Double.isNaN(known)) {
            known = Bounds.of(this);
            bound = known;
        }
        return known;
    }

    /**
     * Returns this graph with other times: each task takes that of this graph, at every place, times its factor.
     *
     * @throws IllegalArgumentException unless there is one factor for each task, finite and 0 or more
     */
    public WorkGraph scaled(double... factors) {
        if (factors.length != tasks()) {
            throw new IllegalArgumentException(factors.length + " factors for " + tasks() + " tasks: one each");
        }
        double[][] scaled = new double[tasks()][];
        for (int task = 0; task < scaled.length; task++) {
            if (!(factors[task] >= 0 && factors[task] < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the factor of task \"" + names[task] + "\" is " + factors[task] + ": a number of 0 or more");
            }
            scaled[task] = costs[task].clone();
            for (int place = 0; place < scaled[task].length; place++) {
                scaled[task][place] *= canRun(task, place) ? factors[task] : 1;
            }
        }
        return new WorkGraph(this, scaled);
    }

    /** Collects a graph. Threads: confined to one. */
    public static final class Builder {
        private final String[] places;
        private final double[][] startup;
        private final double[][] perUnit;
        private final List<String> names = new ArrayList<>();
        private final List<double[]> costs = new ArrayList<>();
        private int[] from = new int[16];
        private int[] to = new int[16];
        private double[] sizes = new double[16];
        private int edges;

        /** Begins a graph for places that share a memory, with no copies between them. */
        public Builder(List<String> places) {
            this.places = places.toArray(String[]::new);
            this.startup = new double[this.places.length][this.places.length];
            this.perUnit = new double[this.places.length][this.places.length];
            if (places.isEmpty()) {
                throw new IllegalArgumentException("a graph needs one place at least");
            }
        }

        /**
         * Sets the time of copies from one place to another.
         *
         * @param startup the time of an empty copy
         * @param perUnit the time that each unit of an edge's size adds
         */
        public Builder link(int fromPlace, int toPlace, double startup, double perUnit) {
            this.startup[fromPlace][toPlace] = time(startup, "the latency from " + places[fromPlace]);
            this.perUnit[fromPlace][toPlace] = time(perUnit, "the time per unit from " + places[fromPlace]);
            return this;
        }

        /**
         * Adds a task; returns its number.
         *
         * @param costs its times at the places, infinite where it cannot run
         * @throws IllegalArgumentException if a time is negative or no number, or the task can run nowhere
         */
        public int task(String name, double... costs) {
            Objects.requireNonNull(name, "name");
            if (costs.length != places.length) {
                throw new IllegalArgumentException("task \"" + name + "\" has " + costs.length + " times for "
                        + places.length + " places: one each");
            }
            boolean runs = false;
            for (int place = 0; place < costs.length; place++) {
                if (!(costs[place] >= 0)) {
                    throw new IllegalArgumentException("task \"" + name + "\" takes " + costs[place] + " on "
                            + places[place] + ": 0 or more, infinite where it cannot run");
                }
                runs |= costs[place] < Double.POSITIVE_INFINITY;
            }
            if (!runs) {
                throw new IllegalArgumentException(
                        "task \"" + name + "\" can run on none of " + String.join(", ", places));
            }
            names.add(name);
            this.costs.add(costs.clone());
            return names.size() - 1;
        }

        /**
         * Adds an edge: {@code to} starts after {@code from} has ended and its data is there. Between two tasks there
         * may be several.
         *
         * @throws IllegalArgumentException unless {@code from < to}, both exist, and the size is 0 or more
         */
        public Builder edge(int fromTask, int toTask, double size) {
            if (fromTask < 0 || fromTask >= toTask || toTask >= names.size()) {
                throw new IllegalArgumentException("an edge from task " + fromTask + " to task " + toTask + " of "
                        + names.size() + ": tasks come after their predecessors");
            }
            if (edges == from.length) {
                from = Arrays.copyOf(from, edges * 2);
                to = Arrays.copyOf(to, edges * 2);
                sizes = Arrays.copyOf(sizes, edges * 2);
            }
            from[edges] = fromTask;
            to[edges] = toTask;
            sizes[edges++] = time(size, "the size of the edge from \"" + names.get(fromTask) + '"');
            return this;
        }

        private static double time(double value, String what) {
            if (!(value >= 0) || value == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(what + " is " + value + ": a number of 0 or more");
            }
            return value;
        }

        /** Returns the graph. */
        public WorkGraph build() {
            return new WorkGraph(this);
        }
    }
}
