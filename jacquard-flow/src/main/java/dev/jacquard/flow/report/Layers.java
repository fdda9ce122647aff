package dev.jacquard.flow.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Places the nodes of a graph in layers from left to right, in the manner of Sugiyama, Tagawa and Toda ("Methods for visual
 * understanding of hierarchical system structures", 1981): links that would close a cycle are set aside, every node goes one
 * layer behind its last predecessor, links over several layers pass through way points, and some sweeps put each node at
 * the mean height of its neighbours.
 *
 * <p>Threads: confined.
 */
final class Layers {
    private static final int SWEEPS = 8;

    private final List<Link> links = new ArrayList<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<List<Node>> layers = new ArrayList<>();

    /** A layout of {@code names}; {@code last} goes to the last layer. */
    Layers(List<String> names, List<FlowProfile.Link> flows, String last) {
        names.forEach(name -> nodes.put(name, new Node(name)));
        Set<FlowProfile.Link> back = backward(names, flows);
        for (FlowProfile.Link flow : flows) {
            Node from = node(flow.from());
            Node to = node(flow.to());
            links.add(new Link(flow, back.contains(flow), new ArrayList<>(List.of(from, to))));
        }
        rank(last);
        fill();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sort(sweep % 2 == 0);
        }
    }

    List<List<Node>> layers() {
        return layers;
    }

    List<Link> links() {
        return links;
    }

    Node node(String name) {
        Node found = nodes.get(name);
        if (found == null) {
            throw new IllegalArgumentException("a link leads to \"" + name + "\", which is no node");
        }
        return found;
    }

    /** Depth first from each node: a link to a node that is on the path closes a cycle. */
    private static Set<FlowProfile.Link> backward(List<String> names, List<FlowProfile.Link> flows) {
        Map<String, List<FlowProfile.Link>> out = new HashMap<>();
        flows.forEach(
                flow -> out.computeIfAbsent(flow.from(), n -> new ArrayList<>()).add(flow));
        Set<FlowProfile.Link> back = new HashSet<>();
        Set<String> seen = new HashSet<>();
        Set<String> onPath = new HashSet<>();
        for (String root : names) {
            Deque<String> path = new ArrayDeque<>();
            Map<String, Integer> next = new HashMap<>();
            if (seen.add(root)) {
                path.push(root);
                onPath.add(root);
            }
            while (!path.isEmpty()) {
                String at = path.element();
                List<FlowProfile.Link> choices = out.getOrDefault(at, List.of());
                int choice = next.merge(at, 1, Integer::sum) - 1;
                if (choice >= choices.size()) {
                    onPath.remove(path.pop());
                } else if (onPath.contains(choices.get(choice).to())) {
                    back.add(choices.get(choice));
                } else if (seen.add(choices.get(choice).to())) {
                    path.push(choices.get(choice).to());
                    onPath.add(choices.get(choice).to());
                }
            }
        }
        return back;
    }

    private void rank(String last) {
        boolean changed = true;
        while (changed) { // ends: without the backward links there is no cycle
            changed = false;
            for (Link link : links) {
                if (!link.backward() && link.to().layer <= link.from().layer) {
                    link.to().layer = link.from().layer + 1;
                    changed = true;
                }
            }
        }
        Node end = nodes.get(last);
        if (end != null) {
            end.layer = 1
                    + nodes.values().stream()
                            .filter(node -> node != end)
                            .mapToInt(node -> node.layer)
                            .max()
                            .orElse(0);
        }
    }

    private void fill() {
        for (Node node : nodes.values()) {
            layer(node.layer).add(node);
        }
        for (Link link : links) {
            Node before = link.from();
            for (int layer = link.from().layer + 1; !link.backward() && layer < link.to().layer; layer++) {
                Node point = new Node("");
                point.layer = layer;
                layer(layer).add(point);
                link.path().add(link.path().size() - 1, point);
                join(before, point);
                before = point;
            }
            if (!link.backward()) {
                join(before, link.to());
            }
        }
        layers.forEach(Layers::number);
    }

    private static void join(Node left, Node right) {
        left.neighbours.add(right);
        right.neighbours.add(left);
    }

    private List<Node> layer(int index) {
        while (layers.size() <= index) {
            layers.add(new ArrayList<>());
        }
        return layers.get(index);
    }

    private void sort(boolean rightwards) {
        List<List<Node>> order = rightwards ? layers : layers.reversed();
        for (List<Node> layer : order) {
            for (Node node : layer) {
                int side = node.layer + (rightwards ? -1 : 1);
                node.wish = node.neighbours.stream()
                        .filter(other -> other.layer == side)
                        .mapToDouble(other -> other.place)
                        .average()
                        .orElse(node.place);
            }
            layer.sort(Comparator.comparingDouble(node -> node.wish));
            number(layer);
        }
    }

    /** Places are centred on 0, so that layers of different lengths compare. */
    private static void number(List<Node> layer) {
        for (int i = 0; i < layer.size(); i++) {
            layer.get(i).place = i - (layer.size() - 1) / 2.0;
        }
    }

    /** A node, or, without a name, a way point of a long link. */
    static final class Node {
        final String name;
        final List<Node> neighbours = new ArrayList<>();
        int layer;
        double place;
        double wish;
        double x;
        double y;

        Node(String name) {
            this.name = name;
        }

        boolean isPoint() {
            return name.isEmpty();
        }
    }

    /** A link and the nodes it passes through. */
    record Link(FlowProfile.Link flow, boolean backward, List<Node> path) {
        Node from() {
            return path.getFirst();
        }

        Node to() {
            return path.getLast();
        }
    }
}
