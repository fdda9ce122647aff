package dev.jacquard.expressions.text;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Operators;
import dev.jacquard.expressions.text.Operand.Quantity;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The points where an operand has values. */
enum Centre {
    /** Numbers, parameters and coordinates, which have a value at every point. */
    ANYWHERE(null, "at every point"),
    CELLS(Location.Cell.class, "in cells"),
    FACES(Location.Faces.class, "on faces"),
    FACES_X(Location.FaceX.class, "on the faces across x"),
    FACES_Y(Location.FaceY.class, "on the faces across y"),
    FACES_Z(Location.FaceZ.class, "on the faces across z"),
    NODES(Location.Node.class, "at nodes");

    private final @Nullable Class<? extends Location> location;
    private final String text;

    Centre(@Nullable Class<? extends Location> location, String text) {
        this.location = location;
        this.text = text;
    }

    static Centre of(Class<? extends Location> location) {
        return Arrays.stream(values())
                .filter(centre -> centre.location == location)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(location + " is no location of fields"));
    }

    /** Returns the location; there is none for an operand with a value anywhere. */
    Class<? extends Location> location() {
        return Objects.requireNonNull(location);
    }

    /** Returns true if values with this centring have one wherever the other is. */
    boolean fits(Centre other) {
        return this == ANYWHERE || this == other;
    }

    /** Returns the component of a vector that lies here; the vector itself if none does. */
    Quantity component(Quantity vector) {
        return switch (this) {
            case FACES_X -> new Quantity(this, vector.start(), Operators.componentX(vector.as()), null, false);
            case FACES_Y -> new Quantity(this, vector.start(), Operators.componentY(vector.as()), null, false);
            case FACES_Z -> new Quantity(this, vector.start(), Operators.componentZ(vector.as()), null, false);
            default -> vector;
        };
    }

    /** Returns the centring of two joined operands. */
    Centre with(Centre other, Token joined) {
        if (fits(other)) {
            return other;
        }
        if (!other.fits(this)) {
            throw joined.wrong(joined + " joins a value " + this + " and one " + other
                    + (isOf(other, CELLS, FACES) ? "; faces(...) leads from cells to faces, cells(...) back" : ""));
        }
        return this;
    }

    private boolean isOf(Centre other, Centre one, Centre another) {
        return (this == one && other == another) || (this == another && other == one);
    }

    /** Returns where that is, for messages: {@code in cells}. */
    @Override
    public String toString() {
        return text;
    }
}
