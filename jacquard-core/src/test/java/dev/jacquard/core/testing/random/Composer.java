package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Components.Loop;
import dev.jacquard.core.testing.random.Components.Part;
import dev.jacquard.core.testing.random.Components.Wiring;
import dev.jacquard.core.testing.random.Composition.Ending;
import dev.jacquard.core.testing.random.Composition.Execution;
import dev.jacquard.core.testing.random.Composition.Rest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Draws the components of a program: a tree of blocks, which hold parts and loops; the executions of that tree, one
 * after the other; which of the program's jobs each of them submits; and wires, of which there are enough that jobs of
 * executions side by side commute. Confined to one thread.
 */
final class Composer {
    private static final int MOST_DEPTH = 2;
    private static final int MOST_PARTS = 14;
    private static final int MOST_PASSES = 3;
    /** A limit of time that does not pass. */
    private static final long MINUTE_MILLIS = 60_000;

    private final Program program;
    private final Conflicts orders;
    private final Dice dice;
    private final List<Block> blocks = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final List<Loop> loops = new ArrayList<>();
    /** By part: the parts whose values it reads. */
    private final List<List<Integer>> reads = new ArrayList<>();
    /** By part: the block that it lies in. */
    private final List<Block> homes = new ArrayList<>();

    /** What runs once in a pass of a loop, or in the program. */
    private static final class Block {
        final int number;
        /** Null for the program. */
        final @Nullable Block around;

        final List<Item> items = new ArrayList<>();
        /** By two items: whether the second waits for the first. */
        boolean[][] waits = {};

        Block(int number, @Nullable Block around) {
            this.number = number;
            this.around = around;
        }

        int exit() {
            return items.getLast().part;
        }

        void wait(int later, int earlier) {
            waits[earlier][later] = true;
            for (int before = 0; before <= earlier; before++) {
                if (before == earlier || waits[before][earlier]) {
                    for (int behind = later; behind < waits.length; behind++) {
                        waits[before][behind] |= behind == later || waits[later][behind];
                    }
                }
            }
        }
    }

    /**
     * An item of a block.
     *
     * @param part -1 for a loop
     * @param body null for a part
     * @param parts all parts inside
     */
    private record Item(int part, @Nullable Block body, List<Integer> parts) {}

    /** The place of an execution in a block. */
    private record Place(int block, int pass, int item) {}

    /** An execution whose jobs are not known yet. */
    private static final class Slot {
        final int part;
        final List<Place> path;
        final List<Job> jobs = new ArrayList<>();
        boolean leaves;

        Slot(int part, List<Place> path) {
            this.part = part;
            this.path = List.copyOf(path);
        }
    }

    private Composer(Program program, Dice dice) {
        this.program = program;
        this.orders = new Conflicts(program);
        this.dice = dice;
    }

    /**
     * Draws the components around some of the jobs of the opener.
     *
     * @param how how they end early
     * @return null when there is nothing to run in them
     */
    static @Nullable Composition draw(Program program, Dice dice, Ending.How how) {
        return new Composer(program, dice).composition(how);
    }

    /** Draws how components end early. */
    static Ending.How ending(Dice dice) {
        return dice.chance(0.55) ? Ending.How.NONE : dice.one(Ending.How.values());
    }

    private @Nullable Composition composition(Ending.How how) {
        List<Job> own = some(program, dice);
        if (own.isEmpty()) {
            return null;
        }
        Block top = block(null, 0, dice.at(5));
        unroll(top, 0, new ArrayList<>(), dice.at(6));
        distribute(own, dice.at(7));
        blocks.forEach(block -> block.waits = new boolean[block.items.size()][block.items.size()]);
        Dice wires = dice.at(8);
        blocks.forEach(block -> wire(block, wires.at(block.number)));
        order(wires.at(1_000));
        blocks.forEach(block -> wireMore(block, wires.at(2_000 + block.number)));
        Ending ending = draw(how, slots.stream().map(slot -> slot.jobs).toList(), dice);
        return new Composition(wiring(ending), executions(), ending);
    }

