package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** Random expressions at all locations, for grids of some number of dimensions; of fields with values near 1. */
public final class RandomExpressions {
    /** The fields that expressions read. */
    public static final Tag<Cell> A = Tag.cell("a");

    public static final Tag<Cell> B = Tag.cell("b");
    public static final Tag<Faces> V = Tag.faces("v");
    public static final Tag<FaceX> U = Tag.faceX("u");
    public static final Tag<Node> N = Tag.node("n");
    /** All of them. */
    public static final List<Tag<?>> FIELDS = List.of(A, B, V, U, N);
    /** A parameter that they use. */
    public static final String PARAMETER = "p";

    private final RandomGenerator random;
    private final int dimensions;
    /** The number of wholes around what is drawn, of whose points coordinates may be counted. */
    private int wholes;

    public RandomExpressions(RandomGenerator random, int dimensions) {
        this.random = random;
        this.dimensions = dimensions;
    }

    /** Returns an expression in cells whose tree has at most that depth. */
    public Expr<Cell> cell(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return random.nextBoolean() ? A : B;
        }
        return switch (random.nextInt(12)) {
            case 0 -> Operators.div(faces(depth - 1));
            case 1 -> Operators.cells(faces(depth - 1));
            case 2 -> Operators.cellsX(faceX(depth - 1));
            case 3 -> Operators.divX(faceX(depth - 1));
            case 4 -> Operators.laplacian(random.nextBoolean() ? A : B);
            case 5 -> Operators.dx(cell(depth - 1));
            case 6 -> dimensions < 3 ? Operators.fromNodes(node(depth - 1)) : Operators.dz(cell(depth - 1));
            case 7 -> Operators.stencil(cell(depth - 1), stencil());
            case 8 -> dimensions > 1 ? Operators.divY(faceY(depth - 1)) : cell(depth - 1);
            default -> pointwise(depth, this::cell);
        };
    }

    /** Returns a vector. */
    public Expr<Faces> faces(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return V;
        }
        return switch (random.nextInt(6)) {
            case 0 -> Operators.grad(cell(depth - 1));
            case 1 -> Operators.faces(cell(depth - 1));
            case 2 ->
                Operators.vector(
                        faceX(depth - 1),
                        dimensions > 1 ? faceY(depth - 1) : Functions.number(1),
                        dimensions > 2 ? Operators.gradZ(cell(depth - 1)) : Functions.<FaceZ>number(1));
            default -> pointwise(depth, this::faces);
        };
    }

    /** Returns an expression on the faces across x. */
    public Expr<FaceX> faceX(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return U;
        }
        return switch (random.nextInt(5)) {
            case 0 -> Operators.gradX(cell(depth - 1));
            case 1 -> Operators.faceX(cell(depth - 1));
            case 2 -> Operators.componentX(faces(depth - 1));
            default -> pointwise(depth, this::faceX);
        };
    }

    private Expr<FaceY> faceY(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> Operators.gradY(cell(depth - 1 < 0 ? 0 : depth - 1));
            case 1 -> Operators.componentY(faces(depth - 1 < 0 ? 0 : depth - 1));
            default -> Operators.faceY(cell(depth - 1 < 0 ? 0 : depth - 1));
        };
    }

    /** Returns an expression at the corners. */
    public Expr<Node> node(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return N;
        }
        return random.nextInt(3) == 0 ? Operators.nodes(cell(depth - 1)) : pointwise(depth, this::node);
    }

    private Stencil stencil() {
        Stencil.Builder builder = Stencil.builder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            builder.at(
                    random.nextInt(-1, 2),
                    dimensions > 1 ? random.nextInt(-1, 2) : 0,
                    dimensions > 2 ? random.nextInt(-1, 2) : 0,
                    random.nextInt(4) == 0 ? 1 : random.nextDouble(-1, 1));
        }
        return builder.build();
    }

    private <L extends Location> Expr<L> pointwise(int depth, IntFunction<Expr<L>> some) {
        int which = random.nextInt(21);
        if (which == 20) {
            wholes++;
            Expr<L> of = some.apply(depth - 1);
            wholes--;
            return Functions.whole(of);
        }
        Expr<L> one = some.apply(depth - 1);
        return switch (which) {
            case 0, 1 -> one.plus(some.apply(depth - 1));
            case 2 -> one.minus(some.apply(depth - 1));
            case 3, 4 -> one.times(some.apply(depth - 1));
            case 5 -> one.dividedBy(Functions.abs(some.apply(depth - 1)).plus(1));
            case 6 -> one.negate();
            case 7 -> Functions.sqrt(Functions.abs(one));
            case 8 -> Functions.min(one, some.apply(depth - 1));
            case 9 -> Functions.max(one, some.apply(depth - 1));
            case 10 -> Functions.exp(Functions.sin(one));
            case 11 -> Functions.log(Functions.abs(one).plus(1));
            case 12 -> Functions.sin(Functions.tanh(one));
            case 13 -> Functions.cos(Functions.tanh(one));
            case 14 -> Functions.tanh(one);
            case 15 -> Functions.pow(Functions.abs(one).plus(0.5), Functions.tanh(some.apply(depth - 1)));
            case 16 -> Functions.where(condition(), one, some.apply(depth - 1));
            case 17 -> one.times(random.nextDouble(-2, 2));
            case 18 -> one.plus(Functions.parameter(PARAMETER));
            default -> one.plus(coordinate());
        };
    }

    private <L extends Location> Expr.Condition<L> condition() {
        Expr.Condition<L> one = this.<L>coordinate().lessThan(random.nextDouble(0, 1));
        return switch (random.nextInt(4)) {
            case 0 -> one.not();
            case 1 -> one.and(this.<L>coordinate().atMost(random.nextDouble(0, 1)));
            case 2 -> one.or(this.<L>coordinate().equalTo(random.nextDouble(0, 1)));
            default -> one;
        };
    }

    private <L extends Location> Expr<L> coordinate() {
        int axis = random.nextInt(dimensions);
        if (wholes > 0 && random.nextBoolean()) {
            return Functions.coordinate(
                    axis,
                    random.nextBoolean()
                            ? Functions.number(3)
                            : coordinate(axis).times(4));
        }
        return coordinate(axis);
    }

    private static <L extends Location> Expr<L> coordinate(int axis) {
        return switch (axis) {
            case 0 -> Functions.x();
            case 1 -> Functions.y();
            default -> Functions.z();
        };
    }
}
