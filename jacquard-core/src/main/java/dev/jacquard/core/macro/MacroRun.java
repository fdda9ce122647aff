package dev.jacquard.core.macro;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.text.UserText;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.session.DeviceAccess;
import dev.jacquard.core.session.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One run of a macro task, from the begin of its body to the end of its last item; the stage of the task.
 *
 * <p>{@link #open} counts items that have not ended, lanes of devices, and the body. The thread that brings it to 0
 * completes the stage. A stop takes all items that are left, so the stage completes when the items that run have ended.
 *
 * <p>Threads: begun by a worker; all else by any.
 */
final class MacroRun<T> extends CompletableFuture<MacroTask.Report> {
    private static final int MOST_FAILURES = 16;

    private final MacroTask<T> macro;
    private final BodyContext context;
    /** Null for a run within the body of a task. */
    private final @Nullable Session session;
    /** The host; null if the macro task has no implementation for it. */
    private final @Nullable Side host;
    /** True if the host takes part from the start; else only for a device that fails. */
    private final boolean hostBegins;

    private final List<DeviceItems<T>> devices;
    private final ItemSplit split;
    private final AtomicInteger open;
    /** The lanes that are not over. */
    private final AtomicInteger lanes = new AtomicInteger();

    private final AtomicInteger cancelled = new AtomicInteger();
    /** True once no further item begins. Written by any thread. */
    private volatile boolean stopped;
    /** The failures of items, the first ones. Guarded by itself. */
    private final List<Failure> failures = new ArrayList<>(0);
    /** Guarded by {@link #failures}. */
    private int failed;
    /** The failure of the driver; null for none. Guarded by {@link #failures}. */
    private @Nullable Throwable driverFailure;

    /** The failure of an item. */
    private record Failure(int index, String place, Throwable cause) {}

    /**
     * Makes a run.
     *
     * @param places the devices that take part
     */
    MacroRun(
            MacroTask<T> macro,
            BodyContext context,
            @Nullable Session session,
            boolean hostBegins,
            List<Place> places) {
        this.macro = macro;
        this.context = context;
        this.session = session;
        this.hostBegins = hostBegins;
        this.host = macro.items().hasHost() ? side(Place.HOST) : null;
        this.devices = new ArrayList<>();
        List<Side> sides = new ArrayList<>();
        if (host != null && hostBegins) {
            sides.add(host);
        }
        for (Place place : places) {
            DeviceItems<T> device =
                    new DeviceItems<>(this, side(place), new DeviceAccess(Objects.requireNonNull(session), place));
            devices.add(device);
            sides.add(device.side());
        }
        this.split = new ItemSplit(macro.items().size(), sides);
        this.open = new AtomicInteger(macro.items().size() + 1);
    }

    private Side side(Place place) {
        return session == null
                ? new Side(place, Clock.system(), 0)
                : new Side(
                        place, session.clock(), session.executor().times().nanos(timeName(context.name()), place, 0));
    }

    /** Returns the name under which times of items are kept. */
    static String timeName(String task) {
        return "item of " + task;
    }

    // ---- begin and end

    /** Begins all items. Returns when the driver of the host does. */
    void begin() {
        devices.forEach(DeviceItems::begin);
        if (hostBegins) {
            forkHost();
        }
        ended(1);
    }

    private void forkHost() {
        try {
            macro.driver().fork(new HostItems<>(this, split.left()));
        } catch (CancellationException e) { // a loop that was stopped
            stop();
        } catch (Throwable e) {
            synchronized (failures) {
                driverFailure = Suppressed.join(driverFailure, e);
            }
            stop();
        }
    }

    /** Counts parts of the run that are over: the last thing that a strand does with them. */
    void ended(int parts) {
        if (open.addAndGet(-parts) == 0) {
            finish();
        }
    }

    private void finish() {
        if (session != null) {
            String name = timeName(context.name());
            if (host != null) {
                host.learn(session.executor().times(), name);
            }
            devices.forEach(device -> device.side().learn(session.executor().times(), name));
        }
        RuntimeException failure = failure();
        if (failure == null) {
            complete(report());
        } else {
            completeExceptionally(failure);
        }
    }

    /** Throws the failure of a run that is over, if there is one. */
    void throwFailure() {
        RuntimeException failure = failure();
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException failure() {
        MacroTask.Report report = report();
        synchronized (failures) {
            if (!failures.isEmpty()) {
                ItemFailedException first = exception(failures.getFirst(), report);
                failures.stream().skip(1).forEach(more -> Suppressed.add(first, exception(more, null)));
                return first;
            }
            if (driverFailure != null) {
                return new IllegalStateException(
                        text() + ": its driver \"" + macro.driver().name() + "\" failed: " + UserText.of(driverFailure)
                                + "; " + report,
                        driverFailure);
            }
        }
        return report.cancelled() == 0 ? null : new CancellationException(text() + " was cancelled: " + report);
    }

    private ItemFailedException exception(Failure its, MacroTask.@Nullable Report report) {
        return new ItemFailedException(
                context.name(), its.index, macro.items().text(its.index), its.place, report, its.cause);
    }

    private String text() {
        return "macro task \"" + context.name() + '"';
    }

    /** Returns the counts so far. */
    MacroTask.Report report() {
        Map<String, Integer> places = new LinkedHashMap<>();
        if (host != null) {
            places.put(host.place().name(), host.done());
        }
        devices.forEach(
                device -> places.put(device.side().place().name(), device.side().done()));
        int done = places.values().stream().mapToInt(Integer::intValue).sum();
        int bad;
        synchronized (failures) {
            bad = failed;
        }
        return new MacroTask.Report(macro.items().size(), done, bad, cancelled.get(), places);
    }

    /** Keeps items from beginning; those that run go on to their end. */
    private void stop() {
        stopped = true;
        cancelledItems(split.drain());
    }

    /** Counts items that do not run. Their strand counts them as ended if it took them. */
    private void cancelledItems(int items) {
        if (items > 0) {
            cancelled.addAndGet(items);
            ended(items);
        }
    }

    /**
     * Stops the items that have not begun. Does not complete the stage, which the last item that runs does.
     *
     * @return false: this call completes nothing
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        stop();
        return false;
    }

    // ---- for strands

    /** Returns true if no further item is to begin. */
    boolean isStopped() {
        if (!stopped && open.get() > 0 && context.cancelled()) {
            stop();
        }
        return stopped;
    }

    /** Takes items for a side; see {@link ItemSplit#take}. */
    long take(Side side, int most) {
        return split.take(side, most);
    }

    /** Notes that an item, which its strand took, failed; stops the others. */
    void failed(int index, String place, Throwable cause) {
        synchronized (failures) {
            failed++;
            if (failures.size() < MOST_FAILURES) {
                failures.add(new Failure(index, place, cause));
            }
        }
        stop();
    }

    /** Notes that an item, which its strand took, does not run. */
    void skipped() {
        cancelled.getAndIncrement();
    }

    /** Gives an item to other strands. */
    void giveBack(int index) {
        split.giveBack(index);
        if (stopped) {
            cancelledItems(split.drain());
        }
    }

    /** Does one item on the host; returns false if none was left. */
    boolean hostNext() {
        Side its = Objects.requireNonNull(host);
        if (isStopped()) {
            return false;
        }
        long began = its.begin();
        long range = split.take(its, 1);
        boolean any = range != ItemSplit.NONE;
        boolean well = any && onHost(ItemSplit.first(range));
        its.end(any ? 1 : 0, well ? 1 : 0, began);
        if (any) {
            ended(1);
        }
        return any;
    }

    private boolean onHost(int index) {
        if (stopped) {
            skipped();
            return false;
        }
        try {
            macro.items().runOnHost(index, context);
            return true;
        } catch (Throwable e) {
            failed(index, "the host (driver \"" + macro.driver().name() + "\")", e);
            return false;
        }
    }

    // ---- for devices

    MacroTask<T> macro() {
        return macro;
    }

    BodyContext context() {
        return context;
    }

    Session session() {
        return Objects.requireNonNull(session);
    }

    /** Counts lanes that are about to begin. */
    void lanesBegin(int count) {
        lanes.addAndGet(count);
        open.addAndGet(count);
    }

    /**
     * Ends a lane. If its device failed, the items that it gave back run on the host, where the macro task may go
     * there; else the other lanes take them, and the last lane fails what is left.
     *
     * @param error the failure of the device; null for none
     */
    void laneOver(Place place, @Nullable Throwable error) {
        boolean last = lanes.decrementAndGet() == 0;
        if (error != null && host != null && macro.where() != MacroTask.Where.DEVICES) {
            forkHost();
        } else if (error != null && last) {
            long item = split.takeAny();
            if (item != ItemSplit.NONE) {
                failed(ItemSplit.first(item), place.name(), error);
                ended(1);
            }
        }
        ended(1);
    }
}
