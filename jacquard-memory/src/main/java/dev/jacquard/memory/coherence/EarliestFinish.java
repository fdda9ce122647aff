package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks run where: the spaces of places, and the device on which a task is expected to end first.
 *
 * <p>The end is estimated when the task is submitted: its data is there when who is to write it is over, or now, and it
 * was moved; the device is free when it has done what it was given; then the kernel runs as long as it did so far. This
 * is the earliest-finish-time rule, one task at a time.
 *
 * <p>Guarded by the lock of the {@link Coherence}, but for what is constant.
 *
 * <p>Source: the abstract-runtime-system document, section II-C5.
 */
final class EarliestFinish {
    /** What a copy costs besides the link, in nanoseconds: those who start it and who hear of its end. */
    private static final double COPY_NANOS = 20_000;
    /** So many choices are remembered. */
    private static final int CHOICES = 256;

    private final Store store;
    private final Prefetcher prefetcher;
    private final Clock clock;
    private final TimeModel times = new TimeModel();
    /** The newest last. */
    private final Deque<Explanation> choices = new ArrayDeque<>();
    /** Written before the first task. */
    private final Map<Integer, Space> places = new HashMap<>();

    EarliestFinish(Store store, Prefetcher prefetcher, Clock clock) {
        this.store = store;
        this.prefetcher = prefetcher;
        this.clock = clock;
    }

    void places(ToIntFunction<Target> placeOf) {
        for (DeviceSpace device : store.devices) {
            places.put(placeOf.applyAsInt(device.itself), device);
        }
    }

    /** Where the data of tasks at {@code place} is to be. */
    Space space(int place) {
        return places.getOrDefault(place, store.host);
    }

    /** Those that are {@code kind}, or are called so; as targets of their own. */
    List<Target> devices(Target kind) {
        return store.devices.stream()
                .filter(device -> device.is(kind))
                .map(device -> device.itself)
                .toList();
    }

    boolean hasDevice(Target target) {
        return store.devices.stream().anyMatch(device -> device.is(target));
    }

    // ---- the device for a task

    /**
     * Where a task is expected to end first; of equal devices, to which less has to be moved; then the one with fewest
     * tasks.
     */
    @Nullable
    Target choose(
            String task, String kernel, Set<Target> kinds, @Nullable Target wanted, Needs needs, Set<Target> without) {
        List<DeviceSpace> able = store.devices.stream()
                .filter(device ->
                        isLike(device, kinds, wanted) && device.lost == null && !without.contains(device.itself))
                .toList();
        if (able.size() > 1) {
            List<DeviceSpace> roomy = able.stream()
                    .filter(device -> misfit(task, needs, device) == null)
                    .toList();
            able = roomy.isEmpty() ? able : roomy;
        }
        if (able.size() <= 1) {
            return able.isEmpty() ? null : able.getFirst().itself;
        }
        double now = clock.nanoTime();
        List<Explanation.Estimate> estimates = new ArrayList<>();
        int best = 0;
        for (int i = 0; i < able.size(); i++) {
            estimates.add(estimate(kernel, needs.all, able.get(i), able, now));
            best = isBetter(estimates.get(i), estimates.get(best)) ? i : best;
        }
        if (choices.size() == CHOICES) {
            choices.remove();
        }
        choices.add(new Explanation(task, kernel, able.get(best).name, estimates));
        return able.get(best).itself;
    }

    /** A lost device; under the lock. */
    @Nullable
    Target lost(Set<Target> kinds, @Nullable Target wanted) {
        for (DeviceSpace device : store.devices) {
            if (isLike(device, kinds, wanted) && device.lost != null) {
                return device.itself;
            }
        }
        return null;
    }

    private static boolean isLike(DeviceSpace device, Set<Target> kinds, @Nullable Target wanted) {
        return kinds.stream().anyMatch(device::is) && (wanted == null || device.is(wanted));
    }

    private static boolean isBetter(Explanation.Estimate one, Explanation.Estimate other) {
        if (one.endNanos() != other.endNanos()) {
            return one.endNanos() < other.endNanos();
        }
        return one.missingBytes() != other.missingBytes()
                ? one.missingBytes() < other.missingBytes()
                : one.tasks() < other.tasks();
    }

    private Explanation.Estimate estimate(
            String kernel, List<Need> needs, DeviceSpace device, List<DeviceSpace> able, double now) {
        double ready = 0;
        double transfer = 0;
        long missing = 0;
        for (Need need : needs) {
            Directory directory = store.directory(need.data());
            AccessPlan writer = prefetcher.lastWrite(directory, need, null);
            ready = Math.max(ready, remaining(writer, now));
            double nanos = need.reads() ? bringing(directory, need, writer, device) : 0;
            transfer += nanos;
            missing += nanos > 0 ? need.bytes() : 0;
        }
        double run = expected(kernel, needs, device, able);
        double data = ready + transfer;
        return new Explanation.Estimate(
                device.name,
                device.queuedNanos,
                data,
                run,
                Math.max(device.queuedNanos, data) + run,
                missing,
                device.tasks);
    }

