package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.Data;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a store without values that can be looked at, and the reasons: fields that trees compute without memory
 * of their own, and fields with old values, since loops have computed the expression and written it elsewhere after the
 * field. Whatever writes a field gives it values again.
 *
 * <p>Threads: one at a time, as for the store. But tasks of recorded graphs note their effects while they run, by
 * {@link #written} and the result of {@link #computedElsewhere}; the effects of live tasks are noted by their
 * submitter.
 */
final class OldValues {
    private final Grid grid;
    /** The fields of the store, which any thread may read. */
    private final Map<FieldKey, GridField> fields;

    private final Predicate<Data> external;
    /** The reasons why fields have no memory. */
    private final Map<Tag<?>, String> unstored = new ConcurrentHashMap<>();
    /** The reasons why fields have old values, by their memory. */
    private final Map<Data, String> old = new ConcurrentHashMap<>();

    /** {@code external} returns true of data in which a user looks at a field. */
    OldValues(Grid grid, Map<FieldKey, GridField> fields, Predicate<Data> external) {
        this.grid = grid;
        this.fields = fields;
        this.external = external;
    }

    /**
     * Returns true if a tree that computes a field is to store it: it lies in memory or data of the user's, to be
     * looked at.
     */
    boolean mustBeStored(Tag<?> tag) {
        GridField field = fields.get(new FieldKey(tag, 0));
        return field != null && external.test(field.data());
    }

    /**
     * Notes that a tree computes a field without its own memory, or that the field has such memory.
     *
     * @param reason why it has none
     */
    void setUnstored(Tag<?> tag, @Nullable String reason) {
        if (reason == null) {
            unstored.remove(tag);
        } else if (!fields.containsKey(new FieldKey(tag, 0))) {
            unstored.put(tag, reason);
        }
    }

    /** Returns true if a tree that was submitted or recorded computes a field without its own memory. */
    boolean isUnstored(Tag<?> tag) {
        return unstored.containsKey(tag);
    }

    /**
     * Throws an exception if a field is to get no memory.
     *
     * @throws IllegalStateException with the reason
     */
    void requireStored(Tag<?> tag) {
        String reason = unstored.get(tag);
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }

    /**
     * Throws an exception if a loop that begins reads old values.
     *
     * @throws IllegalStateException with the reason
     */
    void requireNew(List<GridField> inputs) {
        if (!old.isEmpty()) {
            inputs.forEach(this::requireNew);
        }
    }

    /** Notes that a field is written. */
    void written(Data data) {
        if (!old.isEmpty()) {
            old.remove(data);
        }
    }

    /**
     * Notes that a field has values in part, until it is {@linkplain #written written}: the code that sets it may
     * throw.
     */
    void setBrokenOff(GridField field) {
        old.put(
                field.data(),
                "\"" + field.name() + "\" has no values: what was to set it threw an exception; set it again");
    }

    /**
     * Returns an action that notes that loops compute fields, and write nothing to the existing fields of the store.
     *
     * @param reasons why not, by the fields
     */
    Runnable computedElsewhere(Map<Tag<?>, String> reasons) {
        Map<FieldKey, String> all = new HashMap<>();
        reasons.forEach((tag, reason) -> {
            for (int axis = 0; axis < tag.components(grid); axis++) {
                all.put(new FieldKey(tag, axis), reason);
            }
        });
        BiConsumer<FieldKey, String> note = (key, reason) -> {
            GridField its = fields.get(key);
            if (its != null && !reason.equals(old.get(its.data()))) {
                old.put(its.data(), reason);
            }
        };
        return () -> all.forEach(note); // made once: runs make no garbage
    }

    /**
     * Returns a field with values that can be looked at.
     *
     * @throws IllegalStateException with the reason, if they are old
     */
    GridField requireNew(GridField field) {
        String reason = old.get(field.data());
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
        return field;
    }

    void clear() {
        old.clear();
    }
}
