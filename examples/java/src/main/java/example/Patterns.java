package example;

import static dev.jacquard.expressions.language.Operators.*;
import static dev.jacquard.expressions.tree.Boundaries.Condition.*;

import module dev.jacquard.expressions;
import module java.base;

/** Two substances that react and spread make patterns: the model of Gray and Scott. */
public final class Patterns {
    private static final Tag<Location.Cell> U = Tag.cell("u");
    private static final Tag<Location.Cell> V = Tag.cell("v");
    private static final Tag<Location.Cell> U_RATE = Tag.cell("du/dt");
    private static final Tag<Location.Cell> V_RATE = Tag.cell("dv/dt");

    public static void main(String[] args) throws IOException {
        int steps = args.length == 0 ? 200 : Integer.parseInt(args[0]);
        Grid grid = Grid.of(128, 128).lengths(128, 128).ghosts(1);
        Expr<Location.Cell> reaction = U.times(V).times(V);
        Model model = Model.of(grid)
                .source(U, V)                                     // fields that the program sets
                .define(U_RATE, div(grad(U)).times(0.16).minus(reaction).plus(U.negate().plus(1).times(0.025)))
                .define(V_RATE, div(grad(V)).times(0.08).plus(reaction).minus(V.times(0.025 + 0.055)));
        try (Session session = Session.open(); FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> isSeed(x, y) ? 0.5 : 1);
            fields.set(V, (x, y, z) -> isSeed(x, y) ? 0.25 : 0);
            Ssp.Of method = Ssp.order(1).advance(U, U_RATE).advance(V, V_RATE).of(model.tree(U_RATE, V_RATE));
            for (Grid.Side side : List.of(Grid.Side.X_LOW, Grid.Side.X_HIGH, Grid.Side.Y_LOW, Grid.Side.Y_HIGH)) {
                method = method.boundary(U, side, periodic()).boundary(V, side, periodic());
            }
            Integrator integrator = method.compile(fields);
            integrator.run(steps, 1.0);

            IO.println(fields.max(V) > 0.2 && fields.max(V) < 1); // prints: true
            fields.image(V, Slice.z(0), Path.of("patterns.png"));
        }
    }

    private static boolean isSeed(double x, double y) {
        return Math.hypot(x - 40, y - 64) < 8 || Math.hypot(x - 90, y - 50) < 6;
    }
}
