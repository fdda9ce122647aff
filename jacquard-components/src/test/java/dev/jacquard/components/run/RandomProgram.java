package dev.jacquard.components.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A random program of {@link Mix} parts whose loops are known by the way it is made: each block is a list of parts and
 * loops, what comes later reads what comes earlier, all of a loop's body lies between its entry and its exit, and parts
 * hang off. Its {@link #yaml} tells nothing of the loops but the wires that close them.
 */
final class RandomProgram {
    private static final int MOST_PARTS = 40;

    final List<PartNode> parts = new ArrayList<>();
    final LoopNode top = new LoopNode(null, 0);
    private final Random random;

    /** A part: what it reads, and the loop in each of whose passes it runs. */
    static final class PartNode {
        final int id;
        final LoopNode home;
        final List<PartNode> reads = new ArrayList<>();
        boolean isExit;
        boolean isWithin;
        boolean isQuick;
        /** It gives data with its number. */
        boolean givesData;

        int fails;
        /** Its place in the file. */
        int rank;

        PartNode(int id, LoopNode home) {
            this.id = id;
            this.home = home;
        }

        String name() {
            return "p" + id;
        }
    }

    /** A loop, or the whole program. */
    static final class LoopNode {
        final @Nullable LoopNode around;
        final int depth;
        final List<Object> items = new ArrayList<>();

        @Nullable
        PartNode entry;

        @Nullable
        PartNode exit;

        LoopNode(@Nullable LoopNode around, int depth) {
            this.around = around;
            this.depth = depth;
        }

        PartNode entry() {
            return Objects.requireNonNull(entry);
        }

        PartNode exit() {
            return Objects.requireNonNull(exit);
        }

        boolean isIn(LoopNode other) {
            for (LoopNode its = this; its != null; its = its.around) {
                if (its == other) {
                    return true;
                }
            }
            return false;
        }
    }

    RandomProgram(long seed) {
        random = new Random(seed);
        fill(top, new ArrayList<>(), 2 + random.nextInt(6));
        for (int i = random.nextInt(6); i > 0; i--) {
            hangOff();
        }
        List<PartNode> file = new ArrayList<>(parts);
        Collections.shuffle(file, random);
        for (int i = 0; i < file.size(); i++) {
            file.get(i).rank = i;
        }
        giveData(new Random(seed));
        if (random.nextInt(8) == 0) {
            parts.get(random.nextInt(parts.size())).fails = 1 + random.nextInt(3);
        }
    }

    /** Lets some parts give data, in two programs of three; those that read it wait for it. */
    private void giveData(Random choice) {
        int of = choice.nextInt(3);
        for (PartNode part : parts) {
            part.givesData = of > 0 && choice.nextInt(2 + of) == 0;
        }
        for (PartNode part : parts) {
            if (part.reads.stream().anyMatch(read -> read.givesData)) {
                part.isQuick = false;
            }
        }
    }

    private PartNode part(LoopNode home) {
        PartNode part = new PartNode(parts.size(), home);
        part.isQuick = random.nextInt(3) > 0;
        parts.add(part);
        home.items.add(part);
        return part;
    }

    /** Fills a block; what it makes may read {@code seen}, and whatever was made before in the block. */
    private void fill(LoopNode block, List<PartNode> seen, int count) {
        List<PartNode> own = new ArrayList<>();
        if (block != top) {
            PartNode entry = part(block);
            block.entry = entry;
            readSome(entry, seen);
            own.add(entry);
        }
        for (int i = 0; i < count && parts.size() < MOST_PARTS; i++) {
            if (block.depth < 4 && random.nextInt(4) == 0) {
                LoopNode loop = new LoopNode(block, block.depth + 1);
                block.items.add(loop);
                List<PartNode> all = new ArrayList<>(seen);
                all.addAll(own);
                fill(loop, all, random.nextInt(4));
                if (block != top) {
                    loop.entry().reads.add(own.get(random.nextInt(own.size())));
                }
                own.addAll(inside(loop));
            } else {
                PartNode part = part(block);
                if (block != top) {
                    part.reads.add(own.get(random.nextInt(own.size())));
                }
                List<PartNode> all = new ArrayList<>(seen);
                all.addAll(own);
                readSome(part, all);
                own.add(part);
            }
        }
        if (block != top) {
            PartNode exit = part(block);
            exit.isExit = true;
            block.exit = exit;
            for (PartNode part : own) {
                boolean used = own.stream().anyMatch(other -> other.reads.contains(part));
                if (!used || random.nextInt(5) == 0) {
                    exit.reads.add(part);
                }
            }
        }
    }

    /** The parts of a loop with a path to its exit, hence those that later parts may read. */
    private static List<PartNode> inside(LoopNode loop) {
        List<PartNode> all = new ArrayList<>();
        for (Object item : loop.items) {
            if (item instanceof LoopNode inner) {
                all.addAll(inside(inner));
            } else {
                all.add((PartNode) item);
            }
        }
        return all;
    }

    private void readSome(PartNode part, List<PartNode> from) {
        for (int i = random.nextInt(3); i > 0 && !from.isEmpty(); i--) {
            PartNode other = from.get(random.nextInt(from.size()));
            if (!part.reads.contains(other)) {
                part.reads.add(other);
            }
        }
    }

    /** Adds a part that reads what runs in a loop, and lies on no path to the loop's exit. */
    private void hangOff() {
        PartNode first = parts.get(random.nextInt(parts.size()));
        LoopNode home = first.home;
        while (home != top && random.nextInt(3) == 0) {
            home = Objects.requireNonNull(home.around);
        }
        if (random.nextInt(3) == 0) {
            home = top;
        }
        LoopNode its = home;
        List<PartNode> readable =
                parts.stream().filter(other -> other.home.isIn(its)).toList();
        PartNode part = part(home);
        part.isWithin = home != top;
        part.reads.add(first);
        readSome(part, readable);
    }

    /** Returns the same program with a checkpoint behind each pass of an outermost loop, or each second one. */
    String yamlWithCheckpoints(int every) {
        return yaml("none").replaceFirst("components:", "checkpoint: {every: " + every + "}\ncomponents:");
    }

    /** Returns the same program with a limit for the time of each execution, and checkpoints. */
    String yamlWithLimits(double seconds) {
        return yamlWithCheckpoints(1).replace(", run: none", ", run: none, timeLimit: " + seconds);
    }

    String yaml(String run) {
        List<PartNode> file = new ArrayList<>(parts);
        file.sort((a, b) -> Integer.compare(a.rank, b.rank));
        StringBuilder yaml = new StringBuilder("program: random\ncomponents:\n");
        StringBuilder wires = new StringBuilder("wires:\n");
        for (PartNode part : file) {
            yaml.append("  ").append(part.name()).append(": {component: ").append(part.isQuick ? "quick-mix" : "mix");
            yaml.append(", id: ").append(part.id).append(", inputs: ").append(part.reads.size());
            if (!part.reads.isEmpty()) {
                yaml.append(", kinds: ");
                part.reads.forEach(read -> yaml.append(read.givesData ? 'd' : 'n'));
            }
            yaml.append(", data: ").append(part.givesData);
            yaml.append(", exit: ").append(part.isExit).append(", fails: ").append(part.fails);
            yaml.append(", run: ").append(run);
            if (part.isWithin) {
                yaml.append(", within: ").append(part.home.exit().name());
            }
            yaml.append("}\n");
            for (int i = 0; i < part.reads.size(); i++) {
                wires.append(String.format(
                        Locale.ROOT,
                        "  %s.in%d: %s.value\n",
                        part.name(),
                        i,
                        part.reads.get(i).name()));
            }
            if (part.home != top && part.home.entry() == part) {
                wires.append("  %s.back: %s.again\n"
                        .formatted(part.name(), part.home.exit().name()));
            }
        }
        return yaml.append(wires).toString();
    }

    @Override
    public String toString() {
        return parts.stream()
                .map(part -> part.name() + "<-"
                        + part.reads.stream().map(PartNode::name).toList())
                .collect(Collectors.joining(", "));
    }
}
