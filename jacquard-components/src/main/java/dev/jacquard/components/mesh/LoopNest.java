package dev.jacquard.components.mesh;

import dev.jacquard.components.mesh.Plan.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops of a program, and which lies in which. With the wires that close loops the parts of an outermost loop
 * are one strongly connected component of the graph; without the wire that closes that loop, the rest of it falls into
 * the components of the loops inside. So each level of nesting takes linear time.
 *
 * <p>Source: seed of the component front, section 5.3.5, "serial mode", where cycles are enumerated instead.
 */
final class LoopNest {
    private static final int MOST_NAMES = 12;

    private final List<Part> parts;
    private final Digraph forward;
    private final List<Back> backs;
    private final List<String> errors;

    /** The loops found, outer ones first. */
    private final List<Back> loops = new ArrayList<>();

    private final List<Integer> parents = new ArrayList<>();
    /** The innermost loop of each part; -1 for none. */
    private final int[] loopOf;
    /** The number of each part among the parts that are looked at; -1 of the others. */
    private final int[] local;

    /**
     * A wire that closes a loop.
     *
     * @param exit the number of a part
     * @param entry the number of another
     */
    record Back(int exit, int entry) {}

    /** Parts that are strongly connected, and the loop that they lie in; -1 for none. */
    private record Knot(int[] nodes, int parent, List<Back> backs) {}

    private LoopNest(List<Part> parts, Digraph forward, List<Back> backs, List<String> errors) {
        this.parts = parts;
        this.forward = forward;
        this.backs = backs;
        this.errors = errors;
        this.loopOf = new int[parts.size()];
        Arrays.fill(loopOf, -1);
        this.local = loopOf.clone();
    }

    /**
     * Finds the loops.
     *
     * @param forward the wires that close no loop; without a cycle
     * @param backs the wires that close one, one for each exit
     * @param errors takes the errors, a text each
     */
    static LoopNest find(List<Part> parts, Digraph forward, List<Back> backs, List<String> errors) {
        LoopNest nest = new LoopNest(parts, forward, backs, errors);
        nest.find();
        return nest;
    }

    /** Returns the loops' exits and entries, outer ones before inner ones. */
    List<Back> loops() {
        return loops;
    }

    /** Returns the loop around a loop, or -1. */
    int parent(int loop) {
        return parents.get(loop);
    }

    /** Returns the innermost loop of a part, or -1. */
    int loopOf(int part) {
        return loopOf[part];
    }

    private void find() {
        Deque<Knot> open = new ArrayDeque<>();
        int[] all = IntStream.range(0, parts.size()).toArray();
        split(new Knot(all, -1, backs), open);
        while (!open.isEmpty() && errors.isEmpty()) {
            Knot knot = open.remove();
            Back outermost = outermost(knot);
            if (outermost == null) {
                errors.add(tangled(knot));
                return;
            }
            int loop = loops.size();
            loops.add(outermost);
            parents.add(knot.parent);
            for (int node : knot.nodes) {
                loopOf[node] = loop;
            }
            List<Back> inner = new ArrayList<>(knot.backs);
            inner.remove(outermost);
            split(new Knot(knot.nodes, loop, inner), open);
        }
    }

    /** Adds the strongly connected components of some parts, and tells the loops that are in none. */
    private void split(Knot whole, Deque<Knot> open) {
        for (int i = 0; i < whole.nodes.length; i++) {
            local[whole.nodes[i]] = i;
        }
        Digraph graph = within(whole);
        int[] knotOf = new int[whole.nodes.length];
        List<int[]> knots = graph.knots();
        List<List<Back>> inside = new ArrayList<>();
        for (int k = 0; k < knots.size(); k++) {
            inside.add(new ArrayList<>());
            for (int node : knots.get(k)) {
                knotOf[node] = k + 1;
            }
        }
        for (Back back : whole.backs) {
            int knot = knotOf[local[back.exit]];
            if (knot == 0 || knot != knotOf[local[back.entry]]) {
                errors.add(closesNothing(back));
            } else {
                inside.get(knot - 1).add(back);
            }
        }
        for (int node : whole.nodes) {
            local[node] = -1;
        }
        for (int k = 0; k < knots.size(); k++) {
            int[] nodes =
                    Arrays.stream(knots.get(k)).map(node -> whole.nodes[node]).toArray();
            open.add(new Knot(nodes, whole.parent, inside.get(k)));
        }
    }

