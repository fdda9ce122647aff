package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.schedule.EarliestFinish;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a policy in one run, which keep its contract: each task that is pushed is popped once, a pop returns
 * pushed tasks alone, a task is placed at one of the offered places, and nothing throws. A breach is a
 * {@link PolicyException}. Threads: confined to one run.
 */
final class PolicyCalls {
    private final Policy policy;
    private final @Nullable Placement own;
    private final Placement placement;
    private final SimTask[] tasks;
    /** The orders, one for all host workers or one for each; none where the deques of the workers serve. */
    private final ReadyOrder[] orders;

    PolicyCalls(Policy policy, int workers, SimTask[] tasks) {
        this.policy = policy;
        this.own = policy.placement();
        this.placement = own == null ? new EarliestFinish() : own;
        this.tasks = tasks;
        ReadyOrder first = policy.order();
        if (first == null) {
            if (own != null) {
                throw new IllegalArgumentException("policy \"" + policy.name()
                        + "\" has a placement but no order: the workers' deques take no placement");
            }
            this.orders = new ReadyOrder[0];
            return;
        }
        this.orders = new ReadyOrder[own == null ? 1 : Math.max(1, workers)];
        orders[0] = first;
        for (int i = 1; i < orders.length; i++) {
            ReadyOrder order = policy.order();
            if (order == null || order == first) {
                throw new IllegalArgumentException("policy \"" + policy.name()
                        + "\" has a placement, so it must make an order for each worker, and made "
                        + (order == null ? "none" : "the same one again"));
            }
            orders[i] = order;
        }
    }

    /** Returns the number of orders; 0 where the deques of the workers serve. */
    int orders() {
        return orders.length;
    }

    /** Returns true if each worker has its own order. */
    boolean placesWorkers() {
        return own != null;
    }

    void push(SimTask task, int order) {
        task.order = order;
        try {
            orders[order].push(task);
        } catch (Throwable e) {
            throw broken(task, "threw from push of task \"" + task.name() + '"', e);
        }
    }

    @Nullable
    SimTask pop(int order, int worker) {
        ReadyTask task;
        try {
            task = orders[order].pop(worker);
        } catch (Throwable e) {
            throw broken(null, "threw from pop", e);
        }
        if (task == null) {
            return null;
        }
        if (!(task instanceof SimTask its) || tasks[its.number] != its) {
            throw broken(task, "returned task \"" + nameOf(task) + "\", which is no task of this run", null);
        }
        if (its.order != order) {
            String where = its.order == SimTask.NEW
                    ? "was never ready"
                    : its.order == SimTask.TAKEN ? "was taken out before" : "is in order " + its.order;
            throw broken(its, "returned task \"" + its.name() + "\", which " + where, null);
        }
        its.order = SimTask.TAKEN;
        return its;
    }

    private String nameOf(ReadyTask task) {
        try {
            return task.name();
        } catch (Throwable e) { // a task that the policy made up is users' code too
            throw broken(null, "returned a task whose name() throws", e);
        }
    }

    Place place(SimTask task, MachineState machine) {
        Place place;
        try {
            place = placement.place(task, machine);
        } catch (Throwable e) {
            throw broken(task, "threw from place of task \"" + task.name() + '"', e);
        }
        if (!machine.isOffered(place)) {
            String offered = machine.places().stream().map(Place::name).collect(Collectors.joining(", "));
            throw broken(
                    task, "placed task \"" + task.name() + "\" on " + place + "; the places were " + offered, null);
        }
        return place;
    }

    /** Reports a submission; returns the earlier tasks for which the policy lets the task wait too. */
    int[] submitted(SimTask task) {
        int[][] added = {{}};
        boolean[] open = {true};
        try {
            policy.submitted(task, earlier -> {
                if (!open[0]) {
                    throw new IllegalStateException("the submission of \"" + task.name() + "\" is over");
                }
                if (!(earlier instanceof SimTask its) || tasks[its.number] != its || its.number >= task.number) {
                    throw new IllegalArgumentException(
                            "\"" + earlier.name() + "\" was not submitted before \"" + task.name() + '"');
                }
                added[0] = joined(added[0], new int[] {its.number});
            });
        } catch (Throwable e) {
            throw broken(task, "threw when task \"" + task.name() + "\" was submitted", e);
        }
        open[0] = false;
        return added[0];
    }

    static int[] joined(int[] some, int[] more) {
        int[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    /** The workers are idle, and the orders answer null to each of them. */
    PolicyException keepsBack(long tasks) {
        return broken(
                null,
                "keeps " + tasks + " ready task" + (tasks == 1 ? "" : "s")
                        + " back: all workers are idle, and pop answers null to each of them",
                null);
    }

    private PolicyException broken(@Nullable ReadyTask task, String what, @Nullable Throwable cause) {
        if (cause instanceof PolicyException its) {
            return its;
        }
        return new PolicyException(policy.name(), task == null ? null : task.name(), what, cause);
    }
}
