package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queues of nodes that only certain workers run, by place: the main thread's, then one for each target. Threads:
 * any.
 */
final class Places {
    /** All but the main thread's, the host's first. */
    private final List<Place> all;
    /** By the number of the place; null for the host's, and for the main thread's where there is none. */
    private final @Nullable PlaceQueue[] queues;

    Places(EngineOptions options) {
        this.all = Stream.concat(Stream.of(Place.HOST), options.places().keySet().stream())
                .toList();
        this.queues = new @Nullable
                PlaceQueue[all.stream().mapToInt(Place::number).max().orElseThrow() + Place.FIRST_NUMBER];
        if (options.main() != null) {
            queues[Place.MAIN.number()] = new PlaceQueue();
        }
        options.places().keySet().forEach(place -> queues[place.number()] = new PlaceQueue());
    }

    List<Place> all() {
        return all;
    }

    /** The queue of the place; null when no worker serves it, or any host worker does. */
    @Nullable
    PlaceQueue queue(Place place) {
        return place.number() < queues.length ? queues[place.number()] : null;
    }

    void add(Node node) {
        PlaceQueue queue = queue(node.place());
        if (queue == null) {
            throw new IllegalStateException(
                    node.isMain()
                            ? "a node is for the main thread, and this session has none"
                            : "a node is for " + node.place() + ", which no worker serves; there are workers for "
                                    + all);
        }
        queue.add(node);
    }

    /** Shows the queued nodes right now; {@code whenMainComes} is said of the main thread's. Any thread. */
    void visit(NodeVisitor visitor, String whenMainComes) {
        PlaceQueue mains = queue(Place.MAIN);
        if (mains != null) {
            mains.visit(visitor, "is queued for the main thread" + whenMainComes);
        }
        for (Place place : all) {
            PlaceQueue queue = queue(place);
            if (queue != null) {
                queue.visit(visitor, "is queued for target " + place);
            }
        }
    }
}
