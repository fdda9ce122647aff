package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one producer that want items with tickets: the stages whose items may still ask a memory edge.
 *
 * <p>Threads: immutable.
 */
final class Feed {
    private final BufferGrants ledger;
    private final Place[] places;

    Feed(ItemSink[] targets, BufferGrants ledger) {
        this.ledger = ledger;
        List<Place> found = new ArrayList<>();
        for (ItemSink target : targets) {
            if (target instanceof Stage stage && stage.here() != null) {
                found.add(stage.here());
            }
        }
        this.places = found.toArray(Place[]::new);
    }

    /** Returns true if no consumer wants tickets. */
    boolean isPlain() {
        return places.length == 0;
    }

    boolean isNumbered(ItemSink target) {
        return target instanceof Stage stage && stage.here() != null;
    }

    /**
     * Announces items before they are appended. Returns the items with tickets if a consumer wants them; otherwise the
     * items as they are.
     */
    @Nullable
    Object[] arrive(@Nullable Object[] items, long @Nullable [] tickets, int count) {
        return places.length == 0 ? items : ledger.arrive(places, items, tickets, count);
    }
}
