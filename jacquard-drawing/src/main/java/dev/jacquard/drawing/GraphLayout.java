package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where the tasks and edges of a graph are drawn, top to bottom: a box per task, in layers; the sub-tasks of a refined
 * task in a box of their own layers inside its box. Tasks that no edge touches stand in rows below the others.
 *
 * <p>Of a graph that is larger than the limit, the first tasks are laid out, with the edges among them. Since edges run
 * from earlier to later tasks, nothing that these wait for is missing.
 *
 * <p>Threads: confined while it computes, then safe to read.
 */
final class GraphLayout {
    private static final int TOP_LEVEL = -1;
    private static final double BOX_HEIGHT = 40;
    private static final double STRIP = 40;
    private static final double PADDING = 14;
    private static final double GAP = 22;

    /** Edges between two tasks for one reason. */
    record Line(int from, int to, Kind kind, String label, double shift, List<double[]> passes) {}

    private record Pair(int from, int to) {}

    private final GraphSnapshot graph;
    final int tasks;
    private final double boxWidth;
    private final int[] parent;
    /** Of each task among the tasks that are laid out together. */
    private final int[] position;

    private final List<List<Integer>> members = new ArrayList<>();
    private final List<Map<Pair, List<double[]>>> routes = new ArrayList<>();
    private final double[] width;
    private final double[] height;
    private final double[] x;
    private final double[] y;
    final List<Line> lines = new ArrayList<>();
    /** The number of edges of the graph that are not drawn. */
    int hiddenEdges;

    /**
     * A layout of the first {@code mostTasks} tasks with as many edges as {@code mostLines}, those of later tasks left
     * out.
     */
    GraphLayout(GraphSnapshot graph, int mostTasks, int mostLines) {
        this.graph = graph;
        this.tasks = Math.min(mostTasks, graph.tasks().size());
        this.boxWidth = boxWidth();
        this.parent = new int[tasks];
        this.position = new int[tasks];
        this.width = new double[tasks + 1];
        this.height = new double[tasks + 1];
        this.x = new double[tasks + 1];
        this.y = new double[tasks + 1];
        for (int block = 0; block <= tasks; block++) {
            members.add(new ArrayList<>());
            routes.add(new LinkedHashMap<>());
        }
        for (int task = 0; task < tasks; task++) {
            Task it = graph.tasks().get(task);
            parent[task] = it.hasParent() ? graph.indexOf(it.parent()) : TOP_LEVEL;
            members.get(parent[task] + 1).add(task);
        }
        Map<Pair, Map<Kind, List<String>>> wires = wires(mostLines);
        for (Pair pair : wires.keySet()) {
            Pair siblings = siblings(pair.from(), pair.to());
            routes.get(parent[siblings.from()] + 1).put(siblings, List.of());
        }
        for (int block = tasks; block >= 0; block--) { // sub-tasks are younger: inner blocks first
            place(block);
        }
        for (int task = 0; task < tasks; task++) { // and outer blocks first
            x[task + 1] += left(parent[task]);
            y[task + 1] += top(parent[task]);
        }
        wires.forEach(this::draw);
    }

    double width() {
        return width[0];
    }

    double height() {
        return height[0];
    }

    double x(int task) {
        return x[task + 1];
    }

    double y(int task) {
        return y[task + 1];
    }

    double width(int task) {
        return width[task + 1];
    }

    double height(int task) {
        return height[task + 1];
    }

    boolean isRefined(int task) {
        return !members.get(task + 1).isEmpty();
    }

    /** The second line of a box. */
    static String details(Task task) {
        return "#" + task.id() + (task.hasWeight() ? " · " + Labels.nanos(task.weightNanos()) : "")
                + (task.worker() == Task.NONE ? "" : " · worker " + task.worker());
    }

    /** The task {@code a} or the one around it, and {@code b} or the one around it, that are in the same box. */
    List<Integer> siblingsOf(int a, int b) {
        Pair pair = siblings(a, b);
        return List.of(pair.from(), pair.to());
    }

