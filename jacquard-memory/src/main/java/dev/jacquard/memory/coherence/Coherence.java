package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Footprint;
import dev.jacquard.memory.residency.PlannedAccess;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Brings data to where tasks run, and moves nothing that is there already.
 *
 * <pre>
 *  begin    room for all that the task accesses, or it waits in line     (pins)
 *           per atom that is read and not valid here: one copy            (pins both replicas)
 *           all there: the task goes on
 *  release  what it wrote is valid here, and nowhere else                 (unpins; those in line try again)
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
    /** How often a copy that failed is tried again. */
    static final int COPY_RETRIES = 2;

    /**
     * Threads that free data, and recomputations that need room, wait at its monitor for copies to land and
     * recomputations to end.
     */
    final Object lock = new Object();

    private final Store store;
    private final List<DeviceSpace> devices;
    private final EarliestFinish destinations;
    private final Prefetcher prefetcher;
    private final Clock clock;

    /** The number of the newest write; 1 is what users' arrays had at first. Guarded by the lock. */
    private long version = 1;

    private final FaultLog faults = new FaultLog();
    /** Null when copies are trusted. Written before the first task. */
    private @Nullable Verification verification;

    private final Lineage lineage = new Lineage();
    private final RecomputationQueue recoveries;
    private final LostDevices losses;
    private final Fetcher supply;
    private final Admission admission;
    /** For recomputations. */
    final ScratchAllocator scratch;

    /**
     * Begins to use devices.
     *
     * @param limits the number of bytes that replicas may take of each memory
     * @param opened the devices, whose ends are this object's to bring about
     * @param threads makes threads that block
     * @param clock by which kernels are timed
     */
    public Coherence(Limits limits, List<Device> opened, BlockingThreads threads, Clock clock) {
        this(limits, opened, threads, clock, List.of());
    }

    /** Makes one with more spaces for replicas that the host has no room for, behind the disk. */
    Coherence(Limits limits, List<Device> opened, BlockingThreads threads, Clock clock, List<Space> more) {
        store = new Store(limits, opened, threads, clock, more);
        devices = store.devices;
        losses = new LostDevices(this, store, faults);
        recoveries = new RecomputationQueue(this, lineage, faults, threads);
        RetrySnapshot safekeeping = new RetrySnapshot(store);
        supply = new Fetcher(store, recoveries, safekeeping);
        admission = new Admission(store, supply, recoveries, safekeeping, losses);
        scratch = new ScratchAllocator(this, store, losses);
        prefetcher = new Prefetcher(supply, store);
        destinations = new EarliestFinish(store, prefetcher, clock);
        this.clock = clock;
    }

    /** Compares checksums behind each copy, and makes those again that differ. Before the first task. */
    public void verifyCopies() {
        verification = new Verification(faults);
    }

    /** Says which device's tasks are sent where. Before the first task. */
    public void places(ToIntFunction<Target> placeOf) {
        destinations.places(placeOf);
    }

    /**
     * Looks from now on for changes of users' arrays by code that is in no task, and fails the next task that has to do
     * with them. Before the first task.
     */
    public void watchHomes() {
        store.watchesHomes = true;
    }

    // ---- where to

    /** The devices of {@code kind}, or called so, as targets of their own, in the order in which they were given. */
    @Override
    public List<Target> devices(Target kind) {
        return destinations.devices(kind);
    }

    @Override
    public boolean hasDevice(Target target) {
        return destinations.hasDevice(target);
    }

    @Override
    public @Nullable Target choose(
            String task,
            String kernel,
            Set<Target> kinds,
            @Nullable Target wanted,
            AccessList accesses,
            Set<Target> without) {
        synchronized (lock) {
            return destinations.choose(task, kernel, kinds, wanted, Needs.of(Need.of(accesses)), without);
        }
    }

    @Override
    public @Nullable Target lost(Set<Target> kinds, @Nullable Target wanted) {
        synchronized (lock) {
            return destinations.lost(kinds, wanted);
        }
    }

    @Override
    public void fellBack(String task, Target from, Target to, Throwable why) {
        faults.fellBack(task, from, to, why);
    }

    @Override
    public void requireFits(String task, AccessList accesses, int place) {
        destinations.requireFits(task, Needs.of(Need.of(accesses)), place);
    }

    @Override
    public boolean wantsRecipes() {
        return !devices.isEmpty();
    }

    @Override
    public Footprint footprint(AccessList accesses) {
        return Needs.of(Need.of(accesses));
    }

    @Override
    public DataClaim claim(
            String task, Footprint footprint, int place, @Nullable Recomputation recipe, boolean restorable) {
        return new ReplicaClaim(this, task, destinations.space(place), (Needs) footprint, recipe, restorable);
    }

    @Override
    public void expect(int place, int tasks) {
        Space space = destinations.space(place);
        if (space.device() != null) {
            synchronized (lock) {
                space.tasks += tasks;
            }
        }
    }

    // ---- what is to come

    @Override
    public boolean plans() {
        return !devices.isEmpty();
    }

    @Override
    public PlannedAccess plan(String task, String kernel, AccessList accesses, int place) {
        AccessPlan plan = new AccessPlan(this, task, kernel, destinations.space(place), Need.of(accesses));
        synchronized (lock) {
            destinations.add(plan);
            prefetcher.announce(plan);
        }
        return plan;
    }

    void submitted(AccessPlan plan) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            if (!plan.over) {
                prefetcher.submitted(plan, after);
            }
        }
        perform(after);
    }

    void over(AccessPlan plan) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            if (!plan.over) {
                plan.over = true;
                destinations.remove(plan);
                prefetcher.over(plan, after);
            }
        }
        perform(after);
    }

    /** Begins the claim of a planned task, where it was to be or where it went instead. Under the lock. */
    private void begun(AccessPlan plan, Space where, DeferredActions after) {
        if (plan.space != where) {
            destinations.remove(plan);
            prefetcher.move(plan, where, after);
            destinations.add(plan);
        }
        plan.released = false;
        prefetcher.begun(plan);
    }

    /** Returns the number of queued plans and of their writes that were examined so far. For tests. */
    long looks() {
        synchronized (lock) {
            return prefetcher.looks();
        }
    }

    /** Returns how often a task that adds was held against others so far. For tests. */
    long looksAtAdders() {
        synchronized (lock) {
            return admission.looksAtAdders();
        }
    }

    long now() {
        return clock.nanoTime();
    }

    /** Notes that a kernel of which its stream was told at {@code told} has run well. */
    void launched(ReplicaClaim lease, long told) {
        long end = now();
        AccessPlan plan = lease.plan;
        synchronized (lock) {
            if (plan != null && plan.space == lease.space) {
                long before = plan.space.computedUntil;
                long begin = before - told > 0 ? before : told;
                plan.space.computedUntil = end;
                destinations.took(plan, (double) Math.max(0, end - begin));
            }
        }
    }

    /** See {@link DataClaim#launchAhead}. Without the lock. */
    DataClaim.Ahead launchAhead(ReplicaClaim lease, int stream, DeviceBody body, List<Object> numbers) {
        if (verification != null || lease.space.device() == null) {
            return DataClaim.Ahead.NEVER; // copies that are found damaged are made again
        }
        if (!lease.space.kernels().hasRoom()) {
            return DataClaim.Ahead.LATER;
        }
        AheadLaunch launch = new AheadLaunch(this, lease, body, numbers);
        synchronized (lock) {
            if (!admission.early.enter(lease)) {
                return DataClaim.Ahead.NEVER;
            }
            lease.ahead = launch;
            launch.inFlight = true;
        }
        DataClaim.Ahead told = launch.tell(stream);
        if (told == DataClaim.Ahead.LATER || told == DataClaim.Ahead.NEVER) {
            changed(after -> {
                lease.ahead = null;
                admission.early.letGo(lease);
            });
        }
        return told;
    }

    /** Unpins what was told ahead for a task that is over. Under the lock. */
    void letGoAhead(ReplicaClaim lease) {
        admission.early.letGo(lease);
    }

    /** Returns why tasks run on the devices where they do: the newest choices between several, the last last. */
    public List<Explanation> choices() {
        synchronized (lock) {
            return destinations.choices();
        }
    }

    // ---- leases

    boolean begin(ReplicaClaim lease, Runnable goOn) {
        DeferredActions after = new DeferredActions();
        boolean there;
        synchronized (lock) {
            lease.then = goOn;
            if (lease.plan != null) {
                begun(lease.plan, lease.space, after);
            }
            admission.enter(lease, after);
            // Without one another thread goes on with it already, and must do so alone.
            there = lease.then != null && (lease.failure != null || (lease.placed && lease.missing == 0));
            if (there) {
                lease.then = null;
            }
        }
        perform(after);
        return there;
    }

    void release(ReplicaClaim lease, boolean well) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            if (lease.plan != null) {
                lease.plan.released = true;
            }
            version++;
            if (well && lease.placed && lease.recipe != null) {
                lineage.add(version, lease, lease.recipe);
            }
            admission.leave(lease, well, version);
            admission.advance(after);
        }
        perform(after);
    }

    /** Takes back a lease, as {@link DataClaim#release(boolean, List)} says. */
    void release(ReplicaClaim lease, boolean all, List<DataClaim.Share> begun) {
        changed(after -> admission.leave(lease, all, begun, ++version));
    }

    /** Leaves a lease only {@code left} from now on. Returns what is to be done without locks. */
    Runnable demote(ReplicaClaim lease, List<Need> left) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            version++;
            admission.demote(lease, left, version);
            admission.advance(after);
        }
        return () -> perform(after);
    }

    // ---- copies

    /** Makes a change under the lock, after which leases that wait try again. Without the lock. */
    void changed(Consumer<DeferredActions> change) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            change.accept(after);
            admission.advance(after);
        }
        perform(after);
    }

    /** Starts copies and goes on with tasks. Without the lock. */
    void perform(DeferredActions after) {
        for (Transfer copy : after.copies) {
            move(copy, error -> arrived(copy, error));
        }
        after.others.forEach(Runnable::run);
    }

    /** Does a copy. Without the lock. */
    void move(Transfer copy, Consumer<@Nullable Throwable> then) {
        Verification verified = verification;
        if (verified == null) {
            copy.move(then);
        } else {
            verified.move(copy, then);
        }
    }

    private void arrived(Transfer copy, @Nullable Throwable error) {
        Space gone = error == null ? null : copy.lostBy(error);
        if (error != null && gone == null && copy.failures++ < COPY_RETRIES) {
            move(copy, another -> arrived(copy, another)); // what it copies from is still there
            return;
        }
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            DeviceLostException why = LostDevices.lostIn(error);
            if (gone != null && why != null) {
                losses.lose(gone, why, after);
            }
            store.landed(copy, error);
            for (ReplicaClaim lease : copy.waiting) {
                supply.oneLess(lease, error == null ? null : failureOf(lease, copy, error, gone), after);
            }
            copy.whenOver.forEach(over -> over.accept(error));
            store.letLeave(copy);
            lock.notifyAll();
            admission.advance(after);
        }
        perform(after);
    }

    /** Returns how a lease fails that waited for a copy; null when it can get what it needs from elsewhere. */
    private static @Nullable Throwable failureOf(
            ReplicaClaim lease, Transfer copy, Throwable error, @Nullable Space gone) {
        if (gone == null) {
            return LostDevices.repeated(copy, error);
        }
        return lease.space == gone ? gone.lost : null;
    }

    // ---- failure

    /** Notes that a device has failed to do what it was told. Without the lock. */
    void failed(Space device, Throwable error) {
        if (error instanceof DeviceLostException lost) {
            changed(after -> losses.lose(device, lost, after));
        }
    }

    /** Notes that a copy of a recomputation has failed. Without the lock. */
    void copyFailed(Transfer copy, Throwable error) {
        Space gone = copy.lostBy(error);
        DeviceLostException why = LostDevices.lostIn(error);
        if (gone != null && why != null) {
            failed(gone, why);
        }
    }

    // ---- recomputation

    /** Notes that a lease waits for one thing less. Under the lock. */
    void oneLess(ReplicaClaim lease, @Nullable Throwable error, DeferredActions after) {
        supply.oneLess(lease, error, after);
    }

    /** Ends a recomputation. By its thread. */
    void recovered(Recovery recovery, @Nullable Throwable error) {
        changed(after -> {
            recoveries.over(recovery, error, after);
            lock.notifyAll(); // threads that free what it has read
        });
    }

    // ---- for people

    /** Returns the faults of devices so far, and their consequences. */
    public Faults faults() {
        return faults.faults();
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
            return store.directory(data).whereabouts();
        }
    }

    /**
     * Lets no task access {@code data} from now on; those that try fail.
     *
     * @throws IllegalStateException when a task does already: then nothing has changed
     */
    public void retire(Data data) {
        synchronized (lock) {
            store.retire(data);
        }
    }

    /**
     * Gives back all memory that replicas of {@code data} take, which is retired; what only they had is lost. Waits,
     * also when interrupted, for copies and recomputations that use them.
     */
    public void free(Data data) {
        changed(after -> store.free(data));
        await(() -> !store.isGoing(data));
    }

    /**
     * Brings to its home what is newer elsewhere: of {@code data}, or of all when that is null. No live task accesses
     * it. Waits, also when interrupted.
     *
     * @return why what is not there could not be brought
     */
    public List<Throwable> bringHome(@Nullable Data data) {
        Homecoming homecoming = new Homecoming(this, store);
        synchronized (lock) {
            (data == null ? homecoming.strays() : Set.of(data)).forEach(homecoming::add);
        }
        return homecoming.await();
    }

    /** Waits, also when interrupted, until copies have landed and {@code something} holds. */
    private void await(BooleanSupplier something) {
        boolean interrupted = false;
        synchronized (lock) {
            while (!something.getAsBoolean()) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void release(Data data) {
        changed(after -> store.release(data));
    }

    /** Ends the use of all devices. No task may be live. */
    @Override
    public void close() {
        await(() -> store.moving == 0); // what was brought ahead for a task that was cancelled
        synchronized (lock) {
            store.dropDevices();
        }
        store.close();
    }
}
