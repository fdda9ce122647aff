package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.DataClaim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The demotion of accesses that tasks have declared. A demotion by the body takes effect at once, a demotion of a
 * pending task when the task becomes ready.
 *
 * <p>Threads: a method that changes accesses, links and trackers holds the lock of the task's scope. Its caller is the
 * body's thread, the thread that made the task ready or, for an adjustable task, any thread. Callers for an adjustable
 * task hold the monitor of its {@link Adjustment}: one at a time. The order of locks: that monitor, the lock of the
 * task's refinement, the lock of the task's scope, coherence.
 *
 * <p>Source: the resource-register document, section 2.3.
 */
final class Demotions {
    private Demotions() {}

    // ---- allowed demotions

    /** Returns {@code accesses} of {@code task} after {@code demotion}. */
    static AccessList without(TaskNode task, AccessList accesses, Demotion demotion) {
        return accesses.with(requireCovering(task, accesses, demotion), demotion.to());
    }

    /**
     * Refuses a demotion from outside that only the body can make. A task that overwrites a resource clears the poison
     * of the resource, and only its body knows when it has.
     *
     * @throws IllegalArgumentException if the access to be replaced writes without reading
     */
    static void requireFromOutside(TaskNode task, Demotion demotion) {
        AccessList now = task.allowed();
        int index = requireCovering(task, now, demotion);
        Access from = now.access(index);
        if (from.writes() && !from.reads()) {
            throw new IllegalArgumentException(
                    "task \"" + task.name() + "\" cannot demote its access " + from + " to \""
                            + demotion.resource() + "\" from outside to " + demotion.to()
                            + ": the task declared to write all of that, and only its body knows when it has;"
                            + " demote it in the body, or declare it with updates");
        }
    }

