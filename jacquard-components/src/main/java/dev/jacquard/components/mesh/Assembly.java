package dev.jacquard.components.mesh;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.components.mesh.Plan.Loop;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts a plan together when wires and loops are known. */
final class Assembly {
    private final List<Part> parts;
    private final List<Wire> wires;
    private final List<LoopNest.Back> loops;
    /** By loop: the loop around it, or -1. */
    private final int[] parents;
    /** By part: the innermost loop, or -1. */
    private final int[] loopOf;

    private Assembly(List<Part> parts, List<Wire> wires, LoopNest nest) {
        this.parts = parts;
        this.wires = wires;
        this.loops = nest.loops();
        this.parents = IntStream.range(0, loops.size()).map(nest::parent).toArray();
        this.loopOf = IntStream.range(0, parts.size()).map(nest::loopOf).toArray();
    }

    /**
     * Makes the plan.
     *
     * @param errors takes the errors, a text each; the plan has no blocks then
     */
    static Plan plan(List<Part> parts, List<Wire> wires, Digraph forward, LoopNest nest, List<String> errors) {
        Assembly assembly = new Assembly(parts, wires, nest);
        assembly.putWithin(errors);
        List<Block> blocks =
                errors.isEmpty() ? Blocks.of(parts, forward, assembly.parents, assembly.loopOf, errors) : List.of();
        return errors.isEmpty() ? assembly.numbered(blocks) : new Plan(parts, wires, List.of(), List.of());
    }

    // ---- within

    /** Puts parts into the loops that the program names. */
    private void putWithin(List<String> errors) {
        Map<String, Integer> exits = new HashMap<>();
        for (int loop = 0; loop < parents.length; loop++) {
            exits.put(parts.get(loops.get(loop).exit()).name(), loop);
        }
        for (int part = 0; part < parts.size(); part++) {
            String name = parts.get(part).within();
            if (name != null) {
                Integer loop = exits.get(name);
                String wrong = loop == null ? noExit(name, exits) : put(part, loop);
                if (wrong != null) {
                    errors.add(parts.get(part).withinWhere() + ": 'within' of component '"
                            + parts.get(part).name() + "': " + wrong);
                }
            }
        }
    }

    private static String noExit(String name, Map<String, Integer> exits) {
        return "no component '" + name + "' is the exit of a loop"
                + (exits.isEmpty() ? "; there is no loop in the program" : NearestName.hint(name, exits.keySet()));
    }

    /** Puts a part into a loop; with it the outermost loop that it lies in, and that is not around that one. */
    private @Nullable String put(int part, int loop) {
        int moved = -1;
        int its = loopOf[part];
        while (its >= 0 && !isAround(its, loop)) {
            moved = its;
            its = parents[its];
        }
        if (its == loop) {
            return null; // it is there already
        }
        for (int outer = loop; outer >= 0; outer = parents[outer]) {
            LoopNest.Back ends = loops.get(outer);
            if (moves(ends.entry(), part, moved) || moves(ends.exit(), part, moved)) {
                return "it is needed where the loop from '"
                        + parts.get(ends.entry()).name() + "' to '"
                        + parts.get(ends.exit()).name() + "' begins or ends, and cannot be put into one inside of it";
            }
        }
        if (moved >= 0) {
            parents[moved] = loop;
        } else {
            loopOf[part] = loop;
        }
        return null;
    }

    /** Returns true if {@code end} moves with a part, or with a loop. */
    private boolean moves(int end, int part, int loop) {
        return end == part || (loop >= 0 && loopOf[end] >= 0 && isAround(loop, loopOf[end]));
    }

    private boolean isAround(int outer, int inner) {
        int its = inner;
        while (its >= 0 && its != outer) {
            its = parents[its];
        }
        return its == outer;
    }

    // ---- numbers

    /** Numbers the loops in the order in which a serial run enters them first. */
    private Plan numbered(List<Block> blocks) {
        int n = parts.size();
        List<Integer> order = entered(blocks);
        int[] numbers = new int[order.size()];
        for (int i = 0; i < order.size(); i++) {
            numbers[order.get(i)] = i;
        }
        List<List<Integer>> members = new ArrayList<>();
        order.forEach(loop -> members.add(new ArrayList<>()));
        for (int part = 0; part < n; part++) {
            for (int loop = loopOf[part]; loop >= 0; loop = parents[loop]) {
                members.get(numbers[loop]).add(part);
            }
        }
        List<Loop> all = new ArrayList<>();
        List<Block> bodies = new ArrayList<>();
        for (int loop : order) {
            LoopNest.Back ends = loops.get(loop);
            int parent = parents[loop] < 0 ? -1 : numbers[parents[loop]];
            all.add(new Loop(ends.entry(), ends.exit(), parent, members.get(all.size())));
            bodies.add(blocks.get(loop).renumbered(n, numbers));
        }
        bodies.add(blocks.getLast().renumbered(n, numbers));
        return new Plan(parts, wires, all, bodies);
    }

    private List<Integer> entered(List<Block> blocks) {
        List<Integer> order = new ArrayList<>();
        Deque<Integer> open = new ArrayDeque<>(List.of(loops.size()));
        while (!open.isEmpty()) {
            int loop = open.pop();
            if (loop < loops.size()) {
                order.add(loop);
            }
            Block block = blocks.get(loop);
            List<Integer> inner = new ArrayList<>();
            for (int place = 0; place < block.size(); place++) {
                if (block.item(place) >= parts.size()) {
                    inner.add(block.item(place) - parts.size());
                }
            }
            Collections.reverse(inner);
            inner.forEach(open::push);
        }
        return order;
    }
}
