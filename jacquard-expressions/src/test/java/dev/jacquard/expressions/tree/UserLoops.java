package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.tree.UserExpressionTest.K;
import static dev.jacquard.expressions.tree.UserExpressionTest.Q;
import static dev.jacquard.expressions.tree.UserExpressionTest.SLOPE;
import static dev.jacquard.expressions.tree.UserExpressionTest.T;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import java.util.List;
import java.util.function.Consumer;

/** Expressions as users write them, for tests. */
final class UserLoops {
    private UserLoops() {}

    /** The flux {@code faces(K).times(grad(T))} by hand: a field for each axis, of two fields with their ghosts. */
    static final class Flux implements Expression {
        @Override
        public void advertise(Dependents dependents) {
            dependents.reads(T, 1).reads(K, 1).computes(Q);
        }

        @Override
        public Evaluation bind(Bindings bindings) {
            Grid grid = bindings.grid();
            Values t = bindings.reads(T);
            Values k = bindings.reads(K);
            List<Results> q = List.of(bindings.computes(Q, 0), bindings.computes(Q, 1), bindings.computes(Q, 2));
            return run -> {
                for (int axis = 0; axis < 3; axis++) {
                    Results its = q.get(axis);
                    double factor = 0.5 * (1 / grid.spacing(axis));
                    int dx = axis == 0 ? 1 : 0;
                    int dy = axis == 1 ? 1 : 0;
                    int dz = axis == 2 ? 1 : 0;
                    run.parallel(
                            its.interior(),
                            part -> each(part, (x, y, z) -> {
                                double mean = k.get(x - dx, y - dy, z - dz) + k.get(x, y, z);
                                double difference = t.get(x, y, z) - t.get(x - dx, y - dy, z - dz);
                                its.set(x, y, z, mean * difference * factor);
                            }));
                }
            };
        }
    }

    /** The function of a point. */
    interface Point {
        void at(int x, int y, int z);
    }

    static void each(Range part, Point point) {
        for (int z = part.z0(); z < part.z1(); z++) {
            for (int y = part.y0(); y < part.y1(); y++) {
                for (int x = part.x0(); x < part.x1(); x++) {
                    point.at(x, y, z);
                }
            }
        }
    }

    static Expression copies(Tag<Cell> from, double factor, Tag<?>... to) {
        return bindings -> {
            Expression.Values its = bindings.reads(from);
            List<Expression.Results> all =
                    List.of(to).stream().map(bindings::computes).toList();
            return run -> run.parallel(
                    its.interior(),
                    part -> each(part, (x, y, z) -> all.forEach(one -> one.set(x, y, z, factor * its.get(x, y, z)))));
        };
    }

    static Consumer<Expression.Dependents> advertised(Tag<Cell> from, Tag<?>... to) {
        return dependents -> dependents.reads(from).computes(to);
    }

    /** The slope along x of T, with a layer of ghosts. */
    static Expression slope() {
        return bindings -> {
            Expression.Values t = bindings.reads(T);
            Expression.Results slope = bindings.computes(SLOPE);
            Range all = bindings.grid().range(Centring.CELL, 1);
            double twice = 2 * bindings.grid().spacing(0);
            return run -> run.parallel(
                    all,
                    part -> each(
                            part, (x, y, z) -> slope.set(x, y, z, (t.get(x + 1, y, z) - t.get(x - 1, y, z)) / twice)));
        };
    }
}
