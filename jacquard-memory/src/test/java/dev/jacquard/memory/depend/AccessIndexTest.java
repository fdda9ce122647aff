package dev.jacquard.memory.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AccessTable.Kind;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessIndexTest {
    private static final AccessTable TABLE = AccessTable.of(
            List.of(
                    new Kind("fill", true, true),
                    new Kind("read", true, false),
                    new Kind("view", true, false),
                    new Kind("none", false, false)),
            new boolean[][] {
                {false, true, false, false},
                {true, false, false, false},
                {false, false, false, false},
                {false, false, false, false}
            });

    private static final List<Mode> MODES = List.of(Mode.values());

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "5, false", "1, true", "2, true", "3, true"})
    void linksLikeOneThatAsksEveryAccess(int dimensions, boolean real) {
        for (long seed = 0; seed < 25; seed++) {
            new Trial(seed, dimensions, real).run(400);
        }
    }

    /** One sequence on a tracker and on its model. */
    private static final class Trial {
        private final long seed;
        private final Random random;
        private final RandomAreas areas;
        /** How many of a hundred tasks access the whole resource. */
        private final int wholes;

        /** How many of a hundred tasks access keys. */
        private final int keyed;

        private final AccessTracker<ModelTask> tracker = new AccessTracker<>();
        private final PlainTracker plain = new PlainTracker();
        private final ModelTask.Links links = new ModelTask.Links();
        private final ModelTask.Links expected = new ModelTask.Links();
        private final List<PlainTracker.Entry> submitted = new ArrayList<>();
        private int tasks;

        Trial(long seed, int dimensions, boolean real) {
            this.seed = seed;
            random = new Random(seed);
            areas = new RandomAreas(random, dimensions, real);
            wholes = new int[] {0, 1, 20, 100}[random.nextInt(4)];
            keyed = new int[] {0, 10, 95}[random.nextInt(3)];
        }

        void run(int steps) {
            int ends = random.nextInt(1, 60);
            for (int step = 0; step < steps; step++) {
                String at = "seed " + seed + ", step " + step;
                int what = random.nextInt(100);
                if (what < ends && !submitted.isEmpty()) {
                    ModelTask task = pick().task();
                    task.failed |= !task.over && random.nextInt(10) == 0;
                    if (task.failed && !task.over) {
                        leavePoison(task);
                    }
                    task.over = true;
                } else if (what < ends + 5 && !submitted.isEmpty()) {
                    demote();
                } else {
                    submit(at);
                }
                if (step % 20 == 0) {
                    assertEquals(texts(plain.live()), texts(live()), at);
                }
            }
        }

        private void submit(String at) {
            ModelTask task = new ModelTask(tasks++);
            int accesses = random.nextInt(8) == 0 ? 2 : 1;
            for (int i = 0; i < accesses; i++) {
                Access access = access();
                plain.submit(task, access, expected);
                tracker.submit(task, access, links);
                submitted.add(new PlainTracker.Entry(task, access));
                assertEquals(expected.take(), links.take(), () -> at + ", " + task + " with " + access);
            }
        }

        /** Of a task that failed the tracker keeps less than of one that is live; here that is the task itself. */
        private void leavePoison(ModelTask task) {
            for (PlainTracker.Entry entry : submitted) {
                if (entry.task() == task) {
                    tracker.replace(task, entry.access(), task);
                }
            }
        }

        private void demote() {
            PlainTracker.Entry entry = pick();
            if (entry.task().over) {
                return;
            }
            Access to = random.nextBoolean() ? Access.none() : access();
            if (entry.access().covers(to)) {
                plain.demote(entry.task(), entry.access(), to);
                tracker.demote(entry.task(), entry.access(), to, links);
                submitted.add(new PlainTracker.Entry(entry.task(), to));
            }
        }

        private PlainTracker.Entry pick() {
            int newest = Math.min(submitted.size(), 200);
            return submitted.get(submitted.size() - 1 - random.nextInt(newest));
        }

        private Access access() {
            if (keyed > random.nextInt(100)) {
                return new Keyed(
                        random.ints(random.nextInt(4), 0, 100).boxed().collect(Collectors.toSet()),
                        random.nextBoolean());
            }
            Access kind = kind();
            return random.nextInt(100) < wholes ? kind : new AreaAccess(kind, areas.draw());
        }

        private Access kind() {
            return switch (random.nextInt(20)) {
                case 0 -> TABLE.entries().get(random.nextInt(4));
                case 1 -> TABLE.entry("fill");
                case 2 -> new Stranger(random.nextBoolean());
                default -> MODES.get(random.nextInt(MODES.size()));
            };
        }

        private List<PlainTracker.Entry> live() {
            List<PlainTracker.Entry> live = new ArrayList<>();
            tracker.each((task, access) -> {
                if (!task.isForgotten(access.writes())) {
                    live.add(new PlainTracker.Entry(task, access));
                }
            });
            return live;
        }

        private static List<String> texts(List<PlainTracker.Entry> entries) {
            return entries.stream().map(PlainTracker.Entry::toString).sorted().toList();
        }
    }

    /** A kind that nobody knows; each is one of its own. */
    private record Stranger(boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return Mode.ofStranger(this).conflictsWith(earlier);
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(this).covers(other);
        }

        @Override
        public boolean reads() {
            return true;
        }
    }

    /** An access to some keys; to any part when there are none. */
    private record Keyed(Set<Integer> keys, boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return Mode.ofStranger(this).conflictsWith(earlier)
                    && !(earlier instanceof Keyed other
                            && !keys.isEmpty()
                            && !other.keys.isEmpty()
                            && Collections.disjoint(keys, other.keys));
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(other) == Mode.NONE
                    || (other instanceof Keyed part
                            && (keys.isEmpty() || (!part.keys.isEmpty() && keys.containsAll(part.keys)))
                            && (writes || !part.writes));
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.ofStranger(this);
        }
    }

    @Test
    void endlessMovingWindowsAreForgotten() {
        AccessTracker<ModelTask> tracker = new AccessTracker<>();
        ModelTask.Links links = new ModelTask.Links();
        List<ModelTask> live = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            ModelTask task = new ModelTask(i);
            long x = 3L * i;
            tracker.submit(task, Access.update(Area.of(x, x + 7, -x, 7 - x)), links);
            links.take();
            live.add(task);
            if (live.size() == 100) {
                live.forEach(it -> it.over = true);
                live.clear();
                assertTrue(tracker.size() <= 400, tracker.size() + " accesses are tracked after " + i);
            }
        }
    }

    @Test
    void tasksThatWereForgottenAreFree() {
        AccessTracker<ModelTask> tracker = new AccessTracker<>();
        List<WeakReference<ModelTask>> tasks = new ArrayList<>();
        moveWindows(tracker, tasks);
        System.gc();
        long kept = tasks.stream().filter(it -> it.get() != null).count();
        assertTrue(kept <= tracker.size(), kept + " tasks are kept, " + tracker.size() + " accesses are tracked");
        assertTrue(kept <= 64, kept + " tasks are kept, though at most one was alive at a time");
    }

    private static void moveWindows(AccessTracker<ModelTask> tracker, List<WeakReference<ModelTask>> tasks) {
        ModelTask.Links links = new ModelTask.Links();
        List<ModelTask> burst = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            ModelTask task = new ModelTask(i);
            tasks.add(new WeakReference<>(task));
            Access kind = i % 3 == 0 ? Access.read() : Access.add();
            tracker.submit(task, i % 50 == 0 ? kind : new AreaAccess(kind, Area.of(i, i + 7, 0, 7)), links);
            links.take();
            burst.add(task);
            if (i > 1_000) { // so many alive at first, and one by one from then on
                burst.forEach(it -> it.over = true);
                burst.clear();
            }
        }
    }

    /** Neither a grid for each size nor one for all sizes would do: one level holds many, and there are many levels. */
    @Test
    void lookUpsStayCheapWhateverTheSizes() {
        Random random = new Random(1);
        AreaGrid grid = new AreaGrid(Area.of(0, 0, 0, 0));
        int finds = 0;
        for (int i = 0; i < 20_000; i++) {
            long x = random.nextInt(1 << 16);
            long y = random.nextInt(1 << 16);
            Area area = Area.of(x, x + (1L << random.nextInt(8)), y, y + (1L << random.nextInt(8)));
            finds += grid.find(area);
            grid.add(area);
        }
        assertTrue(finds < 40_000, "the areas overlap so much that the test shows nothing: " + finds);
        assertTrue(grid.work() < 100L * 20_000, grid.work() / 20_000 + " cells and areas are looked at per look-up");
    }

    @Test
    void aDifferentSpaceIsRefusedWhereItWouldConflict() {
        AccessTracker<ModelTask> tracker = new AccessTracker<>();
        ModelTask.Links links = new ModelTask.Links();
        for (int i = 0; i < 40; i++) {
            tracker.submit(new ModelTask(i), Access.add(Area.of(i, i)), links);
        }
        ModelTask adds = new ModelTask(40);
        tracker.submit(adds, Access.add(Area.ofReals(0, 1)), links);
        assertEquals(41, tracker.size());
        ModelTask writes = new ModelTask(41);
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> tracker.submit(writes, Access.update(Area.ofReals(0, 1)), links));
        assertTrue(String.valueOf(thrown.getMessage()).contains("agree in the type"), thrown.getMessage());
        assertEquals(41, tracker.size());
    }

    @Test
    void anAccessThatDoesNothingIsNotTracked() {
        AccessTracker<ModelTask> tracker = new AccessTracker<>();
        ModelTask.Links links = new ModelTask.Links();
        tracker.submit(new ModelTask(0), Access.none(), links);
        tracker.submit(new ModelTask(1), new AreaAccess(Mode.NONE, Area.of(0, 7)), links);
        tracker.submit(new ModelTask(2), TABLE.entry("none"), links);
        assertEquals(0, tracker.size());
    }
}
