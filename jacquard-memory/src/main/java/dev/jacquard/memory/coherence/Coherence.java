package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings data to where tasks run, and moves nothing that is there already.
 *
 * <pre>
 *  begin    room for all that the task accesses, or it waits in line     (pins)
 *           per atom that is read and not valid here: one copy            (pins both replicas)
 *           all there: the task goes on
 *  release  its output is valid here, and nowhere else                    (unpins; those in line try again)
 * </pre>
 *
 * <p>Tasks that conflict never have claims at the same time: the graph sees to that. So an atom that is being read does
 * not change, and one that is being written is not read.
 *
 * <p>A task gets all of its replicas at once or none, and while it holds some it waits for copies only, which need
 * nothing more: so tasks that evict each other's data make progress, first come, first served per space.
 *
 * <p>Threads: any. One lock guards everything that is not constant; copies are started, and tasks readied, without it.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class Coherence implements Staging, AutoCloseable {
    /**
     * Threads that free data, and recomputations that need room, wait at its monitor for copies to land and
     * recomputations to end.
     */
    final Object lock = new Object();

    private final Store store;
    /** True if memory on the host checks the indices that bodies ask for. Written before the first task. */
    boolean checksIndices;

    final Forecast forecast;
    final Prefetcher prefetcher;

    private final FaultLog faults = new FaultLog();
    final RecomputationQueue recoveries;
    final Fetcher supply;
    final Admission admission;
    final ReplicaClaims claims;
    final Launches launches;
    final TransferRunner runner;
    final HalfDone broken = new HalfDone();
    /** The memory of recomputations. */
    final ScratchAllocator scratch;
    /** Finds out when tasks that find no room never will. */
    final BlockingThreads threads;

    /**
     * Begins to use devices.
     *
     * @param limits the number of bytes that replicas may take of each memory
     * @param opened the devices in the order of the limits, which this object closes, by the places of their tasks
     * @param threads makes threads that block
     * @param trace where kernels are recorded; its clock times them
     * @param times how long they ran
     */
    public Coherence(Limits limits, Map<Place, Device> opened, BlockingThreads threads, Trace trace, TimeModel times) {
        this(limits, opened, threads, trace, times, List.of());
    }

    /** Makes one with more spaces, after the disk, for replicas that the host has no room for. */
    Coherence(
            Limits limits,
            Map<Place, Device> opened,
            BlockingThreads threads,
            Trace trace,
            TimeModel times,
            List<Space> more) {
        this.threads = threads;
        Clock clock = trace.clock();
        Lineage lineage = new Lineage();
        BlockingThreads noted = (name, body) -> threads.start(name, () -> broken.watch(body));
        store = new Store(limits, opened, noted, clock, more, lineage);
        LostDevices losses = new LostDevices(this, store, faults);
        recoveries = new RecomputationQueue(this, lineage, faults, noted);
        RetrySnapshot safekeeping = new RetrySnapshot(store);
        supply = new Fetcher(store, recoveries, safekeeping);
        admission = new Admission(store, supply, recoveries, safekeeping, losses, new IdleQuestion(this));
        scratch = new ScratchAllocator(this, store, losses);
        store.host.lanes = threads.hostWorkers();
        prefetcher = new Prefetcher(supply, store);
        forecast = new Forecast(store, prefetcher, clock, times);
        runner = new TransferRunner(lock, store, supply, admission, losses, broken);
        claims = new ReplicaClaims(lock, admission, lineage, forecast, prefetcher, runner, broken);
        launches = new Launches(this, admission, forecast, trace);
        broken.idleWhen(() -> store.isIdle() && !recoveries.haveBegun());
    }

    /**
     * Compares checksums after each copy, and makes copies again that differ; looks for changes of users' arrays by
     * code that is in no task, and fails the next task that has to do with them; lets memory check its indices. Before
     * the first task.
     */
    public void check() {
        runner.verify(faults);
        store.watchesHomes = true;
        checksIndices = true;
    }

    @Override
    public void breaksWith(Breakage graphs) {
        broken.with(graphs);
    }

    // ---- where to

    @Override
    public boolean isLost(Place place) {
        return forecast.space(place).lost != null;
    }

    @Override
    public void estimate(Footprint footprint, @Nullable PlannedAccess plan, List<Place> places, Estimates into) {
        DataNeeds needs = (DataNeeds) footprint;
        synchronized (lock) {
            claims.resting.recall(needs.all);
            forecast.estimate(needs, (AccessPlan) plan, places, into);
        }
    }

    @Override
    public boolean fits(Footprint footprint, Place place) {
        return forecast.fits((DataNeeds) footprint, place);
    }

    @Override
    public void fellBack(String task, Place from, Place to, Throwable why) {
        faults.fellBack(task, from, to, why);
    }

    @Override
    public void requireFits(String task, AccessList accesses, Place place) {
        forecast.requireFits(task, DataNeeds.of(DataNeed.of(accesses)), place);
    }

    @Override
    public boolean wantsRecipes() {
        return !store.devices.isEmpty();
    }

    @Override
    public Footprint footprint(AccessList accesses) {
        return DataNeeds.of(DataNeed.of(accesses));
    }

    @Override
    public DataClaim claim(
            String task, Footprint footprint, Place place, @Nullable Recomputation recipe, boolean restorable) {
        return new ReplicaClaim(this, task, forecast.space(place), (DataNeeds) footprint, recipe, restorable);
    }

    @Override
    public void expect(Place place, int tasks) {
        Space space = forecast.space(place);
        if (space.device() != null) {
            synchronized (lock) {
                space.tasks += tasks;
            }
        }
    }

    // ---- accesses to come

    @Override
    public boolean plans() {
        return !store.devices.isEmpty();
    }

    @Override
    public PlannedAccess plan(String task, String kernel, AccessList accesses, Place place) {
        AccessPlan plan = new AccessPlan(this, task, kernel, forecast.space(place), DataNeed.of(accesses));
        synchronized (lock) {
            claims.resting.recall(plan.needs);
            forecast.add(plan);
            prefetcher.announce(plan);
        }
        return plan;
    }

    void submitted(AccessPlan plan) {
        DeferredActions after = new DeferredActions();
        try {
            synchronized (lock) {
                if (!plan.over) {
                    prefetcher.submitted(plan, after);
                }
            }
            runner.perform(after);
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    void over(AccessPlan plan) {
        DeferredActions after = new DeferredActions();
        try {
            synchronized (lock) {
                if (!plan.over) {
                    plan.over = true;
                    forecast.remove(plan);
                    prefetcher.over(plan, after);
                }
            }
            runner.perform(after);
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    // ---- for people

    /** Returns the faults of devices so far, and their consequences. */
    public Faults faults() {
        return faults.faults();
    }

    @Override
    public double copyNanos(String from, String to, long bytes) {
        return forecast.copyNanos(from, to, bytes);
    }

    /** Returns the copies so far, and how full each memory is. */
    public Transfers transfers() {
        synchronized (lock) {
            return store.transfers();
        }
    }

    /** Returns where {@code data} is right now. */
    public ReplicaLocations whereabouts(Data data) {
        synchronized (lock) {
            claims.resting.recall(data);
            return store.directory(data).whereabouts();
        }
    }

    @Override
    public void endUnwantedWaits() {
        claims.endUnwantedWaits();
    }

    @Override
    public void eachWaiting(BiConsumer<? super Continuation, ? super String> told) {
        Map<Continuation, String> waiting = new LinkedHashMap<>();
        synchronized (lock) {
            admission.eachWaiting((claim, why) -> {
                Continuation then = claim.then;
                if (then != null) {
                    waiting.put(then, why);
                }
            });
        }
        waiting.forEach(told);
    }

    /**
     * Lets no task access {@code data} from now on; tasks that try fail.
     *
     * @throws IllegalStateException when a task does already: then nothing has changed
     */
    public void retire(Data data) {
        synchronized (lock) {
            claims.resting.recall(data);
            store.retire(data);
        }
    }

    /**
     * Gives back all memory that replicas of {@code data} take, which is retired; contents that only they had are lost.
     * Waits, also when interrupted, for copies and recomputations that use them, and for recomputations of the data
     * itself.
     *
     * @throws IllegalStateException if one of these may never end, since something broke off half way
     */
    public void free(Data data) {
        runner.changed(after -> store.free(data));
        synchronized (lock) {
            // A claim that fails for one part does not wait for another one that is being recomputed.
            BooleanSupplier unused = () -> !store.isGoing(data) && !recoveries.areOf(data);
            broken.await(lock, unused);
            if (!unused.getAsBoolean()) {
                throw new IllegalStateException("copies of data \"" + data.name() + "\" may use its memory until the"
                        + " session is closed: something broke off half way, for want of stack or memory");
            }
        }
    }

    /**
     * Brings contents to their home that are newer elsewhere: of {@code data}, or of all when that is null. No live
     * task accesses it. Waits, also when interrupted.
     *
     * @return the reasons why contents could not be brought
     */
    public List<Throwable> bringHome(@Nullable Data data) {
        Homecoming homecoming = new Homecoming(this, store);
        synchronized (lock) {
            claims.resting.recallAll();
            (data == null ? homecoming.strays() : Set.of(data)).forEach(homecoming::add);
        }
        return homecoming.await();
    }

    @Override
    public void release(Data data) {
        runner.changed(after -> {
            claims.resting.recall(data);
            store.release(data);
        });
    }

    /** Ends the use of all devices. No task may be live. */
    @Override
    public void close() {
        try {
            synchronized (lock) {
                scratch.end();
                // Data brought early for a task that was cancelled, and data recomputed for one that has failed.
                broken.await(lock, () -> store.moving == 0 && !recoveries.any());
                claims.resting.recallAll();
                store.dropDevices();
            }
        } finally {
            store.close();
        }
    }

    /** Makes threads that block. */
    @FunctionalInterface
    public interface BlockingThreads {
        /** Starts one. */
        Thread start(String name, Runnable body);

        /**
         * Runs {@code action} when no task is left that could begin: then claims that find no room never will. At once
         * where that is not known.
         */
        default void whenIdle(Runnable action) {
            action.run();
        }

        /** Returns the number of tasks that run on the host at a time. Constant. */
        default int hostWorkers() {
            return 1;
        }
    }
}