    /** How long a task will not be over; at least as long as its device needs for what it was given up to it. */
    private static double remaining(@Nullable AccessPlan plan, double now) {
        if (plan == null) {
            return 0;
        }
        double queued = plan.space.device() == null ? 0 : plan.queuedUntil - plan.space.doneNanos;
        return Math.max(0, Math.max(queued, plan.expectedEnd - now));
    }

    /** How long it takes to bring what a need is for, from where it will be. */
    private double bringing(Directory directory, Need need, @Nullable AccessPlan writer, DeviceSpace device) {
        if (writer != null && !writer.released) {
            return writer.space == device ? 0 : copy(writer.space, device, need.bytes());
        }
        if (directory.wants.exactly(need.box(), want -> want.space == device) != null) {
            return 0; // for a task that was submitted before
        }
        double all = 0;
        for (Atom atom : directory.meeting(need.box())) {
            long bytes = atom.box.intersection(need.box()).elements()
                    * need.data().layout().type().bytes();
            double least = atom.valid.isEmpty() ? 0 : Double.POSITIVE_INFINITY;
            for (Replica replica : atom.valid) {
                least = Math.min(least, replica.space == device ? 0 : copy(replica.space, device, bytes));
            }
            all += least;
        }
        return all;
    }

    private double copy(Space from, DeviceSpace to, long bytes) {
        return COPY_NANOS + store.links.nanos(from, to, bytes);
    }

    /** How long the kernel ran there so far, or on the other devices where it has not yet; 0 when it has nowhere. */
    private double expected(String kernel, List<Need> needs, DeviceSpace device, List<DeviceSpace> able) {
        long bytes = bytes(needs);
        double known = times.of(kernel, device, bytes);
        if (known >= 0) {
            return known;
        }
        double sum = 0;
        int count = 0;
        for (DeviceSpace other : able) {
            double its = times.of(kernel, other, bytes);
            sum += Math.max(0, its);
            count += its < 0 ? 0 : 1;
        }
        return count == 0 ? 0 : sum / count;
    }

    private static long bytes(List<Need> needs) {
        long bytes = 0;
        for (Need need : needs) {
            bytes += need.bytes();
        }
        return bytes;
    }

    // ---- what is there to do

    /** Its device has that much more to do. */
    void add(AccessPlan plan) {
        double now = clock.nanoTime();
        plan.expectedEnd = now;
        Space device = plan.space;
        if (device.device() != null) {
            double ready = 0;
            for (Need need : plan.needs) {
                AccessPlan writer = prefetcher.lastWrite(
                        store.directory(need.data()), need, plan.ordered == 0 ? null : plan); // not itself
                ready = Math.max(ready, remaining(writer, now));
            }
            plan.expectedNanos = Math.max(0, times.of(plan.kernel, device, bytes(plan.needs)));
            plan.expectedEnd = now + Math.max(device.queuedNanos, ready) + plan.expectedNanos;
            device.queuedNanos += plan.expectedNanos;
            plan.queuedUntil = device.doneNanos + device.queuedNanos;
            device.tasks++;
        }
    }

    /** It has not any more. */
    void remove(AccessPlan plan) {
        Space device = plan.space;
        if (device.device() != null) {
            device.tasks--;
            device.doneNanos += plan.expectedNanos;
            device.queuedNanos = device.tasks == 0 ? 0 : device.queuedNanos - plan.expectedNanos;
        }
    }

    /** A task's kernel has run that long. */
    void took(AccessPlan plan, double nanos) {
        times.add(plan.kernel, plan.space, bytes(plan.needs), nanos);
    }

    List<Explanation> choices() {
        return List.copyOf(choices);
    }

    // ---- what can never be

    /** Throws when a task could never have room for all it needs; the user's own arrays need none on the host. */
    void requireFits(String task, Needs needs, int place) {
        String misfit = misfit(task, needs, space(place));
        if (misfit != null) {
            throw new IllegalArgumentException(misfit);
        }
    }

    /** Why a task could never have room there for all that it needs; null when it could. */
    private @Nullable String misfit(String task, Needs needs, Space space) {
        long bytes = 0;
        for (int i = 0; i < needs.all.size(); i++) {
            Need need = needs.all.get(i);
            boolean there = (space == store.host && need.data().home() != null) || needs.isSame(i, space);
            bytes += there ? 0 : needs.bytes(i, space);
            if (need.bytes() > space.largest()) {
                return "task \"" + task + "\" accesses " + need.data().name() + need.box() + " of " + need.bytes()
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
