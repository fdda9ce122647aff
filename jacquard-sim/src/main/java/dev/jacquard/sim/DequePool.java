package dev.jacquard.sim;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.engine.schedule.Aging;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The deques of the workers, for policies without an order: each worker runs its newest task, else the oldest of
 * another. It asks the others in turn, and begins after the one that it stole from last, as in the engine. Tasks that
 * no worker made ready begin in the deque of worker 0, which is that of the submitting thread; those that devices make
 * ready are in an inbox.
 */
final class DequePool extends HostPool {
    private static final int CAPACITY = 16;

    private final List<WorkDeque<SimTask>> deques = new ArrayList<>();
    private final List<Aging> agings = new ArrayList<>();
    private final Deque<SimTask> inbox = new ArrayDeque<>();
    private final boolean[] tookFromInbox;
    /** By worker: the one that it asked last. */
    private final int[] victims;

    private boolean submitting = true;
    private int queued;

    DequePool(int workers) {
        super(workers);
        for (int i = 0; i < workers; i++) {
            deques.add(new WorkDeque<>(CAPACITY, workers > 1));
            agings.add(new Aging());
        }
        this.victims = IntStream.range(0, workers).toArray();
        this.tookFromInbox = new boolean[workers];
    }

    @Override
    void submitted() {
        submitting = false;
    }

    @Override
    void send(SimTask task) {
        if (submitting) {
            share(task, 0);
        } else {
            inbox.add(task);
        }
    }

    @Override
    void share(SimTask task, int worker) {
        deques.get(worker).push(task);
        queued++;
    }

    @Override
    boolean inlines() {
        return true;
    }

    @Override
    @Nullable
    SimTask choose(int worker, long nanos) {
        SimTask task = looksUp(worker, nanos) ? aged(worker, nanos) : null;
        if (task != null) {
            tookFromInbox[worker] = false;
            shareNext(worker);
            return counted(task);
        }
        if (!inbox.isEmpty() && !tookFromInbox[worker]) {
            tookFromInbox[worker] = true;
            shareNext(worker);
            return inbox.remove();
        }
        tookFromInbox[worker] = false;
        task = takeNext(worker);
        if (task != null) {
            return task;
        }
        task = deques.get(worker).pop();
        if (task != null) {
            return counted(task);
        }
        if (!inbox.isEmpty()) {
            return inbox.remove();
        }
        return queued == 0 ? null : steal(worker);
    }

    private SimTask counted(SimTask task) {
        queued--;
        return task;
    }

    private @Nullable SimTask aged(int worker, long nanos) {
        WorkDeque<SimTask> own = deques.get(worker);
        return switch (agings.get(worker).look(own, nanos, taken[worker])) {
            case NONE -> null;
            case OWN -> own.steal();
            case ANY -> oldest(worker);
        };
    }

    /** Takes the oldest task of another worker with two more than this one, which follows a chain, else its own. */
    private @Nullable SimTask oldest(int worker) {
        WorkDeque<SimTask> own = deques.get(worker);
        if (hasNext(worker) && deques.size() > 1) {
            WorkDeque<SimTask> other = deques.get(nextVictim(worker));
            if (other.size() > own.size() + 1) {
                return other.steal();
            }
        }
        return own.steal();
    }

    private @Nullable SimTask steal(int worker) {
        for (int tries = 1; tries < deques.size(); tries++) {
            SimTask task = deques.get(nextVictim(worker)).steal();
            if (task != null) {
                return counted(task);
            }
        }
        return null;
    }

    /** Returns the next of the other workers, of which there is one. */
    private int nextVictim(int worker) {
        int next = (victims[worker] + 1) % deques.size();
        victims[worker] = next == worker ? (next + 1) % deques.size() : next;
        return victims[worker];
    }

    @Override
    void leave(SimTask task, int worker) {}
}
