package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.Layout;
import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.DeviceLostException;
import dev.jacquard.core.graph.Claim;
import dev.jacquard.core.graph.Staging;
import dev.jacquard.core.machine.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final HostSpace host;
    private final List<DeviceSpace> devices = new ArrayList<>();
    private final Map<Integer, Space> places = new HashMap<>();

    /** Null when there is none. */
    private final @Nullable DiskSpace disk;

    /** Those with replicas, for which something cannot pass through the host yet. Guarded by the lock. */
    private final List<Lease> starved = new ArrayList<>();
    /** How many leases have replicas. Guarded by the lock. */
    private int placed;
    /** How many copies are on their way. Guarded by the lock. */
    private int moving;
    /** Guarded by the lock. */
    private final List<Replica> all = new ArrayList<>();

    private final Counts counts = new Counts();
    private final Map<Space, Long> evictions = new HashMap<>();
    private long clock;

    /**
     * Begins to use devices.
     *
     * @param spaces how much of what memory replicas may take
     * @param opened the devices, whose ends are this object's to bring about
     * @param threads makes threads that block
     */
    public Coherence(Limits spaces, List<Device> opened, BlockingThreads threads) {
        host = new HostSpace(spaces.hostBytes());
        Path folder = spaces.folder();
        disk = folder == null ? null : new DiskSpace(folder, spaces.diskBytes(), spaces.direct(), threads);
        for (int i = 0; i < opened.size(); i++) {
            devices.add(new DeviceSpace(opened.get(i), spaces.deviceBytes().get(i), threads));
        }
    }

    /**
     * How much of what memory replicas may take, in bytes.
     *
     * @param hostBytes besides the user's own arrays
     * @param folder where on disk what does not fit there goes; null for nowhere
     * @param diskBytes how much may
     * @param direct whether that is to bypass the system's cache of pages
     * @param deviceBytes of each device
     */
    public record Limits(
            long hostBytes, @Nullable Path folder, long diskBytes, boolean direct, List<Long> deviceBytes) {
        public Limits {
            deviceBytes = List.copyOf(deviceBytes);
        }
    }

    /** Says which device's tasks are sent where. Before the first task. */
    public void places(ToIntFunction<Target> placeOf) {
        for (DeviceSpace device : devices) {
            places.put(placeOf.applyAsInt(device.itself), device);
        }
    }

    private Space space(int place) {
        return places.getOrDefault(place, host);
    }

    private Directory directory(Data data) {
        Directory known = (Directory) data.directory();
        if (known == null) {
            known = new Directory(data);
            data.directory(known);
            if (data.home() != null) {
                known.home(new Replica(known, host, data.box(), data.layout(), data.home(), 0));
            }
        }
        return known;
    }

    // ---- where to

    @Override
    public boolean hasDevice(Target target) {
        return devices.stream().anyMatch(device -> device.is(target));
    }

    @Override
    public @Nullable Target choose(Target kind, @Nullable Target wanted, @Nullable Object[] accesses) {
        if (devices.isEmpty()) {
            return null;
        }
        List<Need> needs = Need.of(accesses);
        synchronized (lock) {
            DeviceSpace best = null;
            long least = Long.MAX_VALUE;
            for (DeviceSpace device : devices) {
                if (device.is(kind) && (wanted == null || device.is(wanted))) {
                    long missing = 0;
                    for (Need need : needs) {
                        missing += directory(need.data()).planned == device ? 0 : need.bytes();
                    }
                    if (best == null || missing < least || (missing == least && device.tasks < best.tasks)) {
                        best = device;
                        least = missing;
                    }
                }
            }
            if (best == null) {
                return null;
            }
            best.tasks++;
            for (Need need : needs) {
                if (need.writes()) {
                    directory(need.data()).planned = best;
                }
            }
            return best.itself;
        }
    }

    @Override
    public void requireFits(String task, @Nullable Object[] accesses, int place) {
        Space space = space(place);
        long bytes = 0;
        for (Need need : Need.of(accesses)) {
            bytes += space == host && need.data().home() != null ? 0 : need.bytes();
        }
        if (bytes > space.limit) {
            throw new IllegalArgumentException("task \"" + task + "\" accesses " + bytes + " bytes of data, and "
                    + space + " may hold " + space.limit + ": let it access smaller parts, or raise the limit");
        }
    }

    @Override
    public Claim claim(String task, @Nullable Object[] accesses, int place) {
        return new Lease(this, task, space(place), Need.of(accesses));
    }

    // ---- leases

    boolean begin(Lease lease, Runnable goOn) {
        Afterwards after = new Afterwards();
        boolean there;
        synchronized (lock) {
            lease.then = goOn;
            if (!lease.space.line.isEmpty() || !place(lease, after)) {
                lease.space.line.add(lease);
            } else if (lease.failure == null) {
                fetch(lease, after);
            }
            unlessStuck(after);
            there = lease.failure != null || (lease.placed && lease.missing == 0);
            if (there) {
                lease.then = null;
            }
        }
        perform(after);
        return there;
    }

    void release(Lease lease, boolean well) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            if (lease.space instanceof DeviceSpace device) {
                device.tasks--;
            }
            if (lease.placed) {
                placed--;
                lease.space.leases -= lease.counts ? 1 : 0;
                for (int i = 0; i < lease.replicas.length; i++) {
                    Need need = lease.needs.get(i);
                    Replica replica = Objects.requireNonNull(lease.replicas[i]);
                    if (need.writes() && well) {
                        replica.directory.written(need.box(), replica);
                    } else if (need.writes()) {
                        replica.directory.spoilt(need.box(), replica);
                    }
                    replica.pins--;
                    replica.lastUse = ++clock;
                }
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
        advance(host, after);
        for (DeviceSpace device : devices) {
            advance(device, after);
        }
        unlessStuck(after);
    }

    private void advance(Space space, Afterwards after) {
        for (Lease lease = space.line.peek(); lease != null && place(lease, after); lease = space.line.peek()) {
            space.line.remove();
            if (lease.failure == null) {
                fetch(lease, after);
            }
            goOn(lease, after);
        }
    }

    /** Where nothing moves and nobody has replicas that he could give back, who waits for room gets none. Under the lock. */
    private void unlessStuck(Afterwards after) {
        while (moving == 0 && placed == starved.size()) {
            Lease lease = starved.isEmpty() ? firstInLine() : starved.removeFirst();
            if (lease == null) {
                return;
            }
            if (lease.placed) {
                lease.missing--;
            }
            lease.failure = new IllegalStateException("task \"" + lease.task + "\" finds no room for its data: "
                    + lease.space
                    + " may hold " + lease.space.limit + " bytes of replicas and holds " + lease.space.used
                    + ", host memory "
                    + host.limit + " and " + host.used
                    + (disk == null ? ", and there is no disk space" : ", disk " + disk.limit + " and " + disk.used)
                    + "; what is there is the only copy, and has nowhere to go");
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
        boolean lacks = space.mostLeases < Integer.MAX_VALUE && lacks(lease);
        if (lacks && space.leases >= space.mostLeases) {
            return false;
        }
        long bytes = 0;
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica known = directory(need.data()).find(space, need.box(), space.usesParts);
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
        if (bytes > 0 && !makeRoom(space, bytes, after)) {
            unpin(lease);
            return false;
        }
        try {
            for (int i = 0; i < lease.replicas.length; i++) {
                if (lease.replicas[i] == null) {
                    Need need = lease.needs.get(i);
                    Replica known = directory(need.data()).find(space, need.box(), space.usesParts);
                    lease.replicas[i] = known == null ? allocate(space, need) : known;
                    Objects.requireNonNull(lease.replicas[i]).pins++;
                }
            }
            lease.placed = true;
            placed++;
            lease.counts = lacks;
            space.leases += lacks ? 1 : 0;
        } catch (RuntimeException | OutOfMemoryError e) {
            unpin(lease);
            lease.failure = e;
        }
        return true;
    }

    /** Whether something has to be brought, or made. Under the lock. */
    private boolean lacks(Lease lease) {
        for (Need need : lease.needs) {
            Directory directory = directory(need.data());
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

    private Replica allocate(Space space, Need need) {
        Directory directory = directory(need.data());
        Layout layout = need.data().layout().packed(need.box());
        Replica made = new Replica(directory, space, need.box(), layout, space.allocate(layout), layout.bytes());
        space.take(layout.bytes());
        directory.replicas.add(made);
        all.add(made);
        return made;
    }

    // ---- what is missing

    /** Begins to bring what the lease's replicas lack. Under the lock. */
    private void fetch(Lease lease, Afterwards after) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica to = Objects.requireNonNull(lease.replicas[i]);
            for (Atom atom : to.directory.cut(need.box())) {
                if (need.reads() && !atom.valid.contains(to)) {
                    awaitCopy(lease, copyTo(lease, atom, to, after));
                }
                atom.beingWritten |= need.writes();
            }
            if (need.writes()) {
                awaitCopy(lease, to.directory.writingInto(to, need.box()));
            }
        }
    }

    private void awaitCopy(Lease lease, @Nullable Copy copy) {
        if (copy != null && !copy.waiting.contains(lease)) {
            lease.missing++;
            copy.waiting.add(lease);
        }
    }

    /** The copy that brings {@code atom}, or brings it nearer; null when there is none. Under the lock. */
    private @Nullable Copy copyTo(Lease lease, Atom atom, Replica to, Afterwards after) {
        Copy known = to.directory.writingInto(to, atom.box);
        if (known != null) {
            return known; // brings this version, or an older one that must not come after it
        }
        Replica from = nearest(atom, to.space);
        if (from == null) {
            Data data = to.directory.data;
            lease.failure = new IllegalStateException(
                    "task \"" + lease.task + "\" reads " + data.name() + atom.box
                            + (atom.version == 0
                                    ? ", which nobody has written"
                                    : ", whose newest version is lost: the task that was to write it, or the memory that had it, failed"));
            return null;
        }
        if (!Mover.reaches(from.space, to.space)) {
            Replica between = onHost(lease, atom, to.directory, after);
            return between == null ? null : copyTo(lease, atom, between, after);
        }
        return start(atom, from, to, after);
    }

    /** Where a copy from one device to another passes through. Under the lock. */
    private @Nullable Replica onHost(Lease lease, Atom atom, Directory directory, Afterwards after) {
        Replica known = directory.find(host, atom.box, true);
        if (known != null) {
            return known;
        }
        Need need = new Need(directory.data, atom.box, true, false);
        if (!makeRoom(host, need.bytes(), after)) {
            if (!starved.contains(lease)) {
                lease.missing++;
                starved.add(lease);
            }
            return null;
        }
        return allocate(host, need);
    }

    /** Who has the newest, nearest to {@code space}. */
    private @Nullable Replica nearest(Atom atom, Space space) {
        Replica best = null;
        int least = Integer.MAX_VALUE;
        for (Replica replica : atom.valid) {
            int cost = replica.space == space ? 0 : Mover.reaches(replica.space, space) ? 1 + replica.space.level : 10;
            if (cost < least) {
                best = replica;
                least = cost;
            }
        }
        return best;
    }

    /** Starts copies and goes on with tasks. Without the lock. */
    private void perform(Afterwards after) {
        for (Copy copy : after.copies) {
            Mover.move(copy, error -> arrived(copy, error));
        }
        after.others.forEach(Runnable::run);
    }

    private void arrived(Copy copy, @Nullable Throwable error) {
        if (error != null && !(error instanceof DeviceLostException) && copy.failures++ < COPY_RETRIES) {
            Mover.move(copy, another -> arrived(copy, another)); // what it copies from is still there
            return;
        }
        Afterwards after = new Afterwards();
        synchronized (lock) {
            moving--;
            copy.from.pins--;
            copy.to.pins--;
            copy.from.directory.copies.remove(copy);
            for (Atom atom : copy.atoms) {
                atom.arriving.remove(copy);
                if (error == null && !atom.valid.contains(copy.to)) {
                    atom.valid.add(copy.to);
                }
            }
            if (error == null) {
                counts.add(copy, Mover.isStaged(copy));
            }
            for (Lease lease : copy.waiting) {
                lease.missing--;
                if (error != null) {
                    lease.failure = error;
                } else if (lease.missing == 0 && lease.failure == null) {
                    fetch(lease, after); // what is nearer now
                }
                goOn(lease, after);
            }
            copy.whenOver.forEach(over -> over.accept(error));
            List.copyOf(copy.from.directory.replicas).forEach(this::leave);
            advance(after);
        }
        perform(after);
    }

    // ---- room

    /** Whether there is room for so many bytes; begins to make some if not. Under the lock. */
    private boolean makeRoom(Space space, long bytes, Afterwards after) {
        long leaving = 0;
        for (Replica replica : all) {
            leaving += replica.space == space && replica.leaving ? replica.bytes : 0;
        }
        while (space.used + bytes - leaving > space.limit) {
            Replica victim = leastRecentlyUsed(space);
            if (victim == null) {
                return false;
            }
            evictions.merge(space, 1L, Long::sum);
            if (isElsewhere(victim)) {
                drop(victim);
            } else if (writeBack(victim, after)) {
                leaving += victim.bytes;
            } else {
                return false;
            }
        }
        return space.used + bytes <= space.limit;
    }

    private @Nullable Replica leastRecentlyUsed(Space space) {
        Replica oldest = null;
        for (Replica replica : all) {
            if (replica.space == space
                    && replica.pins == 0
                    && !replica.leaving
                    && (oldest == null || replica.lastUse < oldest.lastUse)) {
                oldest = replica;
            }
        }
        return oldest;
    }

    /** Whether others have all that it has. */
    private static boolean isElsewhere(Replica replica) {
        return replica.directory.heldBy(replica).stream()
                .allMatch(atom ->
                        atom.beingWritten || atom.valid.stream().anyMatch(other -> other != replica && !other.leaving));
    }

    private void drop(Replica replica) {
        replica.directory.forget(replica);
        all.remove(replica);
        replica.space.free(replica.memory);
        replica.space.used -= replica.bytes;
    }

    /** Begins to write to the next space what only {@code victim} has; false when it cannot go anywhere. Under the lock. */
    private boolean writeBack(Replica victim, Afterwards after) {
        Space next = victim.space == host ? disk : host;
        if (next == null) {
            return false;
        }
        List<Atom> only = victim.directory.heldBy(victim).stream()
                .filter(atom ->
                        !atom.beingWritten && atom.valid.stream().allMatch(other -> other == victim || other.leaving))
                .toList();
        List<Replica> targets = new ArrayList<>();
        for (Atom atom : only) {
            Replica target = victim.directory.find(next, atom.box, next.usesParts);
            Need need = new Need(victim.directory.data, atom.box, true, false);
            if (target == null && !makeRoom(next, need.bytes(), after)) {
                return false;
            }
            if (target != null && victim.directory.writingInto(target, atom.box) != null) {
                return false; // tried again when that is over
            }
            targets.add(target == null ? allocate(next, need) : target);
        }
        victim.leaving = true;
        victim.writing = only.size();
        for (int i = 0; i < only.size(); i++) {
            start(only.get(i), victim, targets.get(i), after).whenOver.add(error -> {
                victim.writing--;
                victim.leaving &= error == null; // else it stays, the only one
            });
        }
        return true;
    }

    /** Nothing is left to be written, and nobody uses it. Under the lock. */
    private void leave(Replica replica) {
        if (replica.leaving && replica.writing == 0 && replica.pins == 0) {
            if (isElsewhere(replica)) {
                drop(replica);
            } else {
                replica.leaving = false; // who else had the rest has it no more
            }
        }
    }

    private Copy start(Atom atom, Replica from, Replica to, Afterwards after) {
        Copy copy = new Copy(from, to, atom);
        from.pins++;
        to.pins++;
        atom.arriving.add(copy);
        from.directory.copies.add(copy);
        moving++;
        after.copies.add(copy);
        return copy;
    }

    // ---- for people

    /** What was moved so far, and what each memory holds. */
    public Transfers transfers() {
        synchronized (lock) {
            List<Transfers.Used> used = new ArrayList<>();
            used.add(used(host));
            if (disk != null) {
                used.add(used(disk));
            }
            devices.forEach(device -> used.add(used(device)));
            return new Transfers(counts.links(), counts.data(), used);
        }
    }

    private Transfers.Used used(Space space) {
        return new Transfers.Used(space.name, space.used, space.peak, space.limit, evictions.getOrDefault(space, 0L));
    }

    /**
     * Gives back all memory that replicas of {@code data} take; what only they had is lost. No task may access it any more.
     *
     * @throws IllegalStateException when a task does
     */
    public void free(Data data) {
        Afterwards after = new Afterwards();
        synchronized (lock) {
            Directory directory = (Directory) data.directory();
            if (directory == null) {
                return;
            }
            for (Replica replica : List.copyOf(directory.replicas)) {
                if (replica.pins > 0 || replica.leaving) {
                    throw new IllegalStateException("data \"" + data.name() + "\" cannot be freed while " + replica
                            + " is in use: wait for the tasks that access it");
                }
            }
            for (Replica replica : List.copyOf(directory.replicas)) {
                if (!replica.isHome()) {
                    drop(replica);
                }
            }
            advance(after);
        }
        perform(after);
    }

    /** Ends the use of all devices. No task may be live. */
    @Override
    public void close() {
        synchronized (lock) {
            for (Replica replica : List.copyOf(all)) {
                if (replica.space instanceof DeviceSpace) {
                    drop(replica);
                }
            }
        }
        devices.forEach(DeviceSpace::close);
        if (disk != null) {
            disk.close();
        }
        host.close();
    }
}
