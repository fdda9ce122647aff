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
 * The launch of a kernel before its task is ready: the device is told of it when all tasks before it are kernels that
 * the same stream was told of. The device runs them one after the other, without the host in between. In all other
 * respects the task goes its usual way, and its launch finds that the device was told.
 *
 * <p>Counts the tasks before it that have told their kernels in this pass, until it is ready itself. Those that are
 * over count on: what they were to do is done. One that ends without never counts.
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

    /** The steps that are told behind this one. Written by the builder. */
    private StepAhead[] behind = NOTHING;
    /** The number of tasks before this one; 0 when not all of them tell the device. Written by the builder. */
    private int before;

    /** True if the device has a task that waits for this one. Written by the builder. */
    private boolean goesOn;

    /** The number of those whose kernels were told in this pass. */
    private int told;
    /** The number of the stream that was told all of these; negative if there are several. */
    private int stream;
    /** True if those behind know that this kernel was told. */
    private boolean hasTold;
    /** True if this is among those put off. */
    private boolean waits;
    /** The claim with which the device was told, before the task is ready; null for none. */
    private @Nullable DataClaim claim;

    StepAhead(StagedStep step) {
        this.step = step;
    }

    /**
     * Finds the tasks of which a device may be told ahead: those that come behind tasks of the same device alone, and
     * are in no branch, which may be skipped. Builder only.
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

    /** Tells the device of what is behind this step, whose kernel stream {@code number} was told of. */
    void told(int number) {
        if (number < 0 || hasTold || behind.length == 0) {
            return; // a kernel that was told ahead has told those behind it
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

    /** Adds what may be told behind this step, whose kernel was told. */
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

    /**
     * The task is ready. Returns the claim with which the device was told of its kernel; null if the device was not.
     */
    @Nullable
    DataClaim take() {
        DataClaim its = claim;
        claim = null;
        told = 0;
        hasTold = its != null; // else it tells those behind it when it launches
        return its;
    }

    /** Returns true if the device was told of the kernel of the task, which is ready, and may have run it. */
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

    /** Tells the device, which may have done some of its work, of what was put off. */
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
