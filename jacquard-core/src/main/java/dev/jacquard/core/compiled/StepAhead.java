package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.residency.DataClaim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The launch of a kernel before its task is ready: the kernel is enqueued early when all predecessors of the task are
 * kernels enqueued on the same stream. The device runs them one after the other, without the host in between. In all
 * other respects the task goes its usual way, and its launch finds that the kernel is enqueued.
 *
 * <p>Counts the predecessors with kernels that were enqueued in this pass, until the task is ready itself. Predecessors
 * that are over still count: their work is done. A predecessor that ends without a launch never counts.
 *
 * <p>Threads: the worker of the device, but for the builder, before anything runs.
 */
final class StepAhead {
    private static final StepAhead[] NOTHING = {};

    private final StagedStep step;
    /**
     * The steps of the graph on the device that were put off, since the device has enough to do. Written by the
     * builder.
     */
    private Deque<StepAhead> putOff = new ArrayDeque<>(0);

    /** The steps that are enqueued after this one. Written by the builder. */
    private StepAhead[] behind = NOTHING;
    /**
     * The number of tasks before this one; 0 when not all of them enqueue kernels on the device. Written by the
     * builder.
     */
    private int before;

    /** True if the device has a task that waits for this one. Written by the builder. */
    private boolean goesOn;

    /** The number of predecessors with kernels that were enqueued in this pass. */
    private int told;
    /** The number of the stream of all these kernels; negative if there are several. */
    private int stream;
    /** True if the later steps have counted this kernel as enqueued. */
    private boolean hasTold;
    /** True if this step is among the steps put off. */
    private boolean waits;
    /** The claim with which the kernel was enqueued early; null for none. */
    private @Nullable DataClaim claim;

    StepAhead(StagedStep step) {
        this.step = step;
    }

    /**
     * Finds the tasks that may be enqueued early: the tasks that have predecessors on the same device only, and are in
     * no branch, which may be skipped. Builder only.
     *
     * @param predecessors the number of tasks before each one
     */
    static void order(CompiledTask[] tasks, Adjacency edges, int[] predecessors) {
        int[] ofSameDevice = new int[tasks.length];
        for (int i = 0; i < tasks.length; i++) {
            for (int edge : edges.from(i)) {
                int later = Adjacency.later(edge);
                ofSameDevice[later] += areOnSameDevice(tasks[i], tasks[later]) ? 1 : 0;
            }
        }
        Map<Place, Deque<StepAhead>> putOff = new HashMap<>();
        for (int i = 0; i < tasks.length; i++) {
            if (tasks[i] instanceof DeviceTask task) {
                List<StepAhead> behind = new ArrayList<>(0);
                boolean goesOn = false;
                for (int edge : edges.from(i)) {
                    int later = Adjacency.later(edge);
                    goesOn |= areOnSameDevice(task, tasks[later]);
                    if (ofSameDevice[later] == predecessors[later]
                            && tasks[later].traits().guards().length == 0) {
                        StepAhead ahead = ((DeviceTask) tasks[later]).step().ahead();
                        ahead.before = predecessors[later];
                        behind.add(ahead);
                    }
                }
                StepAhead own = task.step().ahead();
                own.behind = behind.toArray(StepAhead[]::new);
                own.goesOn = goesOn;
                own.putOff = putOff.computeIfAbsent(task.step().place(), none -> new ArrayDeque<>());
            }
        }
    }

    private static boolean areOnSameDevice(CompiledTask one, CompiledTask other) {
        return one instanceof DeviceTask its
                && other instanceof DeviceTask others
                && its.step().place() == others.step().place();
    }

    /** Returns true if the device has a task that waits for this one. Any thread. */
    boolean goesOn() {
        return goesOn;
    }

    /** Enqueues the steps after this one, after its kernel was enqueued on stream {@code number}. */
    void told(int number) {
        if (number < 0 || hasTold || behind.length == 0) {
            return; // a kernel that was enqueued early has enqueued the later steps
        }
        Deque<StepAhead> next = new ArrayDeque<>(behind.length);
        follow(number, next);
        goOn(next);
    }

    private static void goOn(Deque<StepAhead> next) {
        for (StepAhead step = next.poll(); step != null; step = next.poll()) {
            if (step.tell() == DataClaim.Ahead.TOLD) {
                step.follow(step.stream, next);
            }
        }
    }

    /** Adds the steps that may be enqueued after this one, which was enqueued. */
    private void follow(int number, Deque<StepAhead> next) {
        hasTold = true;
        for (int i = behind.length - 1; i >= 0; i--) {
            StepAhead later = behind[i];
            later.stream = later.told == 0 || later.stream == number ? number : -1;
            later.told++;
            if (later.told == later.before) {
                next.addFirst(later);
            }
        }
    }

    private DataClaim.Ahead tell() {
        if (claim != null || stream < 0 || told != before || !step.isAwaited()) {
            return DataClaim.Ahead.NEVER;
        }
        DataClaim made = step.made();
        DataClaim.Ahead became = step.launchAhead(made, stream);
        if (became == DataClaim.Ahead.TOLD || became == DataClaim.Ahead.REFUSED) {
            claim = made;
        } else if (became == DataClaim.Ahead.LATER && !waits) {
            waits = true;
            putOff.addFirst(this);
        }
        return became;
    }

    /** The task is ready. Returns the claim with which its kernel was enqueued early; null if it was not. */
    @Nullable
    DataClaim take() {
        DataClaim its = claim;
        claim = null;
        told = 0;
        hasTold = its != null; // else it enqueues the later steps when it launches
        return its;
    }

    /**
     * Returns true if the kernel of the task, which is ready, was enqueued early, so that the device may have run it.
     */
    boolean hasBegun() {
        return claim != null && claim.hasBegun();
    }

    /**
     * Ends the task, which is ready and does not begin. Returns true if the device does not work for it; if it does,
     * {@code then} is run when it has done so, and the task is ended again.
     */
    boolean abandon(Runnable then) {
        if (claim != null && !claim.isSettled(then)) {
            return false;
        }
        DataClaim its = take();
        if (its != null) {
            its.release(false);
        }
        return true;
    }

    /** Enqueues steps that were put off, since the device may have done some of its work. */
    void tellPutOff() {
        DataClaim.Ahead last = DataClaim.Ahead.NEVER;
        while (last != DataClaim.Ahead.LATER && !putOff.isEmpty()) {
            StepAhead next = putOff.poll();
            next.waits = false;
            last = next.tell();
            if (last == DataClaim.Ahead.TOLD) {
                Deque<StepAhead> more = new ArrayDeque<>(1);
                next.follow(next.stream, more);
                goOn(more);
            }
        }
    }
}