    private double boxWidth() {
        double widest = 0;
        for (Task task : graph.tasks().subList(0, tasks)) {
            widest = Math.max(
                    widest, Math.max(TextWidth.of(task.name(), 12, true), TextWidth.of(details(task), 10, false)));
        }
        return Math.clamp(widest + 16, 70, 220);
    }

    private Map<Pair, Map<Kind, List<String>>> wires(int most) {
        Map<Pair, Map<Kind, List<String>>> wires = new LinkedHashMap<>();
        for (Edge edge : graph.edges()) {
            Pair pair = new Pair(graph.indexOf(edge.earlier()), graph.indexOf(edge.later()));
            if (pair.to() >= tasks || (wires.size() >= most && !wires.containsKey(pair))) {
                hiddenEdges++;
            } else {
                wires.computeIfAbsent(pair, p -> new TreeMap<>())
                        .computeIfAbsent(edge.kind(), k -> new ArrayList<>())
                        .add(edge.label());
            }
        }
        return wires;
    }

    /**
     * Parents are older than sub-tasks: a box is around no task of a box that is older, so the one in the younger box
     * leaves.
     */
    private Pair siblings(int a, int b) {
        int left = a;
        int right = b;
        while (parent[left] != parent[right]) {
            if (parent[left] > parent[right]) {
                left = parent[left];
            } else {
                right = parent[right];
            }
        }
        return new Pair(left, right);
    }

    private double left(int block) {
        return block == TOP_LEVEL ? 0 : x[block + 1] + PADDING;
    }

    private double top(int block) {
        return block == TOP_LEVEL ? 0 : y[block + 1] + STRIP;
    }

    /** Places the members of a block relative to its inside, and so finds its own size. */
    private void place(int block) {
        List<Integer> inside = members.get(block);
        Map<Pair, List<double[]>> links = routes.get(block);
        Set<Integer> linked = new HashSet<>();
        links.keySet().forEach(pair -> linked.addAll(List.of(pair.from(), pair.to())));
        List<Integer> joined = inside.stream().filter(linked::contains).toList();
        List<Integer> alone =
                inside.stream().filter(task -> !linked.contains(task)).toList();
        double[] size = {0, 0};
        placeJoined(joined, links, size);
        placeAlone(alone, size);
        boolean box = block > 0;
        width[block] = box ? Math.max(boxWidth, size[0] + (inside.isEmpty() ? 0 : 2 * PADDING)) : size[0];
        height[block] = box && inside.isEmpty() ? BOX_HEIGHT : size[1] + (box ? STRIP + PADDING : 0);
    }

    private void placeJoined(List<Integer> joined, Map<Pair, List<double[]>> links, double[] size) {
        for (int i = 0; i < joined.size(); i++) {
            position[joined.get(i)] = i;
        }
        LayeredLayout layout = new LayeredLayout(
                joined.stream().mapToDouble(this::width).toArray(),
                links.keySet().stream()
                        .map(pair -> new LayeredLayout.Link(position[pair.from()], position[pair.to()]))
                        .toList(),
                -1,
                new LayeredLayout.Spacing(GAP, 6));
        double[] tops = tops(layout, joined);
        for (int i = 0; i < joined.size(); i++) {
            int task = joined.get(i);
            LayeredLayout.Place place = layout.place(i);
            double room = tops[2 * place.layer() + 1] - tops[2 * place.layer()];
            x[task + 1] = place.across() - width(task) / 2;
            y[task + 1] = tops[2 * place.layer()] + (room - height(task)) / 2;
        }
        int route = 0;
        for (Map.Entry<Pair, List<double[]>> link : links.entrySet()) {
            link.setValue(passes(layout.routes().get(route++), joined, tops));
        }
        size[0] = layout.extent();
        size[1] = tops.length == 0 ? 0 : tops[tops.length - 1];
    }

