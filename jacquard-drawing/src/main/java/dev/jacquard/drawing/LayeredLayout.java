package dev.jacquard.drawing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places the nodes of a graph in layers, in the manner of Sugiyama, Tagawa and Toda ("Methods for visual understanding
 * of hierarchical system structures", 1981). Links that would close a cycle are set aside. Every node goes one layer
 * after its last predecessor, or one before its first successor when no fewer links leave than reach it. Links over
 * several layers pass through way points. Each layer is ordered so that few links cross, and some sweeps move nodes, in
 * that order and at their distances, as near to the mean of their neighbours as can be.
 *
 * <p>Layers lie one after another in the direction of the links; {@code across} is the coordinate within a layer.
 * Whether that is left to right or top to bottom is the drawing's choice, as is the distance of layers.
 *
 * <p>Takes time in proportion to nodes, links and way points, and a few sorts of each layer per sweep. There are at
 * most {@value #MOST_POINTS} way points: the longest links get none when these do not suffice.
 *
 * <p>Threads: confined while it computes, then safe to read.
 */
public final class LayeredLayout {
    private static final int SHIFTS = 24;
    private static final int MOST_POINTS = 40_000;
    private static final int NO_NODE = -1;
    /** The extra pull of two way points of a link at each other: long links become straight. */
    private static final double STIFFNESS = 6;

    /**
     * A link between two nodes, by index.
     *
     * @param from where it starts
     * @param to where it ends
     */
    public record Link(int from, int to) {}

    /**
     * How much room there must be within a layer.
     *
     * @param gap between two nodes
     * @param point for a link that passes through the layer
     */
    public record Spacing(double gap, double point) {}

    /** A node, or a way point of a link that passes through a layer. */
    public static final class Place {
        final double size;
        final List<Place> before = new ArrayList<>(2);
        final List<Place> behind = new ArrayList<>(2);
        double across;
        double wish;
        /** Its index in its layer; {@link LayerOrder} writes it. */
        int index;

        private final int node;
        private final int layer;

        private Place(int node, int layer, double size) {
            this.node = node;
            this.layer = layer;
            this.size = size;
        }

        /** The index of the node; -1 for a way point. */
        public int node() {
            return node;
        }

        /** Returns true if this is a way point. */
        public boolean isPoint() {
            return node == NO_NODE;
        }

        /** Its layer, from 0. */
        public int layer() {
            return layer;
        }

        /** The coordinate of its middle within the layer. */
        public double across() {
            return across;
        }
    }

    /**
     * The way of a link.
     *
     * @param link the link
     * @param backward whether it was set aside, since it closes a cycle
     * @param places its start, its way points, its end
     */
    public record Route(Link link, boolean backward, List<Place> places) {
        /** The start of the link. */
        public Place from() {
            return places.getFirst();
        }

        /** The end of the link. */
        public Place to() {
            return places.getLast();
        }
    }

    private final Spacing spacing;
    private final Place[] nodes;
    private final List<Route> routes = new ArrayList<>();
    private final List<List<Place>> layers = new ArrayList<>();
    private double extent;

    /**
     * Lays out a graph.
     *
     * @param sizes the extent of each node within its layer
     * @param links the links, by the index of their ends in {@code sizes}
     * @param last a node that goes after all others, or -1
     * @throws IndexOutOfBoundsException when a link leads to no node
     */
    public LayeredLayout(double[] sizes, List<Link> links, int last, Spacing spacing) {
        this.spacing = spacing;
        this.nodes = new Place[sizes.length];
        LinkOrder order = new LinkOrder(sizes.length, links);
        boolean[] backward = order.backward();
        int[] rank = order.ranks(backward);
        order.shorten(rank, backward);
        putBehindAll(last, rank);
        for (int node = 0; node < sizes.length; node++) {
            nodes[node] = new Place(node, rank[node], sizes[node]);
            layer(rank[node]).add(nodes[node]);
        }
        route(links, backward);
        new LayerOrder(layers, spacing.gap()).find();
        for (int sweep = 0; sweep < SHIFTS; sweep++) {
            straighten(sweep % 2 == 0, sweep >= SHIFTS / 3);
        }
        normalize();
    }

    /** The places of each layer in order: nodes and way points. */
    public List<List<Place>> layers() {
        return layers;
    }

    /** The ways of the links, in the order in which these were given. */
    public List<Route> routes() {
        return routes;
    }

    /** The place of a node. */
    public Place place(int node) {
        return nodes[node];
    }

    /** The extent of the largest layer; all nodes lie between 0 and this. */
    public double extent() {
        return extent;
    }

    private static void putBehindAll(int last, int[] rank) {
        if (last != NO_NODE) {
            rank[last] = 1
                    + IntStream.range(0, rank.length)
                            .filter(node -> node != last)
                            .map(node -> rank[node])
                            .max()
                            .orElse(-1);
        }
    }

    /** Short links first, so that way points are spent where they are few. */
    private void route(List<Link> links, boolean[] backward) {
        Integer[] order = IntStream.range(0, links.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt(i -> span(links.get(i))));
        Route[] routed = new Route[links.size()];
        int left = MOST_POINTS;
        for (int i : order) {
            List<Place> places = new ArrayList<>(
                    List.of(nodes[links.get(i).from()], nodes[links.get(i).to()]));
            int points = span(links.get(i)) - 1;
            if (!backward[i] && points <= left) {
                left -= Math.max(0, points);
                lead(places);
            }
            routed[i] = new Route(links.get(i), backward[i], List.copyOf(places));
        }
        routes.addAll(Arrays.asList(routed));
    }

    private int span(Link link) {
        return nodes[link.to()].layer - nodes[link.from()].layer;
    }

    /** Adds the way points between the two ends. */
    private void lead(List<Place> places) {
        Place end = places.getLast();
        for (int layer = places.getFirst().layer + 1; layer < end.layer; layer++) {
            Place point = new Place(NO_NODE, layer, spacing.point());
            layer(layer).add(point);
            join(places.get(places.size() - 2), point);
            places.add(places.size() - 1, point);
        }
        join(places.get(places.size() - 2), end);
    }

    private static void join(Place from, Place to) {
        from.behind.add(to);
        to.before.add(from);
    }

    private List<Place> layer(int index) {
        while (layers.size() <= index) {
            layers.add(new ArrayList<>());
        }
        return layers.get(index);
    }

    private void straighten(boolean forward, boolean bothSides) {
        for (List<Place> layer : forward ? layers : layers.reversed()) {
            for (Place place : layer) {
                List<Place> near = forward ? place.before : place.behind;
                List<Place> far = forward ? place.behind : place.before;
                place.wish = mean(near, bothSides || near.isEmpty() ? far : List.of(), place);
            }
            settle(layer);
        }
    }

    /** The mean place of neighbours; its own when {@code place} has none of them. */
    static double mean(List<Place> some, List<Place> others, Place place) {
        double sum = 0;
        double weight = 0;
        for (List<Place> neighbours : List.of(some, others)) {
            for (Place neighbour : neighbours) {
                double pull = place.isPoint() && neighbour.isPoint() ? STIFFNESS : 1;
                sum += pull * neighbour.across;
                weight += pull;
            }
        }
        return weight == 0 ? place.across : sum / weight;
    }

    /**
     * Moves each place as near to its wish as order and distances allow, in the sense of least squares: neighbours that
     * would overlap join a group, which goes to the mean of its wishes (the pool-adjacent-violators algorithm).
     */
    private void settle(List<Place> layer) {
        int count = layer.size();
        double[] sum = new double[count];
        double[] weight = new double[count];
        int[] first = new int[count];
        double[] offset = new double[count];
        int groups = 0;
        for (int i = 0; i < count; i++) {
            Place place = layer.get(i);
            offset[i] = i == 0 ? 0 : offset[i - 1] + distance(layer.get(i - 1), place);
            weight[groups] = place.isPoint() ? STIFFNESS : 1;
            sum[groups] = weight[groups] * (place.wish - offset[i]);
            first[groups++] = i;
            while (groups > 1 && sum[groups - 2] / weight[groups - 2] > sum[groups - 1] / weight[groups - 1]) {
                groups--;
                sum[groups - 1] += sum[groups];
                weight[groups - 1] += weight[groups];
            }
        }
        for (int group = 0; group < groups; group++) {
            int end = group + 1 < groups ? first[group + 1] : count;
            for (int i = first[group]; i < end; i++) {
                layer.get(i).across = sum[group] / weight[group] + offset[i];
            }
        }
    }

    private double distance(Place left, Place right) {
        return (left.size + right.size) / 2 + spacing.gap();
    }

    private void normalize() {
        double least = Double.MAX_VALUE;
        for (List<Place> layer : layers) {
            if (!layer.isEmpty()) {
                least = Math.min(least, layer.getFirst().across - layer.getFirst().size / 2);
            }
        }
        for (List<Place> layer : layers) {
            for (Place place : layer) {
                place.across -= least;
                extent = Math.max(extent, place.across + place.size / 2);
            }
        }
    }
}
