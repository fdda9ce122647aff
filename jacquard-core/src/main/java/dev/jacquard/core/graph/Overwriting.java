package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.depend.Shadowed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an adjustable task is to overwrite. Where an earlier one fails that was to write it, the adjustable one clears the poison; but
 * when it gives up to overwrite before it has started, the poison is there as if it had never promised to. So nobody knows what
 * becomes of the poison until the task is ready, when all that it waited for is over, and it <em>decides</em>: before any
 * link of its own is let go, so that those behind it know before they run.
 *
 * <p>Why that is right: who comes behind meets, or does not meet, each earlier access at its submission, in the trackers, where those that
 * the task is to overwrite stay as {@link Shadowed}. It is poisoned in the end when it has met one whose task failed and still was
 * to write then, and when nobody whom it met it behind has overwritten it. The first is known at the decision, since the task
 * has waited for what conflicts with it, or that was given up; the second since those that cover it decide in their order.
 *
 * <p>Threads: under the scope's lock, but for the first look at {@link Extras#overwrites}.
 */
final class Overwriting {
    /** An access that the task is to overwrite, and where the earlier task declares it; -1 when that is over. */
    record Overwrite(Shadowed<Task> shadow, int index) {}

    private Overwriting() {}

    /** {@code task} is about to meet the trackers. At its submission. */
    static void remember(Task task, Resource resource, Access access, Scope scope) {
        if (!access.writes() || access.reads()) {
            return;
        }
        Extras mine = task.ownExtras();
        List<Overwrite> all = mine.overwrites == null ? new ArrayList<>() : mine.overwrites;
        int first = all.size();
        scope.tracker(resource).overwrite(task, access, shadow -> {
            all.add(new Overwrite(shadow, index(shadow, all.subList(first, all.size()), scope)));
            mine.overwrites = all;
        });
    }

    /** Which of its task's accesses {@code shadow} is, of equal ones another than those {@code before}. */
    private static int index(Shadowed<Task> shadow, List<Overwrite> before, Scope scope) {
        @Nullable Object @Nullable [] declared = shadow.task().accessesNow();
        for (int i = 0; declared != null && i < declared.length; i += 2) {
            if (declared[i + 1] == shadow.access()
                    && isTracked(Accesses.resource(declared, i), shadow.tracker(), scope)
                    && !isAmong(before, shadow.task(), i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isTracked(Resource resource, AccessTracker<Task> tracker, Scope scope) {
        return !resource.isUnordered() && scope.tracker(resource) == tracker;
    }

    private static boolean isAmong(List<Overwrite> overwrites, Task task, int index) {
        for (Overwrite one : overwrites) {
            if (one.index == index && one.shadow.task() == task) {
                return true;
            }
        }
        return false;
    }

    /** {@code earlier} has given up what is more than {@code to}: what it was to write before is not poisoned when it fails now. */
    static void demoted(Task earlier, int index, Access to) {
        for (Link link = earlier.laterTasks(); link != null; link = link.next) {
            Extras its = link.later == null ? null : link.later.extras();
            List<Overwrite> overwrites = its == null ? null : its.overwrites;
            for (Overwrite one : overwrites == null ? List.<Overwrite>of() : overwrites) {
                if (one.index == index && one.shadow.task() == earlier) {
                    one.shadow.demote(to);
                }
            }
        }
    }

    /**
     * {@code task} is ready and will have these accesses; it cannot run when it reads poison with them. From here on
     * those behind know whether they can.
     */
    static void decide(Task task, @Nullable Object[] left) {
        Extras mine = task.extras();
        List<Overwrite> overwrites = mine == null ? null : mine.overwrites;
        if (mine == null || overwrites == null) {
            return;
        }
        mine.overwrites = null;
        for (int i = 0; i < overwrites.size() && task.fate() == null; i++) {
            Outcome poison = poison(overwrites.get(i).shadow);
            if (poison != null && isRead(overwrites.get(i).shadow, left, task.scope())) {
                task.cancelBecause(poison);
            }
        }
        for (Overwrite one : overwrites) {
            Outcome poison = poison(one.shadow);
            // One that will not run leaves poison of its own in all that it declared.
            if (poison == null || task.fate() != null || isOverwritten(one.shadow, left, task.scope())) {
                one.shadow.clear(task);
            } else {
                one.shadow.uncover(task, task.scope()).forEach(reader -> reader.cancelBecause(poison));
            }
        }
    }

    /** Why what was to be written is poisoned; null when it is not. */
    private static @Nullable Outcome poison(Shadowed<Task> shadow) {
        boolean matters = !shadow.isCleared() && shadow.access().writes();
        return matters && shadow.task().isOver() ? shadow.task().fate() : null;
    }

    /** Whether a task with these accesses reads it, and has not written it anew before. */
    private static boolean isRead(Shadowed<Task> shadow, @Nullable Object[] accesses, Scope scope) {
        for (int i = 0; i < accesses.length; i += 2) {
            Resource resource = Accesses.resource(accesses, i);
            Access access = Accesses.access(accesses, i);
            if (!resource.isUnordered()) {
                AccessTracker<Task> tracker = scope.tracker(resource);
                if (shadow.isOverwrittenBy(tracker, access)) {
                    return false;
                }
                if (access.reads() && shadow.isMetBy(tracker, access)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOverwritten(Shadowed<Task> shadow, @Nullable Object[] accesses, Scope scope) {
        for (int i = 0; i < accesses.length; i += 2) {
            Resource resource = Accesses.resource(accesses, i);
            if (!resource.isUnordered()
                    && shadow.isOverwrittenBy(scope.tracker(resource), Accesses.access(accesses, i))) {
                return true;
            }
        }
        return false;
    }
}
