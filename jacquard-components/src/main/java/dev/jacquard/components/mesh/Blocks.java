package dev.jacquard.components.mesh;

import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.components.mesh.Plan.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cuts a program into blocks: that of the program, and one for each loop. Within a block loops are wholes. */
final class Blocks {
    private final List<Part> parts;
    private final Digraph forward;
    /** By loop: the loop around it, or -1. */
    private final int[] parents;
    /** By part: the innermost loop, or -1. */
    private final int[] loopOf;
    /** By loop, that of the program last. */
    private final List<List<Integer>> items = new ArrayList<>();
    /** By part and loop: the first part of it in the program. */
    private final int[] ranks;
    /** By part and loop: the place among the items of its block. */
    private final int[] local;

    private Blocks(List<Part> parts, Digraph forward, int[] parents, int[] loopOf) {
        this.parts = parts;
        this.forward = forward;
        this.parents = parents;
        this.loopOf = loopOf;
        int n = parts.size();
        ranks = new int[n + parents.length];
        local = new int[n + parents.length];
        Arrays.fill(ranks, Integer.MAX_VALUE);
        for (int i = 0; i <= parents.length; i++) {
            items.add(new ArrayList<>());
        }
        for (int part = 0; part < n; part++) {
            ranks[part] = part;
            add(part, loopOf[part]);
            for (int loop = loopOf[part]; loop >= 0; loop = parents[loop]) {
                ranks[n + loop] = Math.min(ranks[n + loop], part);
            }
        }
        for (int loop = 0; loop < parents.length; loop++) {
            add(n + loop, parents[loop]);
        }
    }

    private void add(int item, int loop) {
        List<Integer> its = items.get(loop < 0 ? parents.length : loop);
        local[item] = its.size();
        its.add(item);
    }

    /**
     * Returns the blocks, by loop; that of the program last.
     *
     * @param forward the wires that close no loop
     * @param errors takes the errors, a text each
     */
    static List<Block> of(List<Part> parts, Digraph forward, int[] parents, int[] loopOf, List<String> errors) {
        return new Blocks(parts, forward, parents, loopOf).make(errors);
    }

    private List<Block> make(List<String> errors) {
        int count = parents.length + 1;
        List<IntStream.Builder> from = new ArrayList<>();
        List<IntStream.Builder> to = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            from.add(IntStream.builder());
            to.add(IntStream.builder());
        }
        int[] depths = depths();
        for (int part = 0; part < parts.size(); part++) {
            for (int later : forward.next(part)) {
                int block = lift(part, later, depths);
                from.get(block).add(lifted[0]);
                to.get(block).add(lifted[1]);
            }
        }
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(block(
                    i,
                    new Digraph(
                            items.get(i).size(),
                            from.get(i).build().toArray(),
                            to.get(i).build().toArray()),
                    errors));
        }
        return blocks;
    }

    private int[] depths() {
        int[] depths = new int[parents.length];
        for (int loop = 0; loop < parents.length; loop++) {
            for (int its = loop; its >= 0; its = parents[its]) {
                depths[loop]++;
            }
        }
        return depths;
    }

    /** The two items of {@link #lift}. */
    private final int[] lifted = new int[2];

    /** Finds the innermost block with two parts, and their places there: in itself, or in the loop that each is in. */
    private int lift(int a, int b, int[] depths) {
        int itemA = a;
        int itemB = b;
        int loopA = loopOf[a];
        int loopB = loopOf[b];
        while (loopA != loopB) {
            if (loopB < 0 || (loopA >= 0 && depths[loopA] >= depths[loopB])) {
                itemA = parts.size() + loopA;
                loopA = parents[loopA];
            } else {
                itemB = parts.size() + loopB;
                loopB = parents[loopB];
            }
        }
        lifted[0] = local[itemA];
        lifted[1] = local[itemB];
        return loopA < 0 ? parents.length : loopA;
    }

    private Block block(int number, Digraph graph, List<String> errors) {
        List<Integer> its = items.get(number);
        int[] order = graph.order(its.stream().mapToInt(item -> ranks[item]).toArray());
        if (order.length < its.size()) {
            errors.add(waitsForItself(its, graph, order));
            return new Block(new int[0], new int[0][], new int[0]);
        }
        int[] places = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            places[order[place]] = place;
        }
        int[][] next = new int[order.length][];
        int[] needs = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            int node = order[place];
            next[place] =
                    Arrays.stream(graph.next(node)).map(later -> places[later]).toArray();
            needs[place] = graph.before(node).length;
        }
        return new Block(Arrays.stream(order).map(its::get).toArray(), next, needs);
    }

    /** Explains a part that is put into a loop and needs the results of this loop by a way around. */
    private String waitsForItself(List<Integer> its, Digraph graph, int[] order) {
        BitSet ordered = new BitSet();
        Arrays.stream(order).forEach(ordered::set);
        List<Integer> cycle = IntStream.range(0, its.size())
                .filter(node -> !ordered.get(node))
                .mapToObj(graph::cycle)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElseThrow();
        String way = cycle.stream().map(node -> described(its.get(node))).collect(Collectors.joining(" -> "));
        return "with the components that 'within' puts into loops, a loop waits for itself: " + way + " -> "
                + described(its.get(cycle.getFirst()))
                + "; put what lies between into the same loop, or take 'within' away";
    }

    private String described(int item) {
        if (item < parts.size()) {
            return parts.get(item).name();
        }
        int loop = item - parts.size();
        String members = IntStream.range(0, parts.size())
                .filter(part -> isWithin(part, loop))
                .limit(12)
                .mapToObj(part -> parts.get(part).name())
                .collect(Collectors.joining(", "));
        return "the loop of " + members;
    }

    private boolean isWithin(int part, int loop) {
        int its = loopOf[part];
        while (its >= 0 && its != loop) {
            its = parents[its];
        }
        return its == loop;
    }
}
