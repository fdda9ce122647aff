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

    /** Returns the number of workers of the host. */
    int hosts() {
        return hosts;
    }

    /** Returns the place with that number in the graph. */
    Place place(int number) {
        return all.get(number);
    }

    List<Place> workers() {
        return List.copyOf(all.subList(0, hosts));
    }

    /**
     * Returns the places among which a task is placed: the devices that can run it, and the workers of the host that
     * can, together if all of them can.
     *
     * @param weighsHost false to leave the host out where a device can run the task
     */
    List<Place> candidates(WorkGraph graph, int task, boolean weighsHost) {
        List<Place> devices = able(graph, task, hosts, all.size());
        if (!devices.isEmpty() && !weighsHost) {
            return devices;
        }
        List<Place> workers = able(graph, task, 0, hosts);
        List<Place> candidates = new ArrayList<>(workers.size() == hosts ? List.of(Place.HOST) : workers);
        candidates.addAll(devices);
        return candidates;
    }

    private List<Place> able(WorkGraph graph, int task, int from, int to) {
        List<Place> able = new ArrayList<>();
        for (int place = from; place < to; place++) {
            if (graph.canRun(task, place)) {
                able.add(all.get(place));
            }
        }
        return able;
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