    /**
     * Returns the index of the access to be replaced: one that covers the new access, and writes if any such one does.
     *
     * @throws IllegalArgumentException if no access covers the new one
     */
    private static int requireCovering(TaskNode task, AccessList declared, Demotion demotion) {
        Resource resource = demotion.resource();
        Access to = demotion.to();
        int found = -1;
        StringBuilder has = new StringBuilder();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) == resource) {
                Access known = declared.access(i);
                boolean better =
                        found < 0 || (known.writes() && !declared.access(found).writes());
                if (better && known.covers(to)) {
                    found = i;
                }
                has.append(has.isEmpty() ? "" : ", ").append(known);
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" cannot demote its access to \"" + resource
                    + "\" to " + to + ": "
                    + (has.isEmpty()
                            ? "it declared no access to it"
                            : "it has " + has + ", and an access can only be reduced: declare " + to
                                    + " at submission"));
        }
        return found;
    }

    static String refusal(TaskNode task, Demotion demotion) {
        return "task \"" + task.name() + "\" cannot demote its access to " + demotion.resource() + " to "
                + demotion.to();
    }

    // ---- from the body

    /** Demotes an access from the body, by the body's thread. */
    static void demote(TaskNode task, Demotion demotion) {
        BrokenSubmission broken = task.scope().domain.broken;
        try {
            TaskRun mine = task.taskRun();
            List<TaskNode> freed = mine == null || mine.adjustment == null
                    ? giveUpNow(task, demotion)
                    : mine.adjustment.demoteNow(demotion); // against threads that adjust the task from outside
            CheckedBody.demoted(task, demotion.resource());
            for (TaskNode later : freed) {
                later.edgeGone(null);
            }
        } catch (VirtualMachineError e) { // a part of it may have happened
            broken.by = e; // a field, since there may be no stack left for a call
            throw e;
        }
    }

    /**
     * Gives up an access that no sub-task needs; returns as {@link #giveUp}. For an adjustable task under the monitor
     * of its adjustment.
     */
    static List<TaskNode> giveUpNow(TaskNode task, Demotion demotion) {
        AccessList left = without(task, task.declared(), demotion);
        Refinement inside = task.refinementNow();
        if (inside == null) {
            return giveUp(task, demotion);
        }
        List<TaskNode> freed = new ArrayList<>();
        inside.requireStillCovered(left, refusal(task, demotion), () -> freed.addAll(giveUp(task, demotion)));
        return freed;
    }

    /**
     * Replaces an access. Returns the later tasks that waited only for the rights given up; the caller counts down an
     * edge of each.
     */
    static List<TaskNode> giveUp(TaskNode task, Demotion demotion) {
        Scope scope = task.scope();
        TaskRun mine = task.taskRun();
        Resource resource = demotion.resource();
        AccessList before = task.declared();
        int index = requireCovering(task, before, demotion);
        Access from = before.access(index);
        AccessList left = without(task, before, demotion);
        if (mine != null) {
            mine.tries.end();
        }
        scope.domain.epochs.registerIfDeferred(task);
        List<TaskNode> freed = new ArrayList<>();
        Runnable committed = () -> {};
        scope.lock.lock();
        try {
            DataClaim claim = mine == null ? null : mine.claim();
            List<Link> loose = resource.isUnordered() ? List.of() : looseLinks(task, demotion, from, left);
            if (claim != null && resource instanceof Data) {
                committed = claim.demote(left); // before a submission can see that the task has less
            }
            task.declare(left); // from here on no user's access is called: the whole demotion happens
            if (!resource.isUnordered()) {
                scope.tracker(resource).demote(task, from, demotion.to(), scope);
                for (Link link : loose) {
                    link.fired = true;
                    freed.add(Objects.requireNonNull(link.later));
                }
            }
        } finally {
            scope.lock.unlock();
        }
        committed.run();
        if (resource.isUnordered() && mine != null && mine.holds()) {
            scope.exclusions().shrink(task, left).forEach(scope.domain.dispatcher::ready);
        }
        return freed;
    }

    /**
     * Returns the links that are not needed any more. Under the scope's lock, which keeps the list as it is and later
     * tasks from being over. If a user's access throws, no link has been taken away.
     */
    private static List<Link> looseLinks(TaskNode task, Demotion demotion, Access from, AccessList left) {
        List<Link> loose = new ArrayList<>();
        Resource resource = demotion.resource();
        List<Link> harmless = harmlessLinks(task, left);
        boolean keeps = demotion.to().reads() || demotion.to().writes();
        for (Link link = task.laterTasks(); link != null; link = link.next) {
            TaskNode later = link.later;
            if (later == null || link.explicit || link.fired) {
                continue;
            }
            if (later.declared().conflictsWith(left)) {
                continue;
            }
            if (link.stands || (keeps && standsFor(later, resource, from))) {
                link.stands = true;
            } else {
                loose.add(link);
            }
        }
        harmless.forEach(link -> link.carriesFailure = false); // after all questions to users' accesses
        return loose;
    }

    /**
     * Returns the links that carry no failure any more. They lead to tasks that do not read the remaining output of
     * {@code task}, or read only output that a task between the two overwrites: that task passes a failure on, or ends
     * it.
     */
    private static List<Link> harmlessLinks(TaskNode task, AccessList left) {
        List<Link> harmless = new ArrayList<>();
        List<Link> waiting = new ArrayList<>();
        for (Link link = task.laterTasks(); link != null; link = link.next) {
            if (link.later != null && !link.fired) {
                waiting.add(link);
            }
        }
        AccessList seen = left;
        TaskNode before = task;
        for (Link link : waiting.reversed()) { // in the order of submission, links to the same task next to each other
            TaskNode later = Objects.requireNonNull(link.later);
            if (later != before) {
                seen = before == task ? left : notWrittenOver(seen, before.declared());
                before = later;
            }
            if (link.carriesFailure && !link.explicit && !later.declared().reads(seen)) {
                harmless.add(link);
            }
        }
        return harmless;
    }

    /**
     * Returns the accesses among {@code accesses} that are not wholly covered by the writes of a waiting task with the
     * accesses {@code later}: where they are covered, the tasks after that task see its output.
     */
    private static AccessList notWrittenOver(AccessList accesses, AccessList later) {
        AccessList.Builder left = AccessList.builder();
        accesses.each((resource, access) -> {
            AccessList one = AccessList.of(resource, access);
            boolean over = false;
            for (int i = 0; i < later.size() && !over; i++) {
                AccessList its = AccessList.of(later.resource(i), later.access(i));
                over = later.access(i).writes() && its.conflictsWith(one) && its.covers(resource, access);
            }
            if (!over) {
                left.add(resource, access);
            }
        });
        return left.build();
    }

    /**
     * Returns true if a tracker has {@code pending} in place of an earlier task with access {@code from}. Other tasks
     * that conflict with the remaining accesses of the earlier task then wait for the pending task only, so the pending
     * task must go on waiting for the earlier one. A built-in mode that writes conflicts with all that it covers, so
     * this concerns only kinds of access that users define.
     */
    private static boolean standsFor(TaskNode pending, Resource resource, Access from) {
        AccessList its = pending.declared();
        for (int i = 0; i < its.size(); i++) {
            Resource of = its.resource(i);
            Access access = its.access(i);
            boolean there = of == resource || (resource.isWithin(of) && access.equals(access.whole()));
            if (there && !(access.whole() instanceof Mode) && access.conflictsWith(from) && access.covers(from)) {
                return true;
            }
        }
        return false;
    }

    // ---- of pending tasks

    /**
     * Applies the demotions of a pending task that has nothing left to wait for, and makes the task ready. Tasks that
     * this makes ready may have demotions too: a loop handles one after the other, without recursion. {@code context}
     * is null outside of workers.
     */
    static void becomeReadySmaller(TaskNode first, @Nullable WorkerContext context) {
        Deque<TaskNode> ready = new ArrayDeque<>(List.of(first));
        for (TaskNode task = ready.poll(); task != null; task = ready.poll()) {
            giveUpEarly(task, ready);
            task.announce(context);
        }
    }

    /**
     * Applies the demotions of {@code task}, and adds the tasks that become ready. A task that will not run gives
     * nothing up: its output is poisoned, and later tasks must learn of it.
     */
    private static void giveUpEarly(TaskNode task, Deque<TaskNode> ready) {
        TaskRun mine = task.taskRun();
        if (mine == null || mine.adjustment == null) {
            return;
        }
        for (TaskNode later : mine.adjustment.settle()) {
            if (later.countDown()) {
                ready.add(later);
            }
        }
    }
}
