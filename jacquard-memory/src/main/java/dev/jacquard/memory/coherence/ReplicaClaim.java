package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.KernelFailedException;
import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The data of one task, in the space where it runs: first all of its replicas, or none yet, so that two tasks never
 * wait for replicas of each other; then their missing data.
 *
 * <p>Guarded by the lock of the {@link Coherence} until all is in place; from then on constant.
 */
final class ReplicaClaim implements DataClaim {
    final String task;
    final Space space;
    /** The needs before any demotion. */
    final DataNeeds first;
    /** Immutable. Replaced by a demotion, under the lock; read by the body too. */
    volatile List<DataNeed> needs;
    /** The replica of each need; null before there is room for all, and where the need is given up. Under the lock. */
    final @Nullable Replica[] replicas;

    /**
     * The way to repeat the work of the task; null when it is unknown, or the task has given something up: it read some
     * of its data in one version, and the directory may know another by the end.
     */
    @Nullable
    Recomputation recipe;

    /** True if data that the task is to read and to overwrite is to be kept elsewhere, for another try. */
    final boolean restorable;
    /** The replicas that keep it. Pinned. */
    final List<Replica> kept = new ArrayList<>(0);

    /** The parts that other tasks which added at the same time, and failed, have left half done. */
    final List<Spoilt> spoilt = new ArrayList<>(0);

    /** A part of a replica that a failed task has left half done. */
    record Spoilt(Replica replica, Box box) {}

    private static final VarHandle USE = Fields.handle(MethodHandles.lookup(), "use", Use.class);

    private final Coherence coherence;

    /**
     * The launch that was enqueued before the task was ready; null for none. Written under the lock, and no more once
     * the claim has begun, when its thread reads it.
     */
    @Nullable
    AheadLaunch ahead;
    /** The number of the stream that has the work; -1 before. Written by the thread that enqueues it. */
    private volatile int stream = -1;

    /** True if it brings data for other tasks. Written before it begins. */
    boolean brings;
    /** True if it brings data home that no task may have any more. Written before it begins. */
    boolean last;
    /** True while it has its replicas, which are pinned. */
    boolean placed;
    /** True if it had to bring something, and so counts in {@link Space#claims}. */
    boolean counts;
    /** True once its task runs, or may. */
    boolean runs;
    /** The number of copies, recomputations and rooms that it waits for. */
    int missing;

    /** The claims that wait to add with it; null when it does not wait. */
    Adders.@Nullable Turn turn;
    /** The number by which it stood there first; 0 when it never did. */
    long heldAs;

    /** True if it waits for anything, once it was to begin. Under the lock, by {@link RestingClaims}. */
    boolean waits;
    /** The state of a claim that rests between runs; see {@link RestingClaims}. */
    volatile Use use = Use.ONCE;

    /** The uses of a claim that serves several runs. */
    enum Use {
        /** It has not rested: its task uses it. */
        ONCE,
        /** No run uses it. */
        RESTING,
        /** A run uses it. */
        USED,
        /** A run uses it, after which it cannot rest. */
        WANTED,
        /** It is over. */
        GONE
    }

    /** The plan of its task; null where tasks are not planned. Written before it begins. */
    @Nullable
    AccessPlan plan;

    /** The time that the device took for its work. Written under the lock, before the work counts as done. */
    long workNanos;

    @Nullable
    Throwable failure;
    /** Goes on with the task; null when that is not needed, or done. */
    @Nullable
    Continuation then;

    ReplicaClaim(
            Coherence coherence,
            String task,
            Space space,
            DataNeeds needs,
            @Nullable Recomputation recipe,
            boolean restorable) {
        this.recipe = recipe;
        this.restorable = restorable;
        this.coherence = coherence;
        this.task = task;
        this.space = space;
        this.first = needs;
        this.needs = needs.all;
        this.replicas = new @Nullable Replica[needs.all.size()];
    }

    /** Returns the part that the replica for the need of that number must have, before it is placed. */
    Box room(int index) {
        return first.room(index, space);
    }

    /** Lets the task go on when nothing is missing any more, and it has not gone on yet. Under the lock. */
    void goOn(DeferredActions after) {
        Runnable next = then;
        if (next != null && missing == 0) {
            then = null;
            coherence.claims.resting.waits(this, false);
            after.then(next);
        }
    }

    @Override
    public void brings() {
        brings = true;
    }

