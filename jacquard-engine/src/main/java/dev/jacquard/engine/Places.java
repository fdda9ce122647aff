package dev.jacquard.engine;

import dev.jacquard.base.machine.Target;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues of nodes that only certain workers run, by place: the main thread's, then one for each target. Threads:
 * any.
 */
final class Places {
    private final List<Target> targets;
    /** Null for the host's place, and for the main thread's where there is none. */
    private final @Nullable PlaceQueue[] queues;

    Places(EngineOptions options) {
        this.targets = List.copyOf(options.targets().keySet());
        this.queues = new @Nullable PlaceQueue[Node.MAIN + 1 + targets.size()];
        for (int place = options.main() == null ? Node.MAIN + 1 : Node.MAIN; place < queues.length; place++) {
            queues[place] = new PlaceQueue();
        }
    }

    /** The place of a target's nodes; -1 when it has no workers. */
    int of(Target target) {
        int number = targets.indexOf(target);
        if (number >= 0) {
            return Node.MAIN + 1 + number;
        }
        return target.equals(Target.HOST) ? Node.ANYWHERE : -1;
    }

    Set<Target> targets() {
        Set<Target> all = new LinkedHashSet<>(List.of(Target.HOST));
        all.addAll(targets);
        return all;
    }

    /** Null when nobody serves the place, or any host worker does. */
    @Nullable
    PlaceQueue queue(int place) {
        return place < queues.length ? queues[place] : null;
    }

    void add(Node node) {
        PlaceQueue queue = queue(node.place());
        if (queue == null) {
            throw new IllegalStateException(
                    node.isMain()
                            ? "a node is for the main thread, and this session has none"
                            : "a node is for place " + node.place() + ", which nobody serves; there are workers for "
                                    + targets());
        }
        queue.add(node);
    }

    /** Shows what is queued right now; {@code whenMainComes} is said of the main thread's. Any thread. */
    void visit(NodeVisitor visitor, String whenMainComes) {
        for (int place = Node.MAIN; place < queues.length; place++) {
            PlaceQueue queue = queues[place];
            if (queue != null) {
                queue.visit(
                        visitor,
                        "is queued for "
                                + (place == Node.MAIN
                                        ? "the main thread" + whenMainComes
                                        : "target " + targets.get(place - Node.MAIN - 1)));
            }
        }
    }
}
