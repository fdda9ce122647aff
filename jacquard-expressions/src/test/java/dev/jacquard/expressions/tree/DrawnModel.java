package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A model of formulas and loops of the user's that is drawn, with the values that follow from the definitions. */
final class DrawnModel {
    static final Tag<Cell> T = Tag.cell("T");
    static final int WIDTH = 9;
    /** Enough for two slabs whose formulas reach as far as the ghosts. */
    static final int ROWS = 12;

    static final int GHOSTS = 5;
    private static final int COUNT = 10;
    final Grid grid = Grid.of(WIDTH, ROWS).ghosts(GHOSTS);
    final Model model = Model.of(grid).source(T);
    final List<Known> all = new ArrayList<>();

    /** The value at a point. */
    interface Value {
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
    record Known(Tag<Cell> tag, Value value, int reach, int ghosts) {}

    /** Draws a model. */
    DrawnModel(Random random) {
        all.add(new Known(T, (x, y) -> set(x + 0.5, y + 0.5), GHOSTS, GHOSTS));
        for (int i = 0; i < COUNT; i++) {
            add(random, i);
        }
    }

    /** Returns the value of the source. */
    static double set(double x, double y) {
        return Math.sin(x) * Math.cos(2 * y);
    }

    /** Draws some of the fields. */
    Map<Tag<Cell>, Known> roots(Random random) {
        Map<Tag<Cell>, Known> roots = new LinkedHashMap<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            Known root = all.get(1 + random.nextInt(all.size() - 1));
            roots.put(root.tag, root);
        }
        return roots;
    }

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
        int kind = random.nextInt(8);
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
        } else if (kind == 4 && a.reach > 1) {
            model.define(tag, stencilOfAStencil(a.tag));
            Value slope = once((x, y) -> (a.value.at(x, y + 1) - a.value.at(x, y - 1)) * 0.5);
            Value cubic = once((x, y) -> cubic(slope.at(x, y)));
            Value value = (x, y) ->
                    (cubic.at(x + 1, y) - cubic.at(x - 1, y)) * 0.5 + (cubic.at(x, y + 1) - cubic.at(x, y - 1)) * 0.5;
            all.add(new Known(tag, once(value), a.reach - 2, 0));
        } else {
            loop(random, tag, a, b);
        }
    }

    /** Returns what a loop computes once for each point, and keeps for four neighbours. */
    static Expr<Cell> stencilOfAStencil(Tag<Cell> of) {
        Expr<Cell> slope = dy(of);
        Expr<Cell> cubic = slope.times(slope).times(slope).minus(slope);
        return dx(cubic).plus(dy(cubic));
    }

    private static double cubic(double slope) {
        return slope * slope * slope - slope;
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
}
