package dev.jacquard.components.run;

import dev.jacquard.components.run.RandomProgram.LoopNode;
import dev.jacquard.components.run.RandomProgram.PartNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Runs a random program by what its blocks mean: each item when all that it needs from its block is over. */
final class ProgramOracle {
    private final RandomProgram program;
    private final Map<Integer, List<Long>> values = new HashMap<>();
    private final Map<Integer, Integer> passes = new HashMap<>();
    private final Map<PartNode, Long> again = new HashMap<>();
    final List<Integer> order = new ArrayList<>();
    /** The part that failed; -1 for none. */
    int failed = -1;

    ProgramOracle(RandomProgram program) {
        this.program = program;
        program.parts.forEach(part -> values.put(part.id, new ArrayList<>()));
        run(program.top);
    }

    Map<Integer, List<Long>> values() {
        return values;
    }

    private List<Long> of(PartNode part) {
        return Objects.requireNonNull(values.get(part.id));
    }

    private void run(LoopNode block) {
        Set<Object> over = new HashSet<>();
        while (over.size() < block.items.size() && failed < 0) {
            Object next = block.items.stream()
                    .filter(item -> !over.contains(item) && over.containsAll(needs(item, block)))
                    .min((a, b) -> Integer.compare(rank(a), rank(b)))
                    .orElseThrow();
            if (next instanceof PartNode part) {
                execute(part);
            } else {
                LoopNode loop = (LoopNode) next;
                again.remove(loop.entry());
                do {
                    run(loop);
                } while (failed < 0 && !leaves(loop.exit()));
            }
            over.add(next);
        }
    }

    private boolean leaves(PartNode exit) {
        List<Long> its = of(exit);
        boolean leaves = Mix.leaves(its.getLast(), passes.merge(exit.id, 1, Integer::sum));
        if (leaves) {
            passes.remove(exit.id);
        }
        return leaves;
    }

    private void execute(PartNode part) {
        List<Long> its = of(part);
        long value = Mix.mixed(part.id, its.size());
        for (PartNode read : part.reads) {
            value = Mix.mixed(value, of(read).getLast());
        }
        value = Mix.mixed(value, again.getOrDefault(part, 7L));
        its.add(value);
        order.add(part.id);
        if (its.size() == part.fails) {
            failed = part.id;
        } else if (part.isExit) {
            again.put(part.home.entry(), value);
        }
    }

    /** The first of its parts in the file. */
    private int rank(Object item) {
        return program.parts.stream()
                .filter(part -> isOf(part, item))
                .mapToInt(part -> part.rank)
                .min()
                .orElseThrow();
    }

    private static boolean isOf(PartNode part, Object item) {
        return part == item || (item instanceof LoopNode loop && part.home.isIn(loop));
    }

    /** The items of a block that hold what an item reads. */
    private Set<Object> needs(Object item, LoopNode block) {
        Set<Object> needs = new HashSet<>();
        for (PartNode part : program.parts) {
            if (isOf(part, item)) {
                for (PartNode read : part.reads) {
                    block.items.stream()
                            .filter(other -> other != item && isOf(read, other))
                            .forEach(needs::add);
                }
            }
        }
        return needs;
    }
}
