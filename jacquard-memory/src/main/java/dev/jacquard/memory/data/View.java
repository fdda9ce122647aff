package dev.jacquard.memory.data;

import java.util.Objects;

/**
 * A part of data.
 *
 * @param data of which
 * @param box which indices
 */
public record View(Data data, Box box) {
    public View {
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(box, "box");
    }

    /** This part with {@code margin} more on every side, as far as the data goes. */
    public View halo(long margin) {
        return new View(data, box.grow(margin, data.box()));
    }

    @Override
    public String toString() {
        return data.name() + box;
    }
}