    /** Returns the wires among some parts, by their local numbers. */
    private Digraph within(Knot whole) {
        IntStream.Builder from = IntStream.builder();
        IntStream.Builder to = IntStream.builder();
        for (int node : whole.nodes) {
            for (int later : forward.next(node)) {
                if (local[later] >= 0) {
                    from.add(local[node]);
                    to.add(local[later]);
                }
            }
        }
        for (Back back : whole.backs) {
            from.add(local[back.exit]);
            to.add(local[back.entry]);
        }
        return new Digraph(
                whole.nodes.length, from.build().toArray(), to.build().toArray());
    }

    /** Returns the loop with the whole knot as its body: all paths begin at its entry and end at its exit. */
    private @Nullable Back outermost(Knot knot) {
        BitSet nodes = new BitSet();
        Arrays.stream(knot.nodes).forEach(nodes::set);
        int[] first = Arrays.stream(knot.nodes)
                .filter(node -> Arrays.stream(forward.before(node)).noneMatch(nodes::get))
                .toArray();
        int[] last = Arrays.stream(knot.nodes)
                .filter(node -> Arrays.stream(forward.next(node)).noneMatch(nodes::get))
                .toArray();
        if (first.length != 1 || last.length != 1) {
            return null;
        }
        Back whole = new Back(last[0], first[0]);
        return knot.backs.contains(whole) ? whole : null;
    }

    // ---- errors

    private String closesNothing(Back back) {
        return parts.get(back.exit).where() + ": component '" + name(back.exit)
                + "' closes no loop: no path leads from '" + name(back.entry) + "', where it is to begin again, to '"
                + name(back.exit) + "'";
    }

    /** Explains loops that do not nest, by the first two of them. */
    private String tangled(Knot knot) {
        List<BitSet> bodies = knot.backs.stream().map(this::body).toList();
        for (int i = 0; i < bodies.size(); i++) {
            if (bodies.get(i).isEmpty()) {
                return closesNothing(knot.backs.get(i));
            }
        }
        for (int i = 0; i < bodies.size(); i++) {
            for (int j = i + 1; j < bodies.size(); j++) {
                BitSet both = (BitSet) bodies.get(i).clone();
                both.and(bodies.get(j));
                if (!both.isEmpty() && !both.equals(bodies.get(i)) && !both.equals(bodies.get(j))) {
                    return "the bodies of two loops overlap, but neither lies in the other: "
                            + described(knot.backs.get(i), bodies.get(i)) + "; "
                            + described(knot.backs.get(j), bodies.get(j)) + "; both have " + names(both);
                }
            }
        }
        return needEachOther(knot, bodies);
    }

    /** Explains loops side by side of which each waits for the other. */
    private String needEachOther(Knot knot, List<BitSet> bodies) {
        for (int i = 0; i < bodies.size(); i++) {
            BitSet from = forward.reached(knot.backs.get(i).entry, false);
            for (int j = i + 1; j < bodies.size(); j++) {
                BitSet to = forward.reached(knot.backs.get(j).entry, false);
                if (!bodies.get(i).intersects(bodies.get(j))
                        && from.intersects(bodies.get(j))
                        && to.intersects(bodies.get(i))) {
                    return "each of two loops needs something from the body of the other: "
                            + described(knot.backs.get(i), bodies.get(i)) + "; "
                            + described(knot.backs.get(j), bodies.get(j));
                }
            }
        }
        return "these loops need each other's values, and none lies in another: "
                + IntStream.range(0, bodies.size())
                        .mapToObj(i -> described(knot.backs.get(i), bodies.get(i)))
                        .collect(Collectors.joining("; "));
    }

    /** Returns the parts on the paths from a loop's entry to its exit. */
    private BitSet body(Back back) {
        BitSet body = forward.reached(back.entry, false);
        body.and(forward.reached(back.exit, true));
        return body;
    }

    private String described(Back back, BitSet body) {
        return "the loop from '" + name(back.entry) + "' to '" + name(back.exit) + "' with " + names(body);
    }

    private String names(BitSet some) {
        String names = some.stream().limit(MOST_NAMES).mapToObj(this::name).collect(Collectors.joining(", "));
        int more = some.cardinality() - MOST_NAMES;
        return more > 0 ? names + " and " + more + " more" : names;
    }

    private String name(int part) {
        return parts.get(part).name();
    }
}
