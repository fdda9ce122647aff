package dev.jacquard.core.testing;

import dev.jacquard.core.access.Mode;
import java.util.List;

/**
 * When accesses conflict and cover each other, said once more and otherwise than the engine says it: by a table of kinds
 * and by sets of cells. Source: the resource-register document, table 1 and section 7.1.
 *
 * @param fields what is touched
 */
record Rules(List<Field> fields) {
    /** Whether {@code field} is a part of {@code whole}, or a part of a part. */
    boolean isWithin(int field, int whole) {
        for (int above = fields.get(field).parent();
                above >= 0;
                above = fields.get(above).parent()) {
            if (above == whole) {
                return true;
            }
        }
        return false;
    }

    boolean isUnordered(Touch touch) {
        return fields.get(touch.field()).unordered();
    }

    /** Whether the two must not happen at the same time. Symmetric. */
    boolean conflict(Touch one, Touch other) {
        if (!conflict(one.mode(), other.mode())) {
            return false;
        }
        if (one.field() == other.field()) {
            return (mask(one) & mask(other)) != 0;
        }
        return isWithin(one.field(), other.field()) || isWithin(other.field(), one.field());
    }

    private static boolean conflict(Mode one, Mode other) {
        return one != Mode.NONE && other != Mode.NONE && (one != other || one == Mode.WRITE || one == Mode.OVERWRITE);
    }

    /** Whether who may do {@code much} may do {@code little}. */
    boolean covers(Touch much, Touch little) {
        boolean kind = little.mode() == Mode.NONE
                || much.mode() == little.mode()
                || much.mode() == Mode.WRITE
                || much.mode() == Mode.OVERWRITE;
        if (!kind) {
            return false;
        }
        if (much.field() != little.field()) {
            return isWithin(little.field(), much.field()) && (much.isWhole() || little.mode() == Mode.NONE);
        }
        return much.isWhole() || little.mode() == Mode.NONE || (!little.isWhole() && (mask(little) & ~mask(much)) == 0);
    }

    private long mask(Touch touch) {
        return fields.get(touch.field()).mask(touch.access());
    }

    /** {@code touches} after the only one of {@code to}'s field has become {@code to}. */
    static List<Touch> demoted(List<Touch> touches, Touch to) {
        return touches.stream()
                .map(touch -> touch.field() == to.field() ? to : touch)
                .toList();
    }

    static List<Touch> demoted(List<Touch> touches, List<Touch> tos) {
        List<Touch> left = touches;
        for (Touch to : tos) {
            left = demoted(left, to);
        }
        return left;
    }
}
