package dev.jacquard.apps.replay;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Programs with everything that the format has, from a seed. Confined to one thread. */
public final class RandomPrograms {
    private static final List<AccessMode> MODES = List.of(AccessMode.values());
    private static final int COORDINATES = 10;
    private static final int DEEPEST = 3;
    private static final double MOST_MICROS = 5;

    private final Random random;
    private final List<ResourceSpec> resources = new ArrayList<>();
    private final List<Integer> dimensions = new ArrayList<>();
    private final AccessRights rights;

    private RandomPrograms(long seed) {
        this.random = new Random(seed);
        int roots = 1 + random.nextInt(4);
        for (int i = 0; i < roots; i++) {
            resource("r" + i, null, chance(0.25), 0);
        }
        this.rights = new AccessRights(new ResourceTree(resources));
    }

    /** A program of up to {@code most} tasks, and their sub-tasks. */
    public static TaskProgram of(long seed, int most) {
        RandomPrograms programs = new RandomPrograms(seed);
        int count = 1 + programs.random.nextInt(most);
        return new TaskProgram(programs.resources, programs.level("t", count, 0, null));
    }

    private void resource(String name, @Nullable String parent, boolean unordered, int depth) {
        int its = 1 + random.nextInt(2);
        resources.add(new ResourceSpec(name, parent, chance(0.5) ? its : null, unordered && parent == null));
        dimensions.add(its);
        for (int i = 0; depth < 2 && i < 2; i++) {
            if (chance(0.3)) {
                resource(name + "." + i, name, unordered, depth + 1);
            }
        }
    }

    /** The tasks of one level; {@code held} is what sub-tasks may do, null for tasks of the program. */
    private List<TaskSpec> level(String prefix, int count, int depth, @Nullable List<AccessSpec> held) {
        List<TaskSpec> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> after = new ArrayList<>();
            while (i > 0 && chance(0.1)) {
                after.add(tasks.get(random.nextInt(i)).name());
            }
            tasks.add(task(prefix + i, after.stream().distinct().toList(), depth, held));
        }
        return tasks;
    }

    private TaskSpec task(String name, List<String> after, int depth, @Nullable List<AccessSpec> held) {
        List<AccessSpec> accesses = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            if (held == null) {
                accesses.add(access());
            } else if (!held.isEmpty()) {
                accesses.add(narrowed(held.get(random.nextInt(held.size())), true));
            }
        }
        List<TaskSpec> refine = depth < DEEPEST && chance(0.2)
                ? level(name + ".", 1 + random.nextInt(4), depth + 1, accesses)
                : List.of();
        return new TaskSpec(
                name,
                chance(0.3) ? 0 : random.nextDouble() * MOST_MICROS,
                accesses,
                after,
                flags(),
                random.nextInt(7) - 3,
                chance(0.05),
                refine,
                chance(0.25) ? demotions(accesses, refine) : List.of());
    }

    private Set<TaskFlag> flags() {
        Set<TaskFlag> flags = EnumSet.noneOf(TaskFlag.class);
        if (chance(0.08)) {
            flags.add(TaskFlag.MAIN);
        }
        if (chance(0.04)) {
            flags.add(TaskFlag.SYNCHRONIZING);
        }
        return flags;
    }

    private AccessSpec access() {
        int index = random.nextInt(resources.size());
        AccessMode mode = MODES.get(random.nextInt(MODES.size()));
        return new AccessSpec(resources.get(index).name(), mode, chance(0.4) ? null : box(index));
    }

    private Box box(int resource) {
        return new Box(IntStream.range(0, dimensions.get(resource))
                .mapToObj(i -> part(new Interval(0, COORDINATES - 1)))
                .toList());
    }

    private Interval part(Interval of) {
        long low = of.low() + random.nextInt((int) (of.high() - of.low()) + 1);
        return new Interval(low, low + random.nextInt((int) (of.high() - low) + 1));
    }

    /** What {@code access} covers: a weaker mode, a smaller area, or a part of the resource. */
    private AccessSpec narrowed(AccessSpec access, boolean parts) {
        List<AccessMode> modes = MODES.stream().filter(access.mode()::covers).toList();
        AccessMode mode = chance(0.5) ? access.mode() : modes.get(random.nextInt(modes.size()));
        Box area = access.area();
        if (area != null) {
            Box smaller = chance(0.5)
                    ? area
                    : new Box(area.intervals().stream().map(this::part).toList());
            return new AccessSpec(access.resource(), mode, smaller);
        }
        List<Integer> below = IntStream.range(0, resources.size())
                .filter(i -> resources.get(i).name().equals(access.resource())
                        || (parts && resources.get(i).name().startsWith(access.resource() + ".")))
                .boxed()
                .toList();
        int index = below.get(random.nextInt(below.size()));
        return new AccessSpec(resources.get(index).name(), mode, chance(0.5) ? null : box(index));
    }

    /** Demotions that leave what the sub-tasks need. */
    private List<DemoteSpec> demotions(List<AccessSpec> accesses, List<TaskSpec> refine) {
        List<DemoteSpec> demotions = new ArrayList<>();
        List<AccessSpec> held = accesses;
        double at = 0;
        for (int i = random.nextInt(3); i >= 0 && !held.isEmpty(); i--) {
            AccessSpec to = narrowed(held.get(random.nextInt(held.size())), false);
            Optional<List<AccessSpec>> left = rights.demote(held, to);
            if (left.isPresent() && leavesEnough(left.get(), refine)) {
                at += (1 - at) * random.nextDouble();
                demotions.add(new DemoteSpec(at, to));
                held = left.get();
            }
        }
        return demotions;
    }

    private boolean leavesEnough(List<AccessSpec> held, List<TaskSpec> refine) {
        return refine.stream()
                .flatMap(task -> task.accesses().stream())
                .allMatch(needed -> rights.covers(held, needed));
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }
}
