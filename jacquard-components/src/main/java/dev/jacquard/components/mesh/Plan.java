package dev.jacquard.components.mesh;

import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A meshed program: its wires, its loops, and the order of its items. Immutable.
 *
 * @param parts in the order of the program file
 * @param wires by the order of the parts with the sinks
 * @param loops in the order in which a serial run enters them first
 * @param blocks the items that run in a pass of each loop, by its number; the block of the whole program last
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
     * @param unmade the names of parts with sockets that are not known, since something is wrong with them: wires that
     *     may involve one of them are not checked
     * @param plugs the wires that it gives
     * @param errors takes all that is wrong, a text each; if there is something, the plan has no blocks
     */
    public static Plan of(List<Part> parts, List<String> unmade, List<Plug> plugs, List<String> errors) {
        List<Wire> wires = Mesher.wires(parts, unmade, plugs, errors);
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

    /**
     * Returns true if a wire carries values from one item of the program's block to another, or from one pass of an
     * outermost loop to the next.
     */
    public boolean crosses(Wire wire) {
        int from = outermost(wire.from());
        int to = outermost(wire.to());
        if (wire.isAgain()) {
            return from >= 0
                    && loops.get(from).exit() == wire.from()
                    && loops.get(from).entry() == wire.to();
        }
        return from != to || from < 0;
    }

    /** Returns a loop in words: {@code the loop 'a' to 'b'}. */
    public String described(int loop) {
        Loop its = loops.get(loop);
        return "the loop '" + parts.get(its.entry()).name() + "' to '"
                + parts.get(its.exit()).name() + "'";
    }

    /** Returns the outermost loop around a part; -1 if there is none. */
    public int outermost(int part) {
        for (int loop = 0; loop < loops.size(); loop++) {
            if (loops.get(loop).parent() < 0 && loops.get(loop).parts().contains(part)) {
                return loop;
            }
        }
        return -1;
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

    /**
     * A component as it stands in a program: one of the nodes that are meshed.
     *
     * @param name its name in the program
     * @param component the component's name
     * @param where its place in the program file, for messages
     * @param sockets its sinks and sources
     * @param within the exit of the loop into which the program puts it; null if the program says nothing
     * @param withinWhere the place where it says so
     */
    public record Part(
            String name,
            String component,
            String where,
            List<ComponentSocket<?>> sockets,
            @Nullable String within,
            String withinWhere) {
        public Part {
            sockets = List.copyOf(sockets);
        }

        /** Returns the sinks, in their order. */
        public List<Sink<?>> sinks() {
            return sockets.stream()
                    .filter(Sink.class::isInstance)
                    .<Sink<?>>map(socket -> (Sink<?>) socket)
                    .toList();
        }

        /** Returns the sources, in their order. */
        public List<Source<?>> sources() {
            return sockets.stream()
                    .filter(Source.class::isInstance)
                    .<Source<?>>map(socket -> (Source<?>) socket)
                    .toList();
        }

        /** Returns the name of a socket of this part, as files write it: {@code correct.rhs}. */
        public String name(ComponentSocket<?> socket) {
            return name + "." + socket.name();
        }
    }

    /**
     * A wire that a program file gives: {@code correct.again: check.again}.
     *
     * @param sink the sink's name, as written
     * @param source the source's name, as written, or {@link #NONE}
     * @param where its place, for messages
     */
    public record Plug(String sink, String source, String where) {
        /** The word that leaves an optional sink empty. */
        static final String NONE = "none";
    }

    /**
     * A sink that is plugged to a source.
     *
     * @param from the number of the part with the source
     * @param source of that part
     * @param to the number of the part with the sink
     * @param sink of that part
     */
    public record Wire(int from, Source<?> source, int to, Sink<?> sink) {
        /** Returns true if it runs backwards, from a loop's exit to its entry. */
        public boolean isAgain() {
            return source.isAgain();
        }
    }

    /**
     * A loop of a program.
     *
     * @param entry the number of the part that begins each pass
     * @param exit the number of the part that says whether another pass follows
     * @param parent the number of the loop around it; -1 for none
     * @param parts the numbers of all parts that run in it, parts of loops inside of it too, in the order of the
     *     program
     */
    public record Loop(int entry, int exit, int parent, List<Integer> parts) {
        public Loop {
            parts = List.copyOf(parts);
        }
    }

    /**
     * The parts, and loops as wholes, that run once in each pass of a loop, or once in the program. Immutable.
     *
     * <p>An item that is less than the number of parts is that part; another one is the loop with the rest as its
     * number.
     */
    public static final class Block {
        private final int[] items;
        private final int[][] next;
        private final int[] needs;

        Block(int[] items, int[][] next, int[] needs) {
            this.items = items;
            this.next = next;
            this.needs = needs;
        }

        /** Returns the number of its items. */
        public int size() {
            return items.length;
        }

        /** Returns the item at a place of the serial order. */
        public int item(int place) {
            return items[place];
        }

        /** Returns the places of the items that wait for the one at {@code place}. The array is the block's own. */
        public int[] next(int place) {
            return next[place];
        }

        /** Returns the number of items for which the one at {@code place} waits. */
        public int needs(int place) {
            return needs[place];
        }

        /** Returns the same block with other numbers of loops. */
        Block renumbered(int parts, int[] numbers) {
            int[] renumbered = Arrays.stream(items)
                    .map(item -> item < parts ? item : parts + numbers[item - parts])
                    .toArray();
            return new Block(renumbered, next, needs);
        }
    }
}
