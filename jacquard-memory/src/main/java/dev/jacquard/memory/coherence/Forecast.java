package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.residency.Staging.Estimates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers that a placement needs for a decision: the space of a place, the work that a device has, and when data
 * would be in a space.
 *
 * <p>Times are estimated when a task is submitted: its data is there when the task that is to write it is over, or now,
 * and was copied; a device is free when it has done its work.
 *
 * <p>Guarded by the lock of the {@link Coherence}, except for constant fields.
 *
 * <p>Source: the abstract-runtime-system document, section II-C5.
 */
final class Forecast {
    /** The cost of a copy besides the link, in nanoseconds: the threads that start it and that hear of its end. */
    private static final double COPY_NANOS = 20_000;

    private final Store store;
    private final Prefetcher prefetcher;
    private final Clock clock;
    private final TimeModel times;
    /** The spaces by the number of the place; null for places in the memory of the host. */
    private final @Nullable Space[] spaces;
    /** The spaces of the places of an estimate. */
    private Space[] targets = new Space[8];
    /** The times of copies to each of these, in nanoseconds. */
    private double[] copies = new double[8];
    /** The bytes of these copies. */
    private long[] missing = new long[8];

    Forecast(Store store, Prefetcher prefetcher, Clock clock, TimeModel times) {
        this.store = store;
        this.prefetcher = prefetcher;
        this.clock = clock;
        this.times = times;
        int last = store.devices.stream()
                .mapToInt(device -> device.place().number())
                .max()
                .orElse(-1);
        this.spaces = new @Nullable Space[last + 1];
        store.devices.forEach(device -> spaces[device.place().number()] = device);
    }

    /** Returns the space where the data of tasks at {@code place} is to be. */
    Space space(Place place) {
        Space its = place.number() < spaces.length ? spaces[place.number()] : null;
        return its == null ? store.host : its;
    }

    // ---- a task at several places

    /** See {@link dev.jacquard.memory.residency.Staging#estimate}. */
    void estimate(DataNeeds needs, @Nullable AccessPlan plan, List<Place> places, Estimates into) {
        int count = places.size();
        begin(places, count);
        double now = Double.NaN; // not read while no task is to write the data: a third of the time of all the rest
        double ready = 0;
        for (int i = 0; i < needs.all.size(); i++) {
            DataNeed need = needs.all.get(i);
            Directory directory = store.directory(need.data());
            AccessPlan writer = prefetcher.lastWrite(directory, need, plan);
            if (writer != null) {
                now = Double.isNaN(now) ? clock.nanoTime() : now;
                ready = Math.max(ready, remaining(writer, now));
            }
            if (need.reads()) {
                addCopies(directory, need, writer, count);
            }
        }
        for (int i = 0; i < count; i++) {
            Space space = targets[i];
            double queued = plan != null && plan.space == space ? queuedBefore(plan) : queuedNanos(space);
            into.note(i, queued, ready + copies[i], missing[i], tasks(space));
        }
    }

    private void begin(List<Place> places, int count) {
        if (copies.length < count) {
            targets = new Space[count];
            copies = new double[count];
            missing = new long[count];
        }
        for (int i = 0; i < count; i++) {
            targets[i] = space(places.get(i));
            copies[i] = 0;
            missing[i] = 0;
        }
    }

    private void addCopies(Directory directory, DataNeed need, @Nullable AccessPlan writer, int count) {
        Atom whole = directory.atom(need.box());
        long bytes = need.bytes();
        for (int i = 0; i < count; i++) {
            double nanos = bringing(directory, need, bytes, writer, whole, targets[i]);
            copies[i] += nanos;
            missing[i] += nanos > 0 ? bytes : 0;
        }
    }

    /** Returns the time until a task is over; at least the time that its device needs for its work up to the task. */
    private static double remaining(@Nullable AccessPlan plan, double now) {
        if (plan == null) {
            return 0;
        }
        double queued = counts(plan) ? queuedUntilEnd(plan) : 0;
        return Math.max(0, Math.max(queued, plan.expectedEnd - now));
    }

    /** Returns the time that the place of a plan needs for its work up to the plan's task, with that. */
    private static double queuedUntilEnd(AccessPlan plan) {
        return (plan.queuedUntil - plan.space.doneNanos) / plan.space.lanes;
    }

    /**
     * Returns the time to bring the data of a need, from where it will be.
     *
     * @param whole the atom with all of the data; null for several
     */
    private double bringing(
            Directory directory,
            DataNeed need,
            long bytes,
            @Nullable AccessPlan writer,
            @Nullable Atom whole,
            Space device) {
        if (writer != null && !writer.released) {
            return writer.space == device ? 0 : copy(writer.space, device, bytes);
        }
        if (directory.wants.size() > 0 && directory.wants.exactly(need.box(), device.isWantedHere) != null) {
            return 0; // for a task that was submitted before
        }
        if (whole != null) {
            return bringing(whole, bytes, device);
        }
        double all = 0;
        for (Atom atom : directory.meeting(need.box())) {
            long part = atom.box.intersection(need.box()).elements()
                    * need.data().layout().type().bytes();
            all += bringing(atom, part, device);
        }
        return all;
    }

