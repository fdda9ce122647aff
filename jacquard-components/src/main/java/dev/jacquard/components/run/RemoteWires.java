package dev.jacquard.components.run;

import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Loop;
import dev.jacquard.components.mesh.Plan.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The wires between ranks, as a table that all ranks compute alike: which rank gets a message when a part has been
 * executed, and the values of which sources are in it.
 *
 * <p>A rank gets a message of a part if one of the rank's parts reads a source of it, or if the part is the exit of a
 * loop that the rank takes part in: then the message says whether another pass follows. A rank takes part in a loop if
 * it has a part in it, or gets messages of one.
 */
final class RemoteWires {
    private final Plan plan;
    private final Placement placement;
    /** By part: the other ranks that get its messages. */
    private final List<TreeSet<Integer>> receivers = new ArrayList<>();

    RemoteWires(Plan plan, Placement placement) {
        this.plan = plan;
        this.placement = placement;
        for (int i = 0; i < plan.parts().size(); i++) {
            receivers.add(new TreeSet<>());
        }
        for (Wire wire : plan.wires()) {
            add(wire.from(), placement.rankOf(wire.to()));
        }
        for (Loop loop : plan.loops()) {
            for (int part : loop.parts()) {
                add(loop.exit(), placement.rankOf(part));
                receivers.get(part).forEach(rank -> add(loop.exit(), rank));
            }
        }
    }

    private void add(int part, int rank) {
        if (placement.rankOf(part) != rank) {
            receivers.get(part).add(rank);
        }
    }

    /** Returns the ranks that get a message when a part has been executed. */
    Iterable<Integer> receivers(int part) {
        return receivers.get(part);
    }

    /** Returns true if a rank gets messages of a part. */
    boolean receives(int rank, int part) {
        return receivers.get(part).contains(rank);
    }

    /** Returns the sources of a part with values that go to a rank. */
    List<Source<?>> sources(int part, int rank) {
        List<Source<?>> all = new ArrayList<>();
        for (Wire wire : plan.wires()) {
            if (wire.from() == part && placement.rankOf(wire.to()) == rank && !all.contains(wire.source())) {
                all.add(wire.source());
            }
        }
        return all;
    }
}
