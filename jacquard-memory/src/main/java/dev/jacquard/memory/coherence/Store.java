package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.coherence.Coherence.BlockingThreads;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All spaces with all replicas, and the copies between them.
 *
 * <p>Guarded by the lock of the {@link Coherence}, under which all methods but {@link #close} are called.
 */
final class Store {
    final HostSpace host;
    final List<DeviceSpace> devices = new ArrayList<>();
    final Links links;
    final Eviction eviction = new Eviction(this);
    /** The host, the backing spaces, the devices. */
    final List<Space> spaces = new ArrayList<>();
    /** The spaces to which replicas are written that the host has no room for: the first that has room. */
    private final List<Space> backing = new ArrayList<>();
    /** Replicas that could not be written elsewhere, since the last task came. */
    private final List<Replica> stuck = new ArrayList<>(0);

    private final Lineage lineage;
    private final Counts counts = new Counts();
    /** True if changes of the users' arrays that no task made are looked for. Written before the first task. */
    boolean watchesHomes;
    /** The number of copies on their way. */
    int moving;

    /** Makes all spaces; {@code more} are after the disk. */
    Store(
            Limits limits,
            Map<Place, Device> opened,
            BlockingThreads threads,
            Clock clock,
            List<Space> more,
            Lineage lineage) {
        this.lineage = lineage;
        host = new HostSpace(limits.hostBytes(), opened.values());
        openDisks(limits.disks(), threads);
        backing.addAll(more);
        opened.forEach((place, device) ->
                devices.add(new DeviceSpace(place, device, limits.deviceBytes().get(devices.size()), threads, clock)));
        spaces.add(host);
        spaces.addAll(backing);
        spaces.addAll(devices);
        for (int i = 0; i < spaces.size(); i++) {
            spaces.get(i).number = i;
        }
        spaces.forEach(space -> space.obey(limits.cachePolicy()));
        links = new Links(limits.links(), spaces);
    }

    // ---- replicas

    Directory directory(Data data) {
        Directory known = (Directory) data.directory();
        if (known == null) {
            known = new Directory(data);
            data.directory(known);
            if (data.home() != null) {
                Replica home = new Replica(known, host, data.box(), data.layout(), data.home(), 0);
                known.home(home);
                known.watch = watchesHomes ? new HomeChecksum(home) : null;
            }
        }
        return known;
    }

    private void openDisks(List<Limits.Disk> disks, BlockingThreads threads) {
        try {
            for (Limits.Disk disk : disks) {
                String name = LinkTable.DISK + (backing.isEmpty() ? "" : backing.size());
                backing.add(new DiskSpace(name, disk, threads));
            }
        } catch (RuntimeException | Error e) {
            backing.forEach(Space::close);
            throw e;
        }
    }

    /** Makes a replica for {@code need}, for which there is room. */
    Replica allocate(Space space, DataNeed need) {
        Replica made = scratch(space, need);
        Want want = made.directory.wants.exactly(need.box(), one -> one.space == space);
        made.wanted = want == null ? 0 : want.tasks;
        adopt(made);
        return made;
    }

    /** Makes a replica that no task finds, and that must be given to one of the next two. There is room for it. */
    Replica scratch(Space space, DataNeed need) {
        Layout layout = space.layout(need);
        Replica made =
                new Replica(directory(need.data()), space, need.box(), layout, space.allocate(layout), layout.bytes());
        space.take(layout.bytes());
        return made;
    }

    void discard(Replica scratch) {
        if (scratch.space.lost != null) {
            scratch.space.residents().add(scratch); // like abandon()
            return;
        }
        scratch.space.free(scratch.memory);
        scratch.space.used -= scratch.bytes;
    }

    /** Makes scratch memory a replica like others. */
    void adopt(Replica scratch) {
        scratch.directory.replicas.add(scratch);
        scratch.space.residents().add(scratch);
    }

    /** Notes that a task begins to use a replica, or is over with it. */
    void used(Replica replica) {
        if (!replica.isHome()) {
            replica.space.residents().used(replica);
        }
    }

    /**
     * Gives back the memory of {@code data}, at once or after the copies that use it. Its contents are not needed any
     * more, and no task uses it.
     */
    void release(Data data) {
        Directory directory = (Directory) data.directory();
        if (directory != null) {
            List<Replica> replicas = List.copyOf(directory.replicas.all());
            directory.reset();
            directory.wasReleased = true;
            replicas.forEach(Replica::release);
        }
    }

    /** Begins a copy of {@code atom}, which {@code after} starts. */
    Transfer start(Atom atom, Replica from, Replica to, DeferredActions after) {
        Transfer copy = new Transfer(from, to, atom, lineage);
        if (copy.careful) {
            to.written.add(copy.box);
        } else {
            to.overwrite(copy.box);
        }
        if (to.directory.watch != null && to.isHome()) {
            to.directory.watch.replace(copy.box, "the copy of " + copy);
        }
        from.pin();
        from.copies++;
        to.pin();
        to.copies++;
        atom.arriving.add(copy);
        to.incoming.add(copy);
        from.outgoing.add(copy);
        moving++;
        after.start(copy);
        return copy;
    }

    /** Ends a copy. */
    void landed(Transfer copy, @Nullable Throwable error) {
        moving--;
        copy.from.copies--;
        copy.to.copies--;
        if (copy.careful) {
            copy.to.written.remove(copy.box);
        }
        if (copy.careful && (error == null || copy.arrived)) {
            copy.to.overwrite(copy.box);
        }
        copy.to.incoming.remove(copy);
        copy.from.outgoing.remove(copy);
        copy.from.unpin();
        copy.to.unpin();
        for (Atom atom : copy.atoms) {
            atom.arriving.remove(copy);
            if (error == null && copy.to.space.lost == null && !atom.valid.contains(copy.to)) {
                atom.valid.add(copy.to);
            }
        }
        if (error == null) {
            if (copy.to.directory.watch != null && copy.to.isHome()) {
                copy.to.directory.watch.saw(copy.box, "the copy of " + copy);
            }
            counts.add(copy, copy.isStaged());
        }
    }

    // ---- for people

    Transfers transfers() {
        return new Transfers(
                counts.links(), counts.data(), spaces.stream().map(Store::used).toList());
    }

    private static Transfers.Used used(Space space) {
        return new Transfers.Used(space.name, space.used, space.peak, space.limit, space.evictions);
    }

    /** Returns how full the backing spaces are, to be appended to a message. */
    String backingText() {
        StringBuilder text = new StringBuilder(backing.isEmpty() ? ", and there is no disk space" : "");
        for (Space space : backing) {
            Throwable failure = space.failure;
            text.append(", " + space + " " + space.limit + " and " + space.used)
                    .append(failure == null ? "" : " but takes no more: " + failure.getMessage());
        }
        return text.toString();
    }

    /** Returns the reason why a backing space takes no more, or a replica has no way out; null when there is none. */
    @Nullable
    Throwable failure() {
        return Stream.concat(
                        backing.stream().map(space -> space.failure),
                        stuck.stream().map(replica -> replica.stuck))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Notes that parts that only {@code replica} has could not be written elsewhere. */
    void isStuck(Replica replica, Throwable why) {
        if (replica.stuck == null) {
            stuck.add(replica);
        }
        replica.stuck = why;
    }

    /** Returns the data of a space that could not be written elsewhere, to be appended to a message. */
    String stuckText(Space space) {
        StringBuilder text = new StringBuilder();
        for (Replica replica : stuck) {
            if (replica.space == space && replica.stuck != null) {
                text.append(text.isEmpty() ? ": " : ", ").append(replica.directory.data.name());
                text.append(" (").append(replica.stuck.getMessage()).append(')');
            }
        }
        return text.toString();
    }

    /**
     * Lets backing spaces that have failed, and replicas that could not be written elsewhere, be tried again: a task
     * comes, and there may be room by now, or a way.
     */
    void tryAgain() {
        for (int i = 0; i < backing.size(); i++) {
            backing.get(i).failure = null;
        }
        if (!stuck.isEmpty()) {
            stuck.forEach(replica -> replica.stuck = null);
            stuck.clear();
        }
    }

    /**
     * Forgets all replicas of a device that is lost. Its memory is given back at the end: tasks that use it now may go
     * on for a while.
     *
     * @return the names of the data that no other memory has, for people
     */
    String abandon(Space device) {
        Set<String> only = new LinkedHashSet<>();
        for (Replica replica : device.residents().all()) {
            if (!Eviction.isElsewhere(replica)) {
                only.add(replica.directory.data.name());
            }
            replica.directory.forget(replica);
        }
        return String.join(", ", only);
    }

    // ---- the end

    /** Returns true if all copies that were begun are over. Without the lock. */
    boolean isIdle() {
        return spaces.stream().allMatch(Space::isIdle);
    }

    /** Returns true if replicas of {@code data} are about to go, after the copies that use them. */
    boolean isGoing(Data data) {
        Directory directory = (Directory) data.directory();
        return directory != null && !directory.going.isEmpty();
    }

    /** Lets no task have {@code data} from now on; throws when one has, and then leaves all as it is. */
    void retire(Data data) {
        Directory directory = directory(data);
        directory.replicas.all().forEach(Store::requireNoTask);
        directory.going.forEach(Store::requireNoTask); // its contents have been released since
        directory.retired = true;
    }

    private static void requireNoTask(Replica replica) {
        if (replica.pins > replica.copies + replica.frozen) {
            throw new IllegalStateException("data \"" + replica.data().name() + "\" cannot be freed while " + replica
                    + " is in use: wait for the unordered run of a compiled graph that accesses it, which free does"
                    + " not wait for");
        }
    }

    /**
     * Drops all replicas of {@code data}, which is retired, at once or after the copies and recomputations that use
     * them.
     */
    void free(Data data) {
        Directory directory = directory(data);
        directory.gone = true;
        lineage.freed();
        for (Replica replica : directory.replicas.all()) {
            if (!replica.isHome()) {
                directory.forget(replica);
                replica.release();
            }
        }
    }

    void dropDevices() {
        devices.forEach(device -> device.residents().all().forEach(eviction::drop));
    }

    /** Without the lock: waits for threads. */
    void close() {
        spaces.reversed().forEach(Space::close);
    }
}
