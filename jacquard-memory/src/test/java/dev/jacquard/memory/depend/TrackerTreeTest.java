package dev.jacquard.memory.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Trackers of parents and sub-resources. */
class TrackerTreeTest {
    private final ModelTask.Links links = new ModelTask.Links();
    private int tasks;

    private List<String> submit(AccessTracker<ModelTask> tracker, Access access) {
        tracker.submit(new ModelTask(tasks++), access, links);
        return links.take();
    }

    @Test
    void aPartConflictsWithWhatIsAboveAndBelowAtEveryDepthAndNotWithSiblings() {
        int depth = 6;
        for (int written = 0; written < depth; written++) {
            for (int read = 0; read < depth; read++) {
                List<AccessTracker<ModelTask>> line = line(depth);
                submit(line.get(written), Access.update());
                assertEquals(1, submit(line.get(read), Access.read()).size(), written + " before " + read);
                AccessTracker<ModelTask> sibling = new AccessTracker<>(line.get(Math.max(0, written - 1)));
                assertEquals(written == 0 ? 1 : 0, count(submit(sibling, Access.read()), "carrying"));
            }
        }
    }

    private static long count(List<String> links, String what) {
        return links.stream().filter(link -> link.contains(what)).count();
    }

    private static List<AccessTracker<ModelTask>> line(int depth) {
        List<AccessTracker<ModelTask>> line = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            line.add(i == 0 ? new AccessTracker<>() : new AccessTracker<>(line.get(i - 1)));
        }
        return line;
    }

    @Test
    void areasCountAsTheWholeForThoseAboveAndBelow() {
        AccessTracker<ModelTask> parent = new AccessTracker<>();
        AccessTracker<ModelTask> part = new AccessTracker<>(parent);
        submit(parent, Access.update(Area.of(0, 3)));
        assertEquals(List.of("t0 carrying"), submit(part, Access.read(Area.of(100, 103))));
        assertEquals(List.of("t1"), submit(parent, Access.write(Area.of(200, 203))));
        assertEquals(2, parent.size());
        assertEquals(1, part.size(), "a part of the parent does not cover what is below");
        assertEquals(List.of("t0", "t1", "t2"), submit(parent, Access.write()));
        assertEquals(0, part.size());
    }

    @Test
    void linksLikeOneThatAsksEveryAccessInTheTree() {
        for (long seed = 0; seed < 200; seed++) {
            new Trial(seed).run(300);
        }
    }

    /** One sequence on a tree of trackers and on its model. */
    private static final class Trial {
        private static final class Node {
            private final @Nullable Node parent;
            private final AccessTracker<ModelTask> tracker;

            Node(@Nullable Node parent) {
                this.parent = parent;
                this.tracker = parent == null ? new AccessTracker<>() : new AccessTracker<>(parent.tracker);
            }

            boolean isWithin(Node other) {
                return parent != null && (parent == other || parent.isWithin(other));
            }
        }

        private record Entry(Node node, ModelTask task, Access access) {}

        private final long seed;
        private final Random random;
        private final RandomAreas areas;
        private final List<Node> nodes = new ArrayList<>();
        private final List<Entry> entries = new ArrayList<>();
        private final ModelTask.Links links = new ModelTask.Links();
        private final ModelTask.Links expected = new ModelTask.Links();
        private final int wholes;
        private int tasks;

        Trial(long seed) {
            this.seed = seed;
            random = new Random(seed);
            areas = new RandomAreas(random, 2, false);
            wholes = random.nextBoolean() ? 50 : 3;
            nodes.add(new Node(null));
            for (int i = random.nextInt(1, 40); i > 0; i--) {
                Node parent = nodes.get(random.nextInt(nodes.size()));
                nodes.add(new Node(parent));
            }
        }

        void run(int steps) {
            int ends = random.nextInt(1, 60);
            for (int step = 0; step < steps; step++) {
                Entry entry = entries.isEmpty() ? null : entries.get(random.nextInt(entries.size()));
                int what = random.nextInt(100);
                if (what < ends && entry != null) {
                    entry.task.failed |= !entry.task.over && random.nextInt(10) == 0;
                    entry.task.over = true;
                } else if (what < ends + 5 && entry != null && !entry.task.over) {
                    demote(entry, access());
                } else {
                    submit("seed " + seed + ", step " + step);
                }
            }
        }

        private Access access() {
            Mode kind = MODES.get(random.nextInt(MODES.size()));
            return random.nextInt(100) < wholes ? kind : new AreaAccess(kind, areas.draw());
        }

        private void demote(Entry entry, Access to) {
            if (entry.access.covers(to)) {
                entry.node.tracker.demote(entry.task, entry.access, to, links);
                entries.set(entries.indexOf(entry), new Entry(entry.node, entry.task, to));
            }
        }

        private void submit(String at) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            Access access = access();
            ModelTask task = new ModelTask(tasks++);
            for (Entry earlier : List.copyOf(entries)) {
                meet(node, access, task, earlier);
            }
            entries.add(new Entry(node, task, access));
            node.tracker.submit(task, access, links);
            assertEquals(expected.take(), links.take(), at + ", " + access);
        }

        private void meet(Node node, Access access, ModelTask task, Entry earlier) {
            boolean same = node == earlier.node;
            boolean above = earlier.node.isWithin(node);
            if (!same && !above && !node.isWithin(earlier.node)) {
                return;
            }
            Access mine = same ? access : access.whole();
            if (mine.conflictsWith(same ? earlier.access : earlier.access.whole())) {
                expected.link(earlier.task, task, access.reads() && earlier.access.writes());
                boolean mayDrop = same || (above && access.equals(access.whole()));
                if (mayDrop && access.covers(earlier.access)) {
                    entries.remove(earlier);
                }
            }
        }
    }

    private static final List<Mode> MODES = List.of(Mode.values());

    @Test
    void partsOfThePastAreForgotten() {
        AccessTracker<ModelTask> root = new AccessTracker<>();
        List<WeakReference<AccessTracker<ModelTask>>> parts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            AccessTracker<ModelTask> part = new AccessTracker<>(new AccessTracker<>(root));
            ModelTask task = new ModelTask(i);
            part.submit(task, Access.update(), links);
            task.over = true;
            links.take();
            parts.add(new WeakReference<>(part));
        }
        System.gc();
        long kept = parts.stream().filter(it -> it.get() != null).count();
        assertTrue(kept <= 64, kept + " trackers of parts are kept");
    }

    @Test
    void partsDoNotAskAgainForWhatIsOverAbove() {
        AccessTracker<ModelTask> root = new AccessTracker<>();
        AccessTracker<ModelTask> part = new AccessTracker<>(root);
        List<ModelTask> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            readers.add(new ModelTask(i));
            root.submit(readers.getLast(), Access.read(), links);
        }
        readers.forEach(it -> it.over = true);
        part.submit(new ModelTask(100), Access.update(), links);
        assertEquals(0, root.size());
    }

    @Test
    void anAccessThatThrowsDoesSoBeforeAnythingHasChanged() {
        AccessTracker<ModelTask> root = new AccessTracker<>();
        AccessTracker<ModelTask> part = new AccessTracker<>(root);
        AccessTracker<ModelTask> leaf = new AccessTracker<>(part);
        submit(leaf, Access.read());
        assertThrows(IllegalStateException.class, () -> root.probe(new Broken()));
        assertThrows(IllegalStateException.class, () -> leaf.probe(new Broken()));
        submit(root, Access.read());
        assertThrows(IllegalStateException.class, () -> part.probe(new Broken()));
    }

    /** Breaks the laws. */
    private static final class Broken implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            throw new IllegalStateException("broken");
        }

        @Override
        public boolean covers(Access other) {
            return false;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }
    }
}
