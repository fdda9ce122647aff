package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random trees of formulas and loops of the user's, against the definitions, which are looked up point by point. */
class RandomTreesTest {
    private static final int GHOSTS = 5;
    private static final int COUNT = 10;
    private static final Tag<Cell> T = Tag.cell("T");
    private final Grid grid = Grid.of(9, 6).ghosts(GHOSTS);

    /** The value at a point. */
    private interface Value {
        double at(int x, int y);
    }

    /**
     * A field that is known.
     *
     * @param tag its name
     * @param value by definition, at any point
     * @param reach the layers of ghosts that formulas may read, perhaps of other fields, in its place
     * @param ghosts the layers of ghosts that are in memory
     */
    private record Known(Tag<Cell> tag, Value value, int reach, int ghosts) {}

    private final List<Known> all = new ArrayList<>();
    private final Model model = Model.of(grid).source(T);

    /** Values by definition, once for each point. */
    private static Value once(Value value) {
        Map<List<Integer>, Double> known = new HashMap<>();
        return (x, y) -> {
            List<Integer> point = List.of(x, y);
            Double its = known.get(point);
            if (its == null) {
                its = value.at(x, y);
                known.put(point, its);
            }
            return its;
        };
    }

    private void add(Random random, int number) {
        Tag<Cell> tag = Tag.cell("t" + number);
        Known a = all.get(random.nextInt(all.size()));
        Known b = all.get(random.nextInt(all.size()));
        int kind = random.nextInt(7);
        if (kind == 0 && a.reach > 0) {
            model.define(tag, dx(a.tag));
            Value value = (x, y) -> (a.value.at(x + 1, y) - a.value.at(x - 1, y)) * 0.5;
            all.add(new Known(tag, once(value), a.reach - 1, 0));
        } else if (kind == 1 && a.reach > 0) {
            model.define(tag, dy(a.tag).plus(b.tag));
            Value value = (x, y) -> (a.value.at(x, y + 1) - a.value.at(x, y - 1)) * 0.5 + b.value.at(x, y);
            all.add(new Known(tag, once(value), Math.min(a.reach - 1, b.reach), 0));
        } else if (kind == 2 || kind == 3) {
            model.define(tag, a.tag.minus(b.tag.times(0.25)));
            Value value = (x, y) -> a.value.at(x, y) - b.value.at(x, y) * 0.25;
            all.add(new Known(tag, once(value), Math.min(a.reach, b.reach), 0));
        } else {
            loop(random, tag, a, b);
        }
    }

    /** Adds a loop of one or two fields that reads one field at a distance, and perhaps gives ghosts. */
    private void loop(Random random, Tag<Cell> tag, Known a, Known b) {
        int distance = random.nextInt(a.ghosts + 1);
        int ghosts = random.nextInt(Math.min(a.ghosts - distance, b.ghosts) + 1);
        Tag<Cell> second = Tag.cell(tag.name() + " too");
        boolean isTwo = random.nextBoolean();
        Expression expression = bindings -> {
            Expression.Values ofA = bindings.reads(a.tag);
            Expression.Values ofB = bindings.reads(b.tag);
            Expression.Results first = bindings.computes(tag);
            Expression.Results other = isTwo ? bindings.computes(second) : first;
            Range points = grid.range(Centring.CELL, ghosts);
            return run -> run.parallel(points, part -> {
                for (int y = part.y0(); y < part.y1(); y++) {
                    for (int x = part.x0(); x < part.x1(); x++) {
                        if (isTwo) {
                            other.set(x, y, 0, ofB.get(x, y, 0) + 1);
                        }
                        first.set(x, y, 0, ofA.get(x - distance, y, 0) * 0.5 + ofB.get(x, y, 0));
                    }
                }
            });
        };
        model.define(expression, dependents -> {
            dependents.reads(a.tag, distance + ghosts).reads(b.tag, ghosts).computes(tag, ghosts);
            if (isTwo) {
                dependents.computes(second, ghosts);
            }
        });
        all.add(new Known(tag, once((x, y) -> a.value.at(x - distance, y) * 0.5 + b.value.at(x, y)), ghosts, ghosts));
        if (isTwo) {
            all.add(new Known(second, once((x, y) -> b.value.at(x, y) + 1), ghosts, ghosts));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void treesOfBothKindsGiveWhatTheDefinitionsSay(long seed) {
        Random random = new Random(seed);
        all.add(new Known(T, (x, y) -> Math.sin(x + 0.5) * Math.cos(2 * (y + 0.5)), GHOSTS, GHOSTS));
        for (int i = 0; i < COUNT; i++) {
            add(random, i);
        }
        for (Policy policy : Policy.values()) {
            for (boolean fuses : new boolean[] {true, false}) {
                for (Loops.Form form : List.of(Loops.Form.AUTO, Loops.Form.INTERPRETER)) {
                    Map<Tag<Cell>, Known> roots = new LinkedHashMap<>();
                    for (int i = 0; i < 1 + random.nextInt(3); i++) {
                        Known root = all.get(1 + random.nextInt(all.size() - 1));
                        roots.put(root.tag, root);
                    }
                    ExpressionTree tree = model.tree(List.copyOf(roots.keySet()))
                            .fuse(fuses)
                            .fields(policy)
                            .loops(form);
                    assertEquals(
                            TreeGraphTest.edges(tree.taskGraph(), false),
                            TreeGraphTest.edges(tree.dependencyGraph(), true));
                    int workers = 1 + random.nextInt(3);
                    compare(tree, roots, workers, "seed " + seed + "\n" + tree);
                    for (Scheduler scheduler : List.of(Scheduler.PRIORITY, Scheduler.TOPOLOGICAL)) {
                        String what = "seed " + seed + ", " + scheduler.name() + '\n' + tree;
                        compare(tree.scheduler(scheduler), roots, workers, what);
                    }
                }
            }
        }
    }

    private void compare(ExpressionTree tree, Map<Tag<Cell>, Known> roots, int workers, String what) {
        try (Session session = Session.builder().workers(workers).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> Math.sin(x) * Math.cos(2 * y));
            CompiledGraph graph = tree.compile(fields);
            graph.run();
            graph.run();
            assertTrue(
                    session.data().transfers().spaces().getFirst().peak()
                            <= tree.memory().bytes(),
                    what);
            roots.forEach((tag, its) -> {
                double[] found = fields.values(tag);
                for (int y = 0; y < 6; y++) {
                    for (int x = 0; x < 9; x++) {
                        assertEquals(its.value.at(x, y), found[9 * y + x], tag + " at " + x + ", " + y + "\n" + what);
                    }
                }
            });
        }
    }
}
