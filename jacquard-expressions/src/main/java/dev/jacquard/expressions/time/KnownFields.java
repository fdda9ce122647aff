package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The fields that a recorded step reads and writes. A graph knows the fields that it was recorded with: with others in
 * their places it would advance, or read, old values.
 *
 * <p>Threads: one at a time.
 */
final class KnownFields {
    private final FieldStore fields;
    private final List<Tag<?>> known;
    /** The data of the fields, as the last step left them. */
    private final List<Data> left = new ArrayList<>();

    KnownFields(FieldStore fields, Collection<Tag<?>> known) {
        this.fields = fields;
        this.known = List.copyOf(known);
        note();
    }

    /** Notes the fields as a step leaves them. */
    void note() {
        left.clear();
        for (Tag<?> tag : known) {
            for (int axis = 0; axis < tag.components(fields.grid()); axis++) {
                left.add(fields.field(tag, axis).data());
            }
        }
    }

    /**
     * Throws if the store has another field in the place of one.
     *
     * @throws IllegalStateException which names the field
     */
    void requireUnexchanged() {
        int next = 0;
        for (Tag<?> tag : known) {
            for (int axis = 0; axis < tag.components(fields.grid()); axis++) {
                GridField now = fields.field(tag, axis);
                if (!now.data().equals(left.get(next++))) {
                    throw new IllegalStateException("\"" + now.name()
                            + "\" was exchanged since the integrator's last step, by FieldStore.swap or another"
                            + " integrator: compile one for the fields as they are, or let one integrator advance them"
                            + " all");
                }
            }
        }
    }
}