    @Override
    public boolean begin(Continuation goOn) {
        return coherence.claims.begin(this, goOn);
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public boolean isOnHost() {
        return space.device() == null;
    }

    @Override
    public Memory memory(Data data, Box part) {
        for (int i = 0; i < replicas.length; i++) {
            DataNeed need = needs.get(i);
            Replica replica = replicas[i];
            if (replica != null && need.data() == data && need.box().contains(part)) {
                if (!(replica.memory instanceof MemorySegment all)) {
                    throw new IllegalStateException("task \"" + task + "\" runs on " + space + ", and " + data.name()
                            + " is in that device's memory: its work belongs into a kernel's onDevice");
                }
                Layout layout = replica.layout.within(part);
                MemorySegment its =
                        all.asSlice(replica.offset(part) * layout.type().bytes(), layout.bytes());
                return new Memory(its, coherence.checksIndices ? layout.checkedFor(new View(data, part)) : layout);
            }
        }
        throw DataNeeds.undeclared(task, needs, data, part);
    }

    @Override
    public CompletionStage<?> launch(DeviceBody body, List<Object> numbers) {
        AheadLaunch before = ahead;
        if (before != null) {
            return before.launch().minimalCompletionStage();
        }
        CompletableFuture<Object> done = new CompletableFuture<>();
        ClaimWork work = new ClaimWork(this, numbers);
        long told = coherence.launches.now();
        toldOn(space.kernels()
                .tell(
                        its -> {
                            work.stream = its;
                            body.enqueue(work);
                        },
                        error -> launched(told, error, done)));
        return done
                .minimalCompletionStage(); // a caller that gives up the task cannot end it: the device goes on with its
        // memory
    }

    @Override
    public long workNanos() {
        return workNanos;
    }

    /** Forgets the launch that was enqueued early, before the task is ready: it begins as others do. Under the lock. */
    void forgetAhead() {
        ahead = null;
    }

    void toldOn(int number) {
        stream = number;
    }

    /**
     * Ends a launch that was enqueued at {@code told}, and that the device has done or failed to do. Without the lock.
     */
    void launched(long told, @Nullable Throwable error, CompletableFuture<Object> done) {
        if (error == null) {
            coherence.launches.launched(this, told);
            done.complete(task);
        } else {
            coherence.runner.failed(space, error);
            done.completeExceptionally(error instanceof KernelFailedException its ? its.thrown() : error);
        }
    }

    @Override
    public Ahead launchAhead(int before, DeviceBody body, List<Object> numbers) {
        Ahead told = coherence.launches.launchAhead(this, before, body, numbers);
        if (told == Ahead.TOLD) {
            toldOn(before);
        }
        return told;
    }

    @Override
    public boolean hasBegun() {
        synchronized (coherence.lock) {
            return ahead != null && ahead.mayHaveRun();
        }
    }

    @Override
    public boolean isSettled(Runnable then) {
        AheadLaunch before = ahead;
        return before == null || before.isSettled(then);
    }

    @Override
    public int stream() {
        for (DataNeed need : needs) {
            if (need.shares()) {
                return -1; // tasks that add take turns
            }
        }
        return stream;
    }

    /** Returns true if it has not gone on, and need not any more. Under the lock. */
    boolean isUnwanted() {
        Continuation next = then;
        return next != null && next.isUnwanted();
    }

    /** Returns true if it has not gone on, and claims of less can take its place. Under the lock. */
    boolean isDivisible() {
        Continuation next = then;
        return next != null && next.isDivisible();
    }

    /** Returns true if anything of its work may have been done. Under the lock. */
    boolean mayHaveRun() {
        return runs || (ahead != null && ahead.mayHaveRun());
    }

    Replica memoryOf(int index) {
        return Objects.requireNonNull(replicas[index]);
    }

    Directory directory(int index) {
        return memoryOf(index).directory;
    }

    @Override
    public Runnable demote(AccessList left) {
        return coherence.claims.demote(this, DataNeed.of(left));
    }

    @Override
    public boolean rest() {
        return use == Use.ONCE ? coherence.claims.rest(this) : USE.compareAndSet(this, Use.USED, Use.RESTING);
    }

    @Override
    public boolean resume() {
        return USE.compareAndSet(this, Use.RESTING, Use.USED);
    }

    /** Ends the rest of the claim, and returns true; or makes a claim wanted that a run uses. Under the lock. */
    boolean isRecalled() {
        while (true) { // a run may resume it in between, or let it rest
            if (USE.compareAndSet(this, Use.RESTING, Use.GONE)) {
                return true;
            }
            if (USE.compareAndSet(this, Use.USED, Use.WANTED) || use == Use.WANTED || use == Use.GONE) {
                return false;
            }
        }
    }

    @Override
    public boolean isWhere(DataClaim other) {
        return other instanceof ReplicaClaim its && first == its.first && Arrays.equals(replicas, its.replicas);
    }

    @Override
    public void release(boolean well) {
        coherence.claims.release(this, well);
    }

    @Override
    public void release(boolean all, List<Share> begun) {
        coherence.claims.release(this, all, begun);
    }

    /** Returns the replica with the memory of all of {@code need}, which is within one of the claim's. */
    Replica memoryOf(DataNeed need) {
        for (int i = 0; i < replicas.length; i++) {
            DataNeed mine = needs.get(i);
            if (replicas[i] != null && mine.data() == need.data() && mine.box().contains(need.box())) {
                return memoryOf(i);
            }
        }
        throw new IllegalArgumentException(need + " is not within what \"" + task + "\" has claimed: " + needs);
    }
}
