package dev.jacquard.sim;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.List;

/** The places of a graph as policies see them: the host's workers first, then devices. Immutable. */
final class Places {
    private final List<Place> all = new ArrayList<>();
    private final int hosts;

    Places(WorkGraph graph, int hosts) {
        this.hosts = hosts;
        for (int place = 0; place < graph.places(); place++) {
            String name = graph.place(place);
            all.add(
                    place < hosts
                            ? Place.worker(place)
                            : Place.device(ExecutionTarget.named(name), name, Place.FIRST_NUMBER + place - hosts));
        }
    }

    /** Returns the number of {@code place} in the graph. */
    static int index(Place place, int hosts) {
        return place.isDevice() ? hosts + place.number() - Place.FIRST_NUMBER : place.number();
    }

    int index(Place place) {
        return index(place, hosts);
    }

    /** Returns the place with that number in the graph. */
    Place place(int number) {
        return all.get(number);
    }

    List<Place> workers() {
        return List.copyOf(all.subList(0, hosts));
    }

    /** Returns the places at which a task can run. */
    List<Place> candidates(WorkGraph graph, int task) {
        List<Place> candidates = new ArrayList<>();
        for (int place = 0; place < all.size(); place++) {
            if (graph.canRun(task, place)) {
                candidates.add(all.get(place));
            }
        }
        return candidates;
    }

    /** Returns true if each worker of the host can run a task, and no device. */
    boolean isForHost(WorkGraph graph, int task) {
        for (int place = 0; place < all.size(); place++) {
            if (graph.canRun(task, place) != (place < hosts)) {
                return false;
            }
        }
        return true;
    }
}