    private double bringing(Atom atom, long bytes, Space device) {
        double least = atom.valid.isEmpty() ? 0 : Double.POSITIVE_INFINITY;
        for (int i = 0; i < atom.valid.size(); i++) {
            Space from = atom.valid.get(i).space;
            least = Math.min(least, from == device ? 0 : copy(from, device, bytes));
        }
        return least;
    }

    /** See {@link Coherence#copyNanos}. Without the lock. */
    double copyNanos(String from, String to, long bytes) {
        Space one = space(from);
        Space other = space(to);
        boolean goes = one.lost == null && other.lost == null;
        return one == other ? 0 : goes ? copy(one, other, bytes) : Double.POSITIVE_INFINITY;
    }

    private Space space(String name) {
        return store.spaces.stream()
                .filter(its -> its.name.equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no memory \"" + name + "\", but " + store.spaces));
    }

    private double copy(Space from, Space to, long bytes) {
        return COPY_NANOS + store.links.nanos(from, to, bytes);
    }

    // ---- work to do

    /** Returns true if a plan counts as work of its place: on a device all tasks do, on the host kernels. */
    private static boolean counts(AccessPlan plan) {
        return plan.space.device() != null || !plan.kernel.isEmpty();
    }

    /**
     * Returns the time until a place can begin with more work than was sent there: with several tasks at a time, as if
     * all were equally long.
     */
    private static double queuedNanos(Space its) {
        if (its.lanes == 1 || its.tasks == 0) {
            return its.queuedNanos;
        }
        int turns = its.tasks / its.lanes; // before the next task's
        return its.queuedNanos / its.tasks * turns;
    }

    /** Returns the number of tasks that were sent to a place and are not over, per task that runs there at a time. */
    private static int tasks(Space its) {
        return Math.ceilDiv(its.tasks, its.lanes);
    }

    /**
     * Returns the time until the place of a ready task has done the work that was sent there before; 0 on the host,
     * where a worker has taken the task.
     */
    private static double queuedBefore(AccessPlan plan) {
        return plan.space.device() == null ? 0 : Math.max(0, queuedUntilEnd(plan) - plan.expectedNanos);
    }

    /** Adds a plan to the work of its place. */
    void add(AccessPlan plan) {
        double now = clock.nanoTime();
        plan.expectedEnd = now;
        Space device = plan.space;
        if (counts(plan)) {
            double ready = 0;
            for (DataNeed need : plan.needs) {
                AccessPlan writer = prefetcher.lastWrite(
                        store.directory(need.data()), need, plan.ordered == 0 ? null : plan); // not itself
                ready = Math.max(ready, remaining(writer, now));
            }
            plan.expectedNanos = Math.max(0, times.nanos(plan.kernel, device.place(), DataNeed.bytes(plan.needs)));
            plan.expectedEnd = now + Math.max(queuedNanos(device), ready) + plan.expectedNanos;
            device.queuedNanos += plan.expectedNanos;
            plan.queuedUntil = device.doneNanos + device.queuedNanos;
            device.tasks++;
        }
    }

    /** Takes a plan from the work of its place. */
    void remove(AccessPlan plan) {
        Space device = plan.space;
        if (counts(plan)) {
            device.tasks--;
            device.doneNanos += plan.expectedNanos;
            device.queuedNanos = device.tasks == 0 ? 0 : device.queuedNanos - plan.expectedNanos;
        }
    }

    /** Notes that a task's kernel has run for {@code nanos}. */
    void took(AccessPlan plan, double nanos) {
        times.add(plan.kernel, plan.space.place(), DataNeed.bytes(plan.needs), nanos);
    }

    // ---- impossible claims

    /** Throws when a task could never have room for all it needs; the user's own arrays need none on the host. */
    void requireFits(String task, DataNeeds needs, Place place) {
        String misfit = misfit(task, needs, space(place));
        if (misfit != null) {
            throw new IllegalArgumentException(misfit);
        }
    }

    /** Returns true if a task could have room for all that it needs, once others have gone. */
    boolean fits(DataNeeds needs, Place place) {
        Space space = space(place);
        long room = Math.min(space.limit, space.largest());
        boolean isPacked = space.device() != null; // on the host, rows may be padded
        return room == Long.MAX_VALUE || (isPacked && needs.bytes() <= room) || misfit("", needs, space) == null;
    }

    /** Returns why a task could never have room there for all that it needs; null when it could. */
    private @Nullable String misfit(String task, DataNeeds needs, Space space) {
        long bytes = 0;
        for (int i = 0; i < needs.all.size(); i++) {
            DataNeed need = needs.all.get(i);
            boolean there = (space == store.host && need.data().home() != null) || needs.isSame(i, space);
            bytes += there ? 0 : needs.bytes(i, space);
            if (space.bytes(need) > space.largest()) {
                return "task \"" + task + "\" accesses " + need.data().name() + need.box() + " of " + space.bytes(need)
                        + " bytes, and no buffer of " + space + " can be larger than " + space.largest()
                        + ": let it access smaller parts";
            }
        }
        if (bytes > space.limit) {
            return "task \"" + task + "\" accesses " + bytes + " bytes of data, and " + space + " may hold "
                    + space.limit + ": let it access smaller parts, or raise the limit";
        }
        return null;
    }
}
