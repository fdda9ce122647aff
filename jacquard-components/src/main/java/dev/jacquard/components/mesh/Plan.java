package dev.jacquard.components.mesh;

import dev.jacquard.components.component.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A meshed program: its wires, its loops, and what waits for what. Immutable.
 *
 * @param parts in the order of the program file
 * @param wires by the order of the parts with the sinks
 * @param loops in the order in which a serial run enters them first
 * @param blocks what runs in a pass of each loop, by its number; the block of the whole program last
 */
public record Plan(List<Part> parts, List<Wire> wires, List<Loop> loops, List<Block> blocks) {
    private static final int MOST_CYCLES = 5;

    public Plan {
        parts = List.copyOf(parts);
        wires = List.copyOf(wires);
        loops = List.copyOf(loops);
        blocks = List.copyOf(blocks);
    }

    /**
     * Meshes a program.
     *
     * @param parts in the order of the program file, with different names
     * @param plugs the wires that it gives
     * @param errors takes all that is wrong, a text each; if there is something, the plan has no blocks
     */
    public static Plan of(List<Part> parts, List<Plug> plugs, List<String> errors) {
        List<Wire> wires = Mesher.wires(parts, plugs, errors);
        if (!errors.isEmpty()) {
            return new Plan(parts, wires, List.of(), List.of());
        }
        List<Wire> forwards = wires.stream().filter(wire -> !wire.isAgain()).toList();
        Digraph forward = new Digraph(
                parts.size(),
                forwards.stream().mapToInt(Wire::from).toArray(),
                forwards.stream().mapToInt(Wire::to).toArray());
        cycles(parts, forward, errors);
        List<LoopNest.Back> backs = backs(parts, wires, errors);
        if (!errors.isEmpty()) {
            return new Plan(parts, wires, List.of(), List.of());
        }
        LoopNest nest = LoopNest.find(parts, forward, backs, errors);
        return errors.isEmpty()
                ? Assembly.plan(parts, wires, forward, nest, errors)
                : new Plan(parts, wires, List.of(), List.of());
    }

    /** Returns the block of the whole program. */
    public Block top() {
        return blocks.getLast();
    }

    /** Returns the number of the loop that an item of a block is; -1 if it is a part. */
    public int loop(int item) {
        return item < parts.size() ? -1 : item - parts.size();
    }

    private static void cycles(List<Part> parts, Digraph forward, List<String> errors) {
        List<int[]> knots = forward.knots();
        for (int[] knot : knots.subList(0, Math.min(MOST_CYCLES, knots.size()))) {
            String names = forward.cycle(knot[0]).stream()
                    .map(part -> parts.get(part).name())
                    .collect(Collectors.joining(" -> "));
            errors.add(parts.get(knot[0]).where() + ": these components wait for each other: " + names + " -> "
                    + parts.get(knot[0]).name()
                    + "; expected a loop that is closed by a source of its exit, such as 'again' of 'until'"
                    + (knot.length > 2 ? " (" + knot.length + " components lie on such cycles)" : ""));
        }
    }

    private static List<LoopNest.Back> backs(List<Part> parts, List<Wire> wires, List<String> errors) {
        Map<Integer, Map<Integer, String>> entries = new LinkedHashMap<>();
        for (Wire wire : wires) {
            if (wire.isAgain()) {
                entries.computeIfAbsent(wire.from(), exit -> new LinkedHashMap<>())
                        .put(wire.to(), parts.get(wire.to()).name(wire.sink()));
            }
        }
        List<LoopNest.Back> backs = new ArrayList<>();
        for (int exit = 0; exit < parts.size(); exit++) {
            Part part = parts.get(exit);
            Source<?> again =
                    part.sources().stream().filter(Source::isAgain).findFirst().orElse(null);
            Map<Integer, String> its = entries.getOrDefault(exit, Map.of());
            if (again != null && its.isEmpty()) {
                errors.add(part.where() + ": component '" + part.name() + "' closes no loop: its source '"
                        + part.name(again) + "' is plugged to no sink; plug it to the component where its loop begins");
            } else if (its.size() > 1) {
                errors.add(part.where() + ": source '"
                        + part.name(again == null ? part.sources().getFirst() : again)
                        + "' closes a loop, and is plugged to " + String.join(", ", its.values())
                        + "; expected sinks of one component, the loop's entry");
            } else if (!its.isEmpty()) {
                backs.add(new LoopNest.Back(exit, its.keySet().iterator().next()));
            }
        }
        return backs;
    }
}