    /** Draws some jobs of the opener, which follow each other; none when there is nothing to run. */
    static List<Job> some(Program program, Dice dice) {
        List<Job> own =
                program.jobs().stream().filter(job -> job.submitter() == 0).toList();
        int from = dice.at(1).chance(0.5) ? 0 : dice.at(2).below(1 + own.size() / 2);
        int to = own.size() - (dice.at(3).chance(0.5) ? 0 : dice.at(4).below(1 + own.size() / 3));
        return from >= to ? List.of() : own.subList(from, to);
    }

    /** Draws where what submits {@code jobs} ends early. */
    static Ending draw(Ending.How how, List<List<Job>> jobs, Dice dice) {
        int last = dice.at(9).below(jobs.size());
        return new Ending(
                how,
                last,
                dice.at(10).below(1 + jobs.get(last).size()),
                dice.at(11).below(100_000));
    }

    // ---- the tree

    private Block block(@Nullable Block around, int depth, Dice its) {
        Block block = new Block(blocks.size(), around);
        blocks.add(block);
        if (around != null) {
            block.items.add(part(block));
        }
        int count = around == null ? 1 + its.below(6) : its.below(4);
        for (int i = 0; i < count && reads.size() < MOST_PARTS; i++) {
            Dice one = its.at(i);
            block.items.add(depth < MOST_DEPTH && one.chance(0.3) ? loop(block, depth + 1, one.at(1)) : part(block));
        }
        if (around != null) {
            block.items.add(part(block));
            loops.add(new Loop(block.items.getFirst().part, block.exit()));
        }
        return block;
    }

    private Item part(Block block) {
        int number = reads.size();
        reads.add(new ArrayList<>());
        homes.add(block);
        return new Item(number, null, List.of(number));
    }

    private Item loop(Block around, int depth, Dice its) {
        Block body = block(around, depth, its);
        return new Item(
                -1,
                body,
                body.items.stream().flatMap(item -> item.parts.stream()).toList());
    }

    private void unroll(Block block, int pass, List<Place> path, Dice its) {
        for (int i = 0; i < block.items.size(); i++) {
            Item item = block.items.get(i);
            path.add(new Place(block.number, pass, i));
            if (item.body == null) {
                slots.add(new Slot(item.part, path));
            } else {
                int passes = 1 + its.below(MOST_PASSES);
                for (int inner = 0; inner < passes; inner++) {
                    unroll(item.body, inner, path, its);
                }
                slots.getLast().leaves = true;
            }
            path.removeLast();
        }
    }

    private void distribute(List<Job> jobs, Dice its) {
        int[] which = jobs.stream().mapToInt(job -> its.below(slots.size())).toArray();
        Arrays.sort(which);
        for (int i = 0; i < which.length; i++) {
            slots.get(which[i]).jobs.add(jobs.get(i));
        }
    }

    // ---- the order

    /** Gives a loop a path from its entry to its exit, and those inside of it too. */
    private void wire(Block block, Dice its) {
        if (block.around == null) {
            return;
        }
        int last = block.items.size() - 1;
        for (int i = 1; i <= last; i++) {
            Item item = block.items.get(i);
            Dice one = its.at(i);
            int entry = item.body == null ? item.part : item.body.items.getFirst().part;
            int exit = item.body == null ? item.part : item.body.exit();
            if (i == last || item.body != null || one.chance(0.7)) {
                read(entry, block.items.getFirst().part);
            }
            if (i < last && (item.body != null || one.chance(0.7))) {
                read(block.exit(), exit);
            }
        }
    }

    /** Lets later items wait for those with whose jobs theirs do not commute. */
    private void order(Dice its) {
        for (int later = 0; later < slots.size(); later++) {
            for (int earlier = later - 1; earlier >= 0; earlier--) {
                Place one = fork(slots.get(earlier), slots.get(later));
                if (one == null) {
                    continue;
                }
                Block block = blocks.get(one.block);
                int other = slots.get(later).path.get(slots.get(earlier).path.indexOf(one)).item;
                if (!block.waits[one.item][other] && orders.conflict(slots.get(earlier).jobs, slots.get(later).jobs)) {
                    read(one(block.items.get(other), its), one(block.items.get(one.item), its));
                }
            }
        }
    }

