package dev.jacquard.core.coherence;

import dev.jacquard.core.cache.CachePolicy;
import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.DeviceException;
import dev.jacquard.core.device.DeviceLostException;
import dev.jacquard.core.device.link.LinkTable;
import dev.jacquard.core.graph.Claim;
import dev.jacquard.core.graph.Intent;
import dev.jacquard.core.graph.Recipe;
import dev.jacquard.core.graph.Staging;
import dev.jacquard.core.machine.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * <p>Tasks that conflict never have claims at the same time: the graph sees to that. So an atom that is being read does not change, and one that
 * is being written is not read.
 *
 * <p>A task gets all of its replicas at once or none, and waits for nobody while it holds some but for copies, which need nothing
 * more: so tasks that evict each other's data make progress, first come, first served per space.
 *
 * <p>Threads: any. One lock guards everything that is not constant; copies are started, and tasks readied, without it.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class Coherence implements Staging, AutoCloseable {
    /** How often a copy that failed is tried again. */
    private static final int COPY_RETRIES = 2;

    private final Object lock = new Object();
    private final Store store;
    private final HostSpace host;
    private final List<DeviceSpace> devices;
    private final Destinations destinations;
    private final Prefetcher prefetcher;
    private final Clock clock;

    /** Those with replicas, for which something cannot pass through the host yet. Guarded by the lock. */
    private final List<Lease> starved = new ArrayList<>();
    /** Guarded by the lock. */
    private final Adders adders = new Adders();
    /** How many leases have replicas. Guarded by the lock. */
    private int placed;
    /** The number of the newest write; 1 is what users' arrays had at first. Guarded by the lock. */
    private long version = 1;

    private final FaultLog faults = new FaultLog();
    /** Null when copies are trusted. Written before the first task. */
    private @Nullable Verification verification;

    private final Lineage lineage = new Lineage();
    private final Recoveries recoveries;
    private final Safekeeping safekeeping;

    /**
     * Begins to use devices.
     *
     * @param spaces how much of what memory replicas may take
     * @param opened the devices, whose ends are this object's to bring about
     * @param threads makes threads that block
     * @param clock by which kernels are timed
     */
    public Coherence(Limits spaces, List<Device> opened, BlockingThreads threads, Clock clock) {
        store = new Store(spaces, opened, threads);
        host = store.host;
        devices = store.devices;
        prefetcher = new Prefetcher(this, store);
        destinations = new Destinations(store, prefetcher, clock);
        this.clock = clock;
        recoveries = new Recoveries(this, lineage, faults, threads);
        safekeeping = new Safekeeping(this, store);
    }

    /**
     * How much of what memory replicas may take, in bytes.
     *
     * @param hostBytes besides the user's own arrays
     * @param folder where on disk what does not fit there goes; null for nowhere
     * @param diskBytes how much may
     * @param direct whether that is to bypass the system's cache of pages
     * @param deviceBytes of each device
     * @param cachePolicy what goes when a memory is full
     * @param links how fast copies between the memories are
     */
    public record Limits(
            long hostBytes,
            @Nullable Path folder,
            long diskBytes,
            boolean direct,
            List<Long> deviceBytes,
            CachePolicy cachePolicy,
            LinkTable links) {
        public Limits {
            deviceBytes = List.copyOf(deviceBytes);
        }
    }

    /** Compares checksums behind each copy, and makes those again that differ. Before the first task. */
    public void verifyCopies() {
        verification = new Verification(faults);
    }

    /** Says which device's tasks are sent where. Before the first task. */
    public void places(ToIntFunction<Target> placeOf) {
        destinations.places(placeOf);
    }

    /** Looks from now on for changes of users' arrays by code that is in no task, and fails the next task that has to do with them. Before the first task. */
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
            @Nullable Object[] accesses,
            Set<Target> without) {
        synchronized (lock) {
            return destinations.choose(task, kernel, kinds, wanted, Need.of(accesses), without);
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
    public void requireFits(String task, @Nullable Object[] accesses, int place) {
        destinations.requireFits(task, Need.of(accesses), place);
    }

    @Override
    public boolean wantsRecipes() {
        return !devices.isEmpty();
    }

    @Override
    public Claim claim(
            String task, @Nullable Object[] accesses, int place, @Nullable Recipe recipe, boolean restorable) {
        return new Lease(this, task, destinations.space(place), Need.of(accesses), recipe, restorable);
    }

    @Override
    public void expect(int place, int tasks) {
        if (destinations.space(place) instanceof DeviceSpace device) {
            synchronized (lock) {
                device.tasks += tasks;
            }
        }
    }

    // ---- what is to come

    @Override
    public boolean plans() {
        return !devices.isEmpty();
    }

    @Override
    public Intent plan(String task, String kernel, @Nullable Object[] accesses, int place) {
        Plan plan = new Plan(this, task, kernel, destinations.space(place), Need.of(accesses));
        synchronized (lock) {
            destinations.add(plan);
            prefetcher.announce(plan);
        }
        return plan;
    }

    void submitted(Plan plan) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            if (!plan.over) {
                prefetcher.submitted(plan, after);
            }
        }
        perform(after);
    }

    void over(Plan plan) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            if (!plan.over) {
                plan.over = true;
                destinations.remove(plan);
                prefetcher.over(plan, after);
            }
        }
        perform(after);
    }

    /** It claims what it accesses, where it was to be or where it went instead. Under the lock. */
    private void begun(Plan plan, Space where, Afterwards after) {
        if (plan.space != where) {
            destinations.remove(plan);
            prefetcher.move(plan, where, after);
            destinations.add(plan);
        }
        plan.released = false;
        prefetcher.begun(plan, after);
    }

    /** Begins to move what {@code need} is for, as far as that is known, and not there or on its way; whether anything. Under the lock. */
    boolean bringAhead(Directory directory, Need need, DeviceSpace device, Afterwards after) {
        Replica to = directory.find(device, need.box(), false);
        boolean useless = to == null
                ? !canBring(directory, need, device)
                : to.leaving || to.frozen > 0 || directory.isValid(need.box(), to);
        if (useless || device.lost != null) {
            return false;
        }
        if (to == null) {
            try {
                if (!store.makeRoomAhead(device, need.bytes())) {
                    return false;
                }
                to = store.allocate(device, need);
            } catch (RuntimeException | OutOfMemoryError e) {
                return false; // the task will run into that itself, and say so
            }
        }
        boolean some = false;
        for (Atom atom : directory.cut(need.box())) {
            Replica from = atom.beingWritten ? null : nearest(atom, need.data(), device);
            if (from != null
                    && !atom.valid.contains(to)
                    && Mover.reaches(from.space, device)
                    && directory.writingInto(to, atom.box) == null) {
                store.start(atom, from, to, after);
                some = true;
            }
        }
        return some;
    }

    /** Whether some of it could be moved there at once. Under the lock. */
    private boolean canBring(Directory directory, Need need, DeviceSpace device) {
        for (Atom atom : directory.meeting(need.box())) {
            Replica from = atom.beingWritten ? null : nearest(atom, need.data(), device);
            if (from != null && Mover.reaches(from.space, device)) {
                return true;
            }
        }
        return false;
    }

    long now() {
        return clock.nanoTime();
    }

    /** A kernel that its stream was told of at {@code told} has run well. */
    void launched(Lease lease, long told) {
        long end = now();
        Plan plan = lease.plan;
        synchronized (lock) {
            if (plan != null && plan.space == lease.space && plan.space instanceof DeviceSpace device) {
                long before = device.computedUntil;
                long begin = before - told > 0 ? before : told;
                device.computedUntil = end;
                destinations.took(plan, (double) Math.max(0, end - begin));
            }
        }
    }

    /** Why tasks run on the devices where they do: the newest choices between several, the last last. */
    public List<Choice> choices() {
        synchronized (lock) {
            return destinations.choices();
        }
    }

    // ---- leases

    boolean begin(Lease lease, Runnable goOn) {
        Afterwards after = new Afterwards();
        boolean there;
        synchronized (lock) {
            lease.then = goOn;
            if (lease.plan != null) {
                begun(lease.plan, lease.space, after);
            }
            store.tryDiskAgain();
            if (adders.holdBack(lease, store)) {
                // goes on when those who add elsewhere are over
            } else if (!lease.space.line.isEmpty() || !place(lease, after)) {
                lease.space.line.add(lease);
            } else if (lease.failure == null) {
                fetch(lease, after);
            }
            unlessStuck(after);
            // Without one somebody goes on with it already, and must do so alone.
            there = lease.then != null && (lease.failure != null || (lease.placed && lease.missing == 0));
            if (there) {
                lease.then = null;
            }
        }
        perform(after);
        return there;
    }

    /** Like {@link #release}, and the task comes once more. */
    void takeBack(Lease lease) {
        release(lease, false);
    }

    /** One less uses it. Under the lock. */
    void unpinned(Replica replica) {
        store.unpinned(replica);
    }

    void release(Lease lease, boolean well) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            if (lease.plan != null) {
                lease.plan.released = true;
            }
            version++;
            adders.ended(lease);
            if (lease.placed) {
                placed--;
                lease.space.leases -= lease.counts ? 1 : 0;
                if (well && lease.recipe != null) {
                    lineage.add(version, lease, lease.recipe);
                }
                for (int i = 0; i < lease.replicas.length; i++) {
                    Need need = lease.needs.get(i);
                    Replica replica = Objects.requireNonNull(lease.replicas[i]);
                    if (need.writes() && well) {
                        replica.directory.written(need.box(), replica, version, lease.task);
                        if (replica.directory.watch != null && replica.isHome() && !adders.isAdding(need)) {
                            replica.directory.watch.saw(need.box(), "task \"" + lease.task + '"');
                        }
                    } else if (need.writes()) {
                        replica.directory.spoilt(need.box(), replica);
                    }
                    if (lease.runs && need.writes()) {
                        replica.written.remove(need.box());
                    }
                    replica.pins--;
                    store.unpinned(replica);
                    store.used(replica);
                }
                safekeeping.giveBack(lease);
            } else {
                lease.space.line.remove(lease);
            }
            advance(after);
        }
        perform(after);
    }

    /** Those who wait for room try again. Under the lock. */
    private void advance(Afterwards after) {
        List<Lease> again = List.copyOf(starved);
        starved.clear();
        for (Lease lease : again) {
            lease.missing--;
            if (lease.missing == 0 && lease.failure == null) {
                fetch(lease, after);
            }
            goOn(lease, after);
        }
        adders.next(store).forEach(lease -> lease.space.line.add(lease));
        advance(host, after);
        for (DeviceSpace device : devices) {
            advance(device, after);
        }
        unlessStuck(after);
    }

    private void advance(Space space, Afterwards after) {
        for (Lease lease = space.line.peek(); lease != null; lease = space.line.peek()) {
            if (adders.holdBack(lease, store)) {
                space.line.remove(lease);
                continue;
            }
            if (!place(lease, after)) {
                return;
            }
            space.line.remove(lease);
            if (lease.failure == null) {
                fetch(lease, after);
            }
            goOn(lease, after);
        }
    }

    /** Where nothing moves and nobody has replicas that he could give back, who waits for room gets none. Under the lock. */
    private void unlessStuck(Afterwards after) {
        while (store.moving == 0 && !recoveries.any() && placed == starved.size()) {
            Lease lease = starved.isEmpty() ? firstInLine() : starved.removeFirst();
            if (lease == null) {
                return;
            }
            if (lease.placed) {
                lease.missing--;
            }
            lease.failure = new IllegalStateException(
                    "task \"" + lease.task + "\" finds no room for its data: "
                            + lease.space
                            + " may hold " + lease.space.limit + " bytes of replicas and holds " + lease.space.used
                            + ", host memory "
                            + host.limit + " and " + host.used
                            + store.diskText()
                            + "; what is there is the only copy, and has nowhere to go",
                    store.diskFailure());
            goOn(lease, after);
        }
    }

    private @Nullable Lease firstInLine() {
        Lease first = host.line.poll();
        for (int i = 0; i < devices.size() && first == null; i++) {
            first = devices.get(i).line.poll();
        }
        return first;
    }

    private static void goOn(Lease lease, Afterwards after) {
        Runnable then = lease.then;
        if (then != null && lease.missing == 0) {
            lease.then = null;
            after.others.add(then);
        }
    }

    /** Gives the lease a replica for each need, or none; false when it has to wait for room. Under the lock. */
    private boolean place(Lease lease, Afterwards after) {
        Space space = lease.space;
        if (space.lost() != null) {
            lease.failure = space.lost();
            return true;
        }
        boolean lacks = space.mostLeases < Integer.MAX_VALUE && lacks(lease);
        if (lacks && space.leases >= space.mostLeases) {
            return false;
        }
        long bytes = 0;
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica known = store.directory(need.data()).find(space, need.box(), space.usesParts);
            if (known != null && known.leaving) {
                unpin(lease);
                return false;
            }
            lease.replicas[i] = known;
            if (known != null) {
                known.pins++;
            } else if (!isSame(lease, i)) {
                bytes += need.bytes();
            }
        }
        try {
            if (bytes > 0 && !store.makeRoom(space, bytes, after)) {
                unpin(lease);
                return false;
            }
            for (int i = 0; i < lease.replicas.length; i++) {
                if (lease.replicas[i] == null) {
                    Need need = lease.needs.get(i);
                    Replica known = store.directory(need.data()).find(space, need.box(), space.usesParts);
                    lease.replicas[i] = known == null ? store.allocate(space, need) : known;
                    Objects.requireNonNull(lease.replicas[i]).pins++;
                } else {
                    store.used(Objects.requireNonNull(lease.replicas[i]));
                }
            }
            lease.placed = true;
            placed++;
            adders.began(lease);
            lease.counts = lacks;
            space.leases += lacks ? 1 : 0;
        } catch (RuntimeException | OutOfMemoryError e) {
            unpin(lease);
            lease.failure = e;
            if (e instanceof DeviceLostException lost && space instanceof DeviceSpace device) {
                lose(device, lost, after);
            }
        }
        return true;
    }

    /** Whether something has to be brought, or made. Under the lock. */
    private boolean lacks(Lease lease) {
        for (Need need : lease.needs) {
            Directory directory = store.directory(need.data());
            Replica known = directory.find(lease.space, need.box(), false);
            if (known == null || (need.reads() && !directory.isValid(need.box(), known))) {
                return true;
            }
        }
        return false;
    }

    /** Whether an earlier need of the lease is for the same. */
    private static boolean isSame(Lease lease, int index) {
        Need need = lease.needs.get(index);
        for (int i = 0; i < index; i++) {
            Need other = lease.needs.get(i);
            if (other.data() == need.data() && other.box().equals(need.box())) {
                return true;
            }
        }
        return false;
    }

    private static void unpin(Lease lease) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Replica replica = lease.replicas[i];
            if (replica != null) {
                replica.pins--;
                lease.replicas[i] = null;
            }
        }
    }

    // ---- what is missing

    /** Begins to bring what the lease's replicas lack. Under the lock. */
    private void fetch(Lease lease, Afterwards after) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica to = Objects.requireNonNull(lease.replicas[i]);
            if (to.directory.watch != null) {
                lookAtHome(lease, need, to, to.directory.watch);
            }
            for (Atom atom : to.directory.cut(need.box())) {
                if (need.reads() && !atom.valid.contains(to)) {
                    awaitCopy(lease, copyTo(lease, atom, to, after));
                }
                atom.beingWritten |= need.writes();
            }
            if (need.writes()) {
                awaitCopy(lease, to.directory.writingInto(to, need.box()));
                awaitCopy(lease, to.directory.readingFrom(to, need.box()));
            }
        }
        if (lease.missing == 0 && lease.failure == null && lease.restorable) {
            safekeeping.keep(lease, after);
        }
        if (lease.missing == 0 && lease.failure == null) {
            settle(lease);
        }
    }

    /** In checking mode: fails the lease when the user's array has changed since, and lets a task on the host write it. Under the lock. */
    private static void lookAtHome(Lease lease, Need need, Replica to, HomeWatch watch) {
        String who = "task \"" + lease.task + '"';
        String changed = watch.changed(need.box(), who);
        if (changed != null) {
            lease.failure = new IllegalStateException(changed);
        } else if (to.isHome() && need.writes()) {
            watch.forget(need.box());
        } else if (!watch.isInFlux(need.box())) {
            watch.sawFirst(need.box(), who);
        }
    }

    /** All is there: the task may run, unless somebody still reads what it is to write over. Under the lock. */
    private void settle(Lease lease) {
        for (int i = 0; i < lease.replicas.length; i++) {
            if (lease.needs.get(i).writes() && lease.memoryOf(i).frozen > 0) {
                starve(lease);
                return;
            }
        }
        lease.runs = true;
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            if (need.writes()) {
                lease.memoryOf(i).overwrite(need.box());
                lease.memoryOf(i).written.add(need.box());
            }
        }
    }

    /** It tries again whenever anything is given back. Under the lock. */
    void starve(Lease lease) {
        if (!starved.contains(lease)) {
            lease.missing++;
            starved.add(lease);
        }
    }

    void awaitCopy(Lease lease, @Nullable Copy copy) {
        if (copy != null && !copy.waiting.contains(lease)) {
            lease.missing++;
            copy.waiting.add(lease);
        }
    }

    /** The copy that brings {@code atom}, or brings it nearer; null when there is none. Under the lock. */
    private @Nullable Copy copyTo(Lease lease, Atom atom, Replica to, Afterwards after) {
        if (to.space.lost() != null) {
            lease.failure = to.space.lost();
            return null;
        }
        Copy known = to.directory.writingInto(to, atom.box);
        if (known != null) {
            return known; // brings this version, or an older one that must not come after it
        }
        Replica from = nearest(atom, to.directory.data, to.space);
        if (from == null) {
            recoveries.request(lease, atom, to.directory, after);
            return null;
        }
        if (to.frozen > 0) {
            starve(lease);
            return null;
        }
        if (!Mover.reaches(from.space, to.space)) {
            Replica between = onHost(lease, atom, to.directory, after);
            return between == null ? null : copyTo(lease, atom, between, after);
        }
        return store.start(atom, from, to, after);
    }

    /** Where a copy from one device to another passes through. Under the lock. */
    private @Nullable Replica onHost(Lease lease, Atom atom, Directory directory, Afterwards after) {
        Replica known = directory.find(host, atom.box, true);
        if (known != null) {
            return known;
        }
        Need need = new Need(directory.data, atom.box, true, false);
        try {
            if (store.makeRoom(host, need.bytes(), after)) {
                return store.allocate(host, need);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            lease.failure = e;
            return null;
        }
        starve(lease);
        return null;
    }

    /** Who has the newest, from where it is soonest in {@code space}; of equal ones who is nearest to computation. */
    private @Nullable Replica nearest(Atom atom, Data data, Space space) {
        if (atom.valid.size() <= 1) {
            return atom.valid.isEmpty() ? null : atom.valid.getFirst();
        }
        Replica best = null;
        double least = 0;
        long bytes = atom.box.elements() * data.layout().type().bytes();
        for (Replica replica : atom.valid) {
            if (replica.space == space) {
                return replica; // crosses no link
            }
            double nanos = store.links.nanos(replica.space, space, bytes);
            if (best == null || nanos < least || (nanos == least && isNearer(replica.space, best.space, space))) {
                best = replica;
                least = nanos;
            }
        }
        return best;
    }

    private static boolean isNearer(Space one, Space other, Space to) {
        boolean reaches = Mover.reaches(one, to);
        return reaches == Mover.reaches(other, to) ? one.level < other.level : reaches;
    }

    /** Starts copies and goes on with tasks. Without the lock. */
    private void perform(Afterwards after) {
        for (Copy copy : after.copies) {
            move(copy, error -> arrived(copy, error));
        }
        after.others.forEach(Runnable::run);
    }

    /** Does a copy. Without the lock. */
    void move(Copy copy, Consumer<@Nullable Throwable> then) {
        Verification verified = verification;
        if (verified == null) {
            Mover.move(copy, then);
        } else {
            verified.move(copy, then);
        }
    }

    private void arrived(Copy copy, @Nullable Throwable error) {
        DeviceSpace gone = error == null ? null : lostBy(copy, error);
        if (error != null && gone == null && copy.failures++ < COPY_RETRIES) {
            move(copy, another -> arrived(copy, another)); // what it copies from is still there
            return;
        }
        Afterwards after = new Afterwards();
        synchronized (lock) {
            DeviceLostException why = lostIn(error);
            if (gone != null && why != null) {
                lose(gone, why, after);
            }
            store.landed(copy, error);
            lock.notifyAll(); // who frees data waits for its copies
            for (Lease lease : copy.waiting) {
                lease.missing--;
                if (error != null && (gone == null || lease.space == gone)) {
                    lease.failure = gone == null ? repeated(copy, error) : gone.lost;
                } else if (lease.missing == 0 && lease.failure == null) {
                    fetch(lease, after); // what is nearer now
                }
                goOn(lease, after);
            }
            copy.whenOver.forEach(over -> over.accept(error));
            store.letLeave(copy);
            lock.notifyAll(); // recomputations that wait for room
            advance(after);
        }
        perform(after);
    }

    // ---- failure

    /** A device has failed to do what it was told. Without the lock. */
    void failed(DeviceSpace device, Throwable error) {
        if (error instanceof DeviceLostException lost) {
            Afterwards after = new Afterwards();
            synchronized (lock) {
                lose(device, lost, after);
                advance(after);
            }
            perform(after);
        }
    }

    /** A copy of a recomputation has failed. Without the lock. */
    void copyFailed(Copy copy, Throwable error) {
        DeviceSpace gone = lostBy(copy, error);
        DeviceLostException why = lostIn(error);
        if (gone != null && why != null) {
            failed(gone, why);
        }
    }

    /** Takes a device out of service. Those in its line are told afterwards. Under the lock. */
    private void lose(DeviceSpace device, DeviceLostException why, Afterwards after) {
        if (device.lost == null) {
            device.lost = why;
            String only = store.abandon(device);
            after.others.add(() -> {
                faults.lost(device.name, String.valueOf(why.getMessage()), only);
                failed(device, why);
            });
        }
    }

    /** Which device a copy found lost: that whose stream it was told to says so itself; null when none is. */
    private static @Nullable DeviceSpace lostBy(Copy copy, Throwable error) {
        Space teller = copy.to.space instanceof DeviceSpace ? copy.to.space : copy.from.space;
        Space other = teller == copy.to.space ? copy.from.space : copy.to.space;
        if (lostIn(error) == null) {
            return null;
        }
        return (error instanceof DeviceLostException ? teller : other) instanceof DeviceSpace device ? device : null;
    }

    /** The loss of a device among the causes of {@code error}; null when there is none. */
    private static @Nullable DeviceLostException lostIn(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof DeviceLostException lost) {
                return lost;
            }
        }
        return null;
    }

    private static Throwable repeated(Copy copy, Throwable error) {
        return error instanceof DeviceException
                ? new DeviceException(
                        "the copy of " + copy + " failed " + (COPY_RETRIES + 1) + " times: " + error.getMessage(),
                        error)
                : error;
    }

    // ---- recomputation

    Space hostSpace() {
        return host;
    }

    /** Where a step is done once more: on the host, or a device where the host has no implementation. */
    Space spaceFor(Lineage.Step step) {
        if (step.recipe().isForHost()) {
            return host;
        }
        synchronized (lock) {
            for (DeviceSpace device : devices) {
                if (device.lost == null && step.recipe().onDevice(device.device.target()) != null) {
                    return device;
                }
            }
        }
        throw new IllegalStateException(
                "task \"" + step.task() + "\" was done by " + step.recipe() + ", and no device for that is left");
    }

    /** Memory for a recomputation; waits while others make room. */
    Replica scratch(Space space, Need need) throws InterruptedException {
        while (true) {
            Afterwards after = new Afterwards();
            Replica made = null;
            synchronized (lock) {
                if (space.lost() == null && store.makeRoom(space, need.bytes(), after)) {
                    made = scratchNow(space, need, after);
                } else if (space.lost() != null) {
                    break;
                } else if (after.copies.isEmpty() && store.moving == 0) {
                    throw new IllegalStateException(
                            space + " has no room for " + need.data().name() + need.box());
                } else if (after.copies.isEmpty()) {
                    lock.wait(); // a copy is on its way, and says when it has landed
                }
            }
            perform(after);
            if (made != null) {
                return made;
            }
        }
        throw Objects.requireNonNull(space.lost());
    }

    /** Null when the device is lost, which this takes out of service. Under the lock. */
    private @Nullable Replica scratchNow(Space space, Need need, Afterwards after) {
        try {
            return store.scratch(space, need);
        } catch (DeviceLostException e) {
            if (space instanceof DeviceSpace device) {
                lose(device, e, after);
            }
            return null;
        }
    }

    void discard(Replica scratch) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            store.discard(scratch);
            advance(after);
        }
        perform(after);
    }

    /** A recomputation needs {@code scratch} no more, which has what the write of that number left: who lacks it gets it. */
    void settle(Replica scratch, long written) {
        synchronized (lock) {
            boolean lacking = false;
            for (Atom atom : scratch.directory.meeting(scratch.box)) {
                if (atom.version == written && atom.valid.isEmpty() && scratch.space.lost() == null) {
                    atom.valid.add(scratch);
                    lacking = true;
                }
            }
            if (lacking) {
                store.adopt(scratch);
            } else {
                store.discard(scratch);
            }
        }
    }

    /** A recomputation is over. By its thread. */
    void recovered(Recovery recovery, @Nullable Throwable error) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            recoveries.over(recovery, error, after);
            advance(after);
        }
        perform(after);
    }

    /** A lease waits for one thing less. Under the lock. */
    void oneLess(Lease lease, @Nullable Throwable error, Afterwards after) {
        lease.missing--;
        if (error != null) {
            lease.failure = error;
        } else if (lease.missing == 0 && lease.failure == null) {
            fetch(lease, after);
        }
        goOn(lease, after);
    }

    // ---- for people

    /** What went wrong with devices so far, and what became of it. */
    public Faults faults() {
        return faults.faults();
    }

    /** What was moved so far, and what each memory holds. */
    public Transfers transfers() {
        synchronized (lock) {
            return store.transfers();
        }
    }

    /** Where {@code data} is right now. */
    public Whereabouts whereabouts(Data data) {
        synchronized (lock) {
            return store.directory(data).whereabouts();
        }
    }

    /**
     * Gives back all memory that replicas of {@code data} take; what only they had is lost. No task may access it any more. Waits for
     * copies that are on their way.
     *
     * @throws IllegalStateException when a task does
     */
    public void free(Data data) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            store.free(data);
            advance(after);
        }
        perform(after);
        awaitGone(data);
    }

    private void awaitGone(Data data) {
        boolean interrupted = false;
        synchronized (lock) {
            while (store.isGoing(data)) {
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
        Afterwards after = new Afterwards();
        synchronized (lock) {
            store.release(data);
            advance(after);
        }
        perform(after);
    }

    /** Ends the use of all devices. No task may be live. */
    @Override
    public void close() {
        synchronized (lock) {
            boolean interrupted = false;
            while (store.moving > 0) { // brought ahead for a task that was cancelled
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            store.dropDevices();
        }
        store.close();
    }
}
