package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBody;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Does the tasks of a plan again, in separate memory, until the write that was lost is there again. Each task gets
 * exactly the data that it had the first time, whatever the graph has written since; nothing that is valid is touched.
 *
 * <p>Threads: confined to the thread that runs it, except for state under the coherence's lock.
 */
final class Recovery {
    private static final int COPY_TRIES = 3;

    private final Coherence coherence;
    private final RecomputationPlan plan;
    final Piece lost;
    final Directory directory;
    /** The claims that wait for it. Guarded by the lock. */
    final List<ReplicaClaim> waiting = new ArrayList<>(1);

    /** Part of some data as a task of the plan wrote it. */
    private record Made(long version, Replica replica, long lastReader) {}

    private final List<Made> made = new ArrayList<>();

    Recovery(Coherence coherence, RecomputationPlan plan, Piece lost, Directory directory) {
        this.coherence = coherence;
        this.plan = plan;
        this.lost = lost;
        this.directory = directory;
    }

    int steps() {
        return plan.steps.size();
    }

    /** Does all tasks of the plan. By a thread that may block. */
    void run() {
        Throwable error = null;
        try {
            for (RecomputationPlan.Doing doing : plan.steps.values()) {
                perform(doing);
            }
        } catch (Throwable e) { // of users' code too: the claims that wait for the data are notified
            error = e;
        }
        coherence.recoveries.recovered(this, error);
    }

    List<Replica> read() {
        return plan.read();
    }

    private void perform(RecomputationPlan.Doing doing) throws Exception {
        Lineage.Step step = doing.step();
        Space space = coherence.scratch.spaceFor(step);
        List<DataNeed> needs = new ArrayList<>();
        for (int i = 0; i < step.used().size(); i++) {
            Lineage.Used used = step.used().get(i);
            needs.add(new DataNeed(doing.data().get(i).data, used.box(), used.reads(), used.writes()));
        }
        ReplicaClaim claim = new ReplicaClaim(coherence, step.task(), space, DataNeeds.of(needs), null, false);
        try {
            for (int i = 0; i < needs.size(); i++) {
                claim.replicas[i] = coherence.scratch.allocate(space, needs.get(i));
            }
            for (int i = 0; i < needs.size(); i++) {
                bring(doing, i, claim.memoryOf(i));
            }
            work(step, claim);
        } catch (Throwable e) {
            giveBack(claim, -1);
            throw e;
        }
        giveBack(claim, step.version());
        dropUpTo(step.version());
    }

    private void bring(RecomputationPlan.Doing doing, int index, Replica to) throws InterruptedException {
        for (RecomputationPlan.Source source : doing.sources().get(index)) {
            copy(source.replica(), to, source.box());
        }
        for (Piece piece : doing.earlier().get(index)) {
            for (Made earlier : made) {
                if (earlier.version == piece.version()
                        && earlier.replica.directory == to.directory
                        && earlier.replica.box.intersects(piece.box())) {
                    copy(earlier.replica, to, earlier.replica.box.intersection(piece.box()));
                }
            }
        }
    }

    private void copy(Replica from, Replica to, Box box) throws InterruptedException {
        if (from.space.pathTo(to.space) != null) {
            copyDirectly(from, to, box);
            return;
        }
        Replica between = coherence.scratch.allocate(
                coherence.scratch.hostSpace(), new DataNeed(to.directory.data, box, true, false));
        try {
            copyDirectly(from, between, box);
            copyDirectly(between, to, box);
        } finally {
            coherence.scratch.discard(between);
        }
    }

    private void copyDirectly(Replica from, Replica to, Box box) {
        for (int tries = 1; ; tries++) {
            CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
            Transfer copy = new Transfer(from, to, box);
            coherence.runner.move(copy, end::complete);
            Throwable error = end.join();
            if (error == null) {
                return;
            }
            coherence.runner.copyFailed(copy, error);
            if (tries == COPY_TRIES) {
                throw new CompletionException(error);
            }
        }
    }

    private static void work(Lineage.Step step, ReplicaClaim claim) throws Exception {
        Device device = claim.space.device();
        if (device == null) {
            List<View> data = new ArrayList<>();
            claim.needs.forEach(need -> data.add(new View(need.data(), need.box())));
            step.recipe().run(step.task(), data, claim);
            return;
        }
        DeviceBody body = step.recipe().onDevice(device.target());
        if (body == null) {
            throw new IllegalStateException(step.recipe() + " does not run on " + claim.space);
        }
        claim.launch(body, step.recipe().numbers()).toCompletableFuture().join();
    }

    /** Keeps the output of the task as {@code version}, if that is one, and gives back the rest. */
    private void giveBack(ReplicaClaim claim, long version) {
        for (int i = 0; i < claim.needs.size(); i++) {
            Replica replica = claim.replicas[i];
            if (replica != null && version > 0 && claim.needs.get(i).writes()) {
                made.add(new Made(version, replica, lastReader(version)));
            } else if (replica != null) {
                coherence.scratch.discard(replica);
            }
        }
    }

    private long lastReader(long version) {
        long last = version == lost.version() ? Long.MAX_VALUE : version;
        for (RecomputationPlan.Doing doing : plan.steps.values()) {
            for (List<Piece> earlier : doing.earlier()) {
                for (Piece piece : earlier) {
                    if (piece.version() == version) {
                        last = Math.max(last, doing.step().version());
                    }
                }
            }
        }
        return last;
    }

    /** Drops data that no task after the one of {@code version} reads, unless a claim lacks it. */
    private void dropUpTo(long version) {
        made.removeIf(one -> {
            if (one.lastReader > version) {
                return false;
            }
            coherence.scratch.settle(one.replica, one.version);
            return true;
        });
    }

    /** Gives back all that is left, when the lost write is there again or cannot be. Under the lock. */
    void settleRest() {
        made.forEach(one -> coherence.scratch.settle(one.replica, one.version));
        made.clear();
    }
}