    /** Adds wires that need not be. */
    private void wireMore(Block block, Dice its) {
        double share = its.share() * 0.4;
        for (int later = 1; later < block.items.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (its.chance(share)) {
                    read(one(block.items.get(later), its), one(block.items.get(earlier), its));
                }
            }
        }
    }

    private static int one(Item item, Dice its) {
        return item.parts.get(its.below(item.parts.size()));
    }

    private void read(int later, int earlier) {
        if (reads.get(later).contains(earlier)) {
            return;
        }
        reads.get(later).add(earlier);
        for (Block block : blocks) {
            int from = item(block, earlier);
            int to = item(block, later);
            if (from >= 0 && to >= 0 && from != to) {
                block.wait(to, from);
            }
        }
    }

    private static int item(Block block, int part) {
        for (int i = 0; i < block.items.size(); i++) {
            if (block.items.get(i).parts.contains(part)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the place of the earlier one in the pass that both are of, at different items; null for none. */
    private static @Nullable Place fork(Slot earlier, Slot later) {
        for (int i = 0; i < earlier.path.size(); i++) {
            Place one = earlier.path.get(i);
            Place other = later.path.get(i);
            if (one.pass != other.pass) {
                return null;
            }
            if (one.item != other.item) {
                return one;
            }
        }
        throw new IllegalStateException("a part is executed twice in one pass");
    }

    private boolean isBehind(Slot later, Slot earlier) {
        Place one = fork(earlier, later);
        return one == null || blocks.get(one.block).waits[one.item][later.path.get(earlier.path.indexOf(one)).item];
    }

    // ---- what comes of it

    private Wiring wiring(Ending ending) {
        List<Part> parts = new ArrayList<>();
        for (int part = 0; part < reads.size(); part++) {
            Dice its = dice.at(100 + part);
            parts.add(new Part(
                    waits(part, its), List.copyOf(reads.get(part)), within(part, its), limit(part, ending, its)));
        }
        return new Wiring(dice.at(12).next(), dice.at(13).chance(0.75), List.copyOf(parts), List.copyOf(loops));
    }

    private boolean waits(int part, Dice its) {
        return its.chance(0.5)
                || slots.stream()
                        .filter(slot -> slot.part == part)
                        .flatMap(slot -> slot.jobs.stream())
                        .anyMatch(job -> job.kind().waits());
    }

    private long limit(int part, Ending ending, Dice its) {
        boolean lasts = ending.how() == Ending.How.LASTS && slots.get(ending.execution()).part == part;
        return lasts ? 1 + its.at(1).below(10) : its.at(2).chance(0.1) ? MINUTE_MILLIS : 0;
    }

    /** Returns the exit of the loop that a part lies in, where that is to be said. */
    private int within(int part, Dice its) {
        Block home = homes.get(part);
        if (home.around == null) {
            return -1;
        }
        boolean isEnd = home.items.getFirst().part == part || home.exit() == part;
        if (isEnd) { // the wires say it of the loop, and so of the one around it
            return -1;
        }
        boolean said = reads.get(part).contains(home.items.getFirst().part)
                && reads.get(home.exit()).contains(part);
        return !said || its.at(3).chance(0.2) ? home.exit() : -1;
    }

    private List<Execution> executions() {
        Map<Integer, Long> numbers = new HashMap<>();
        List<Execution> all = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            List<Long> values = reads.get(slot.part).stream()
                    .map(read -> numbers.getOrDefault(read, 0L))
                    .toList();
            numbers.merge(slot.part, 1L, Long::sum);
            Set<Integer> behind = new HashSet<>();
            for (int earlier = 0; earlier < i; earlier++) {
                if (isBehind(slot, slots.get(earlier))) {
                    behind.add(earlier);
                }
            }
            Dice its = dice.at(1_000 + i);
            boolean waits = waits(slot.part, dice.at(100 + slot.part));
            all.add(new Execution(
                    slot.part,
                    waits,
                    slot.jobs.stream().map(Job::id).toList(),
                    values,
                    slot.leaves,
                    waits ? rest(program, its) : Rest.NOTHING,
                    its.at(1).chance(0.7),
                    behind.stream().mapToInt(Integer::intValue).sorted().toArray()));
        }
        return List.copyOf(all);
    }

    /** A graph is not over before what comes later, if something waits for that. */
    static Rest rest(Program program, Dice its) {
        Rest rest = its.one(Rest.values());
        boolean awaits = rest == Rest.AWAITS || rest == Rest.AWAITS_SECOND;
        return awaits && program.late() != null ? Rest.JOINS : rest;
    }
}
