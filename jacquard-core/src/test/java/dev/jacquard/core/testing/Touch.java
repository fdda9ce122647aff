package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Area;
import dev.jacquard.core.access.AreaAccess;
import dev.jacquard.core.access.Mode;
import java.util.Locale;

/**
 * {@code access} to field number {@code field}.
 *
 * @param field the number of the field
 * @param access a mode, or a mode and an area
 */
public record Touch(int field, Access access) {
    /** What is done there. */
    Mode mode() {
        return (Mode) access.whole();
    }

    /** Whether all of the field is accessed. */
    boolean isWhole() {
        return access == mode();
    }

    boolean reads() {
        return switch (mode()) {
            case READ, WRITE, ADD, MUL -> true;
            case OVERWRITE, NONE -> false;
        };
    }

    boolean writes() {
        return switch (mode()) {
            case OVERWRITE, WRITE, ADD, MUL -> true;
            case READ, NONE -> false;
        };
    }

    /** Whether the task must not look at what it finds: others of the kind change it meanwhile. */
    boolean isAtomic() {
        return mode() == Mode.ADD || mode() == Mode.MUL;
    }

    /** As Java. */
    String accessText() {
        return "Access." + mode().name().toLowerCase(Locale.ROOT)
                + (access instanceof AreaAccess part ? "(" + areaText(part.area()) + ")" : "()");
    }

    private static String areaText(Area area) {
        StringBuilder text = new StringBuilder("Area.of(");
        for (int i = 0; i < area.dimensions(); i++) {
            text.append(i == 0 ? "" : ", ").append(area.low(i)).append(", ").append(area.high(i));
        }
        return text.append(')').toString();
    }

    @Override
    public String toString() {
        return "f" + field + ", " + accessText();
    }
}
