package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The name of a field, or of a vector of fields on the faces, with the location of its values. Two tags are equal if
 * their names and locations are.
 *
 * @param name the name, for people, files and messages
 * @param location where the values lie
 * @param <L> the same
 */
public record Tag<L extends Location>(String name, Class<L> location) implements Expr<L> {
    public Tag {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(location, "location");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a field needs a name, not \"" + name + '"');
        }
    }

    /** Returns the tag of a field at the centres of the cells. */
    public static Tag<Cell> cell(String name) {
        return new Tag<>(name, Cell.class);
    }

    /** Returns {@code count} tags of fields at the centres of the cells, with numbers from 0 on after the name. */
    public static List<Tag<Cell>> cells(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> cell(name + " " + i)).toList();
    }

    /** Returns the tag of a vector on the faces. */
    public static Tag<Faces> faces(String name) {
        return new Tag<>(name, Faces.class);
    }

    /** Returns the tag of a field on the faces across x. */
    public static Tag<FaceX> faceX(String name) {
        return new Tag<>(name, FaceX.class);
    }

    /** Returns the tag of a field on the faces across y. */
    public static Tag<FaceY> faceY(String name) {
        return new Tag<>(name, FaceY.class);
    }

    /** Returns the tag of a field on the faces across z. */
    public static Tag<FaceZ> faceZ(String name) {
        return new Tag<>(name, FaceZ.class);
    }

    /** Returns the tag of a field at the corners of the cells. */
    public static Tag<Node> node(String name) {
        return new Tag<>(name, Node.class);
    }

    /**
     * Returns the centring of the field, or of the component along {@code axis} of a vector.
     *
     * @param axis 0 for x; of no importance for fields that are no vector
     */
    public Centring centring(int axis) {
        if (location == Cell.class) {
            return Centring.CELL;
        }
        if (location == Node.class) {
            return Centring.NODE;
        }
        return location == Faces.class
                ? Centring.face(axis)
                : Centring.face(location == FaceX.class ? 0 : location == FaceY.class ? 1 : 2);
    }

    /** Returns true if this is a vector, which has a field for each dimension of the grid. */
    public boolean isVector() {
        return location == Faces.class;
    }

    /** Returns the number of fields on a grid: of a vector one for each dimension, else 1. */
    public int components(Grid grid) {
        return isVector() ? grid.dimensions() : 1;
    }

    /**
     * Returns the name, for people. That of a field which an integrator makes has U+0000 inside, which keeps it apart
     * from all names of users, and is left out here.
     */
    @Override
    public String toString() {
        return name.replace("\0", "");
    }
}