    /** The top and bottom of each layer; there is more room between layers where lines go far to the side. */
    private double[] tops(LayeredLayout layout, List<Integer> joined) {
        int layers = layout.layers().size();
        double[] tops = new double[2 * layers];
        double[] shift = new double[layers];
        for (LayeredLayout.Route route : layout.routes()) {
            for (int i = 1; !route.backward() && i < route.places().size(); i++) {
                LayeredLayout.Place from = route.places().get(i - 1);
                double far = Math.abs(route.places().get(i).across() - from.across());
                shift[from.layer()] = Math.max(shift[from.layer()], far);
            }
        }
        double at = 0;
        for (int layer = 0; layer < layers; layer++) {
            double tallest = 0;
            for (LayeredLayout.Place place : layout.layers().get(layer)) {
                tallest = place.isPoint() ? tallest : Math.max(tallest, height(joined.get(place.node())));
            }
            tops[2 * layer] = at;
            tops[2 * layer + 1] = at + tallest;
            at += tallest + Math.clamp(30 + shift[layer] * 0.12, 42, 150);
        }
        return tops;
    }

    /** The vertical pieces of a line, each x, from y, to y; bends join them. */
    private List<double[]> passes(LayeredLayout.Route route, List<Integer> joined, double[] tops) {
        List<double[]> passes = new ArrayList<>();
        for (LayeredLayout.Place place : route.places()) {
            double from = tops[2 * place.layer()];
            double to = tops[2 * place.layer() + 1];
            if (place == route.from()) {
                int task = joined.get(place.node());
                from = y(task) + height(task);
            } else if (place == route.to()) {
                to = y(joined.get(place.node()));
            }
            passes.add(new double[] {place.across(), from, to});
        }
        return passes;
    }

    /** Rows, as wide as what stands above them or as makes the block about twice as wide as high. */
    private void placeAlone(List<Integer> alone, double[] size) {
        double area = 0;
        for (int task : alone) {
            area += (width(task) + GAP) * (height(task) + GAP);
        }
        double right = Math.max(size[0], Math.sqrt(2 * area));
        double top = size[1] == 0 ? 0 : size[1] + 2 * GAP;
        double at = 0;
        double tallest = 0;
        for (int task : alone) {
            if (at > 0 && at + width(task) > right) {
                top += tallest + GAP;
                at = 0;
                tallest = 0;
            }
            x[task + 1] = at;
            y[task + 1] = top;
            at += width(task) + GAP;
            tallest = Math.max(tallest, height(task));
            size[0] = Math.max(size[0], at - GAP);
            size[1] = top + tallest;
        }
    }

    private void draw(Pair pair, Map<Kind, List<String>> kinds) {
        boolean siblings = parent[pair.from()] == parent[pair.to()];
        List<double[]> passes = siblings ? inPicture(pair) : List.of();
        if (passes.isEmpty()) {
            double fromX = x(pair.from()) + width(pair.from()) / 2;
            double toX = x(pair.to()) + width(pair.to()) / 2;
            double bottom = y(pair.from()) + height(pair.from());
            passes = List.of(new double[] {fromX, bottom, bottom}, new double[] {toX, y(pair.to()), y(pair.to())});
        }
        double shift = -4.0 * (kinds.size() - 1);
        for (Map.Entry<Kind, List<String>> kind : kinds.entrySet()) {
            String label = String.join(", ", kind.getValue().stream().distinct().toList());
            lines.add(new Line(pair.from(), pair.to(), kind.getKey(), label, shift, passes));
            shift += 8;
        }
    }

    private List<double[]> inPicture(Pair pair) {
        int block = parent[pair.from()];
        List<double[]> passes = new ArrayList<>();
        for (double[] pass : routes.get(block + 1).getOrDefault(pair, List.of())) {
            passes.add(new double[] {pass[0] + left(block), pass[1] + top(block), pass[2] + top(block)});
        }
        return passes;
    }
}
