package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Parts;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Estimates;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The work that a recording has placed so far, for the placement of its next task: the tasks at each place, and where
 * and when data is written, counted from the start of a run. The places do nothing else then: live tasks of the session
 * do not count. Data that no recorded task writes is where it is now.
 *
 * <p>Threads: confined to the recording's.
 */
final class RecordedWork {
    /** The number of writes of one data that are remembered: parts that were written before are where they are now. */
    private static final int MOST_WRITES = 1_024;

    private static final Deque<Written> NO_WRITES = new ArrayDeque<>(0);

    private final Dispatcher dispatcher;
    private final Staging staging;
    private final Map<Place, Load> loads = new HashMap<>();
    /** The last writes of each data, the oldest first; none is a part of a later one. */
    private final IdentityHashMap<Data, Deque<Written>> writes = new IdentityHashMap<>();

    /** The kernels at a place: how many, and their expected time one after the other. */
    private record Load(int tasks, double nanos) {
        static final Load NONE = new Load(0, 0);

        /** Returns the time until the next of {@code lanes} at a time can begin. */
        double queuedNanos(int lanes) {
            return tasks == 0 ? 0 : nanos / tasks * (lanes == 1 ? tasks : tasks / lanes);
        }
    }

    /** The last write of a part of some data: where, and the expected end of the task. */
    private record Written(Box part, Place place, double end) {}

    RecordedWork(Dispatcher dispatcher, Staging staging) {
        this.dispatcher = dispatcher;
        this.staging = staging;
    }

    private Load load(Place place) {
        return loads.getOrDefault(place, Load.NONE);
    }

    private int lanes(Place place) {
        return place.isDevice() ? 1 : Math.max(1, dispatcher.hostWorkers());
    }

    /** Estimates a task with these accesses at each of the places. */
    void estimate(AccessList accesses, List<Place> places, Estimates into) {
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            Arrival arrival = arrival(accesses, place);
            Load load = load(place);
            int lanes = lanes(place);
            into.note(
                    i,
                    load.queuedNanos(lanes),
                    arrival.ready + arrival.copies,
                    arrival.missing,
                    Math.ceilDiv(load.tasks, lanes));
        }
    }

    /** Adds a task that was recorded for a place. */
    void add(String name, String kernel, AccessList accesses, Place place) {
        boolean isKernel = !kernel.isEmpty();
        long bytes = isKernel ? staging.footprint(accesses).bytes() : 0;
        double nanos = Math.max(0, dispatcher.times().nanos(isKernel ? kernel : name, place, bytes));
        Arrival arrival = arrival(accesses, place);
        Load load = load(place);
        double start = Math.max(isKernel ? load.queuedNanos(lanes(place)) : 0, arrival.ready + arrival.copies);
        if (isKernel) {
            loads.put(place, new Load(load.tasks + 1, load.nanos + nanos));
        }
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data && accesses.access(i).writes()) {
                wrote(data, new Written(Parts.box(data, accesses.access(i)), place, start + nanos));
            }
        }
    }

    private void wrote(Data data, Written last) {
        Deque<Written> all = writes.computeIfAbsent(data, any -> new ArrayDeque<>());
        all.removeIf(write -> last.part.contains(write.part));
        if (all.size() == MOST_WRITES) {
            all.removeFirst();
        }
        all.addLast(last);
    }

    /** The time when the data of a task is written, and the copies to one place. */
    private static final class Arrival implements Estimates {
        double ready;
        double copies;
        long missing;

        @Override
        public void note(int place, double queuedNanos, double dataNanos, long missingBytes, int tasks) {
            copies += dataNanos;
            missing += missingBytes;
        }
    }

    private Arrival arrival(AccessList accesses, Place place) {
        Arrival arrival = new Arrival();
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data) {
                arrive(arrival, data, accesses.access(i), place);
            }
        }
        return arrival;
    }

    private void arrive(Arrival arrival, Data data, Access access, Place place) {
        Box need = Parts.box(data, access);
        boolean written = false;
        for (Written write : writes.getOrDefault(data, NO_WRITES)) {
            if (write.part.intersects(need)) {
                written = true;
                arrival.ready = Math.max(arrival.ready, write.end);
                if (access.reads() && !write.place.memory().equals(place.memory())) {
                    long bytes = write.part.intersection(need).elements()
                            * data.layout().type().bytes();
                    arrival.copies += staging.copyNanos(write.place.memory(), place.memory(), bytes);
                    arrival.missing += bytes;
                }
            }
        }
        if (!written) {
            staging.estimate(staging.footprint(AccessList.of(data, access)), null, List.of(place), arrival);
        }
    }
}
