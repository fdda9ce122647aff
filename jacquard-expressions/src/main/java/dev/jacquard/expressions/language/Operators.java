package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.language.Term.Axis;
import java.util.List;
import java.util.Objects;

/** Operators that look at neighbours, most of them from one location to another. To be imported statically. */
public final class Operators {
    private Operators() {}

    private static Term term(Expr<?> of) {
        return Term.of(Objects.requireNonNull(of, "expression"));
    }

    // ---- from cells to faces

    /** Returns the gradient of a field in cells, on all faces, by two points. */
    public static Expr<Faces> grad(Expr<Cell> of) {
        return new Formula<>(new Term.Gradient(term(of), Axis.ALL));
    }

    /** Returns the derivative along x of a field in cells, on the faces across x. */
    public static Expr<FaceX> gradX(Expr<Cell> of) {
        return new Formula<>(new Term.Gradient(term(of), Axis.X));
    }

    /** Returns the derivative along y of a field in cells, on the faces across y. */
    public static Expr<FaceY> gradY(Expr<Cell> of) {
        return new Formula<>(new Term.Gradient(term(of), Axis.Y));
    }

    /** Returns the derivative along z of a field in cells, on the faces across z. */
    public static Expr<FaceZ> gradZ(Expr<Cell> of) {
        return new Formula<>(new Term.Gradient(term(of), Axis.Z));
    }

    /** Returns a field in cells on all faces: the mean of the two neighbours of each. */
    public static Expr<Faces> faces(Expr<Cell> of) {
        return new Formula<>(new Term.ToFaces(term(of), Axis.ALL));
    }

    /** Returns a field in cells on the faces across x: the mean of the two neighbours of each. */
    public static Expr<FaceX> faceX(Expr<Cell> of) {
        return new Formula<>(new Term.ToFaces(term(of), Axis.X));
    }

    /** Returns a field in cells on the faces across y: the mean of the two neighbours of each. */
    public static Expr<FaceY> faceY(Expr<Cell> of) {
        return new Formula<>(new Term.ToFaces(term(of), Axis.Y));
    }

    /** Returns a field in cells on the faces across z: the mean of the two neighbours of each. */
    public static Expr<FaceZ> faceZ(Expr<Cell> of) {
        return new Formula<>(new Term.ToFaces(term(of), Axis.Z));
    }

    /** Returns the vector of these components: as many as the grid has dimensions; the others are of no importance. */
    public static Expr<Faces> vector(Expr<FaceX> x, Expr<FaceY> y, Expr<FaceZ> z) {
        return new Formula<>(new Term.Vector(List.of(term(x), term(y), term(z))));
    }

    /** Returns the component along x of a vector. */
    public static Expr<FaceX> componentX(Expr<Faces> of) {
        return new Formula<>(new Term.Component(term(of), Axis.X));
    }

    /** Returns the component along y of a vector. */
    public static Expr<FaceY> componentY(Expr<Faces> of) {
        return new Formula<>(new Term.Component(term(of), Axis.Y));
    }

    /** Returns the component along z of a vector. */
    public static Expr<FaceZ> componentZ(Expr<Faces> of) {
        return new Formula<>(new Term.Component(term(of), Axis.Z));
    }

    // ---- from faces to cells

    /** Returns the divergence of a vector, in cells. */
    public static Expr<Cell> div(Expr<Faces> of) {
        return new Formula<>(new Term.Divergence(term(of), Axis.ALL));
    }

    /** Returns the derivative along x of a field on the faces across x, in cells. */
    public static Expr<Cell> divX(Expr<FaceX> of) {
        return new Formula<>(new Term.Divergence(term(of), Axis.X));
    }

    /** Returns the derivative along y of a field on the faces across y, in cells. */
    public static Expr<Cell> divY(Expr<FaceY> of) {
        return new Formula<>(new Term.Divergence(term(of), Axis.Y));
    }

    /** Returns the derivative along z of a field on the faces across z, in cells. */
    public static Expr<Cell> divZ(Expr<FaceZ> of) {
        return new Formula<>(new Term.Divergence(term(of), Axis.Z));
    }

    /** Returns a vector in cells, as one number: the mean of all faces of each. */
    public static Expr<Cell> cells(Expr<Faces> of) {
        return new Formula<>(new Term.ToCells(term(of), Axis.ALL));
    }

    /** Returns a field on the faces across x in cells: the mean of the two faces of each. */
    public static Expr<Cell> cellsX(Expr<FaceX> of) {
        return new Formula<>(new Term.ToCells(term(of), Axis.X));
    }

    /** Returns a field on the faces across y in cells: the mean of the two faces of each. */
    public static Expr<Cell> cellsY(Expr<FaceY> of) {
        return new Formula<>(new Term.ToCells(term(of), Axis.Y));
    }

    /** Returns a field on the faces across z in cells: the mean of the two faces of each. */
    public static Expr<Cell> cellsZ(Expr<FaceZ> of) {
        return new Formula<>(new Term.ToCells(term(of), Axis.Z));
    }

    // ---- between cells and nodes

    /** Returns a field in cells at their corners: the mean of the cells around each. */
    public static Expr<Node> nodes(Expr<Cell> of) {
        return new Formula<>(new Term.ToNodes(term(of)));
    }

    /** Returns a field at the corners in cells: the mean of the corners of each. */
    public static Expr<Cell> fromNodes(Expr<Node> of) {
        return new Formula<>(new Term.FromNodes(term(of)));
    }

    // ---- from cells to cells

    /** Returns the Laplacian: the divergence of the gradient. */
    public static Expr<Cell> laplacian(Expr<Cell> of) {
        return div(grad(of));
    }

    /** Returns the derivative along x by the next cell and the one before. */
    public static Expr<Cell> dx(Expr<Cell> of) {
        return new Formula<>(new Term.Central(term(of), Axis.X));
    }

    /** Returns the derivative along y by the next cell and the one before. */
    public static Expr<Cell> dy(Expr<Cell> of) {
        return new Formula<>(new Term.Central(term(of), Axis.Y));
    }

    /** Returns the derivative along z by the next cell and the one before. */
    public static Expr<Cell> dz(Expr<Cell> of) {
        return new Formula<>(new Term.Central(term(of), Axis.Z));
    }

    /** Returns a weighted sum of neighbours at the same location. */
    public static <L extends Location> Expr<L> stencil(Expr<L> of, Stencil stencil) {
        return new Formula<>(new Term.Weighted(term(of), Objects.requireNonNull(stencil, "stencil")));
    }
}
