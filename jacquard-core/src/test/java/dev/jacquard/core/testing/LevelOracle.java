package dev.jacquard.core.testing;

import static dev.jacquard.core.testing.Oracle.require;

import dev.jacquard.core.graph.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tasks of one level: those of a graph, or those inside of one task.
 *
 * <p>Which of two tasks was submitted first is known when one thread submitted both, when one was submitted before the
 * submission of the other began, when a body submitted the other, or when they conflict and one ran first; and by what
 * follows from these. It must never follow that a task was submitted before itself.
 *
 * <ul>
 *   <li>A task begins after the end of every earlier one whose accesses conflict with its own; of one that gave up what
 *       conflicts, after that; of one that gave it up while it was pending, after all that this one had to wait for.
 *   <li>So it is with explicit edges, tags and barriers, which cannot be given up.
 *   <li>Tasks that conflict on unordered resources do not overlap.
 *   <li>While nothing happens, a task is pending exactly when it has to wait for one that is not over.
 * </ul>
 */
final class LevelOracle {
    private final Rules rules;
    private final Oracle oracle;
    private final List<Seen> tasks;
    /** Bit b of row a: a was submitted before b. */
    private final long[] before;

    private final long[] mustFollow;
    private final boolean[] followKnown;

    /**
     * The rules of a level.
     *
     * @param chains what each thread or body submitted, in order; what was not submitted does not count
     * @param submissions pairs: a task, and one that its body or a sub-task of it submitted
     */
    LevelOracle(Rules rules, Oracle oracle, List<List<Seen>> chains, List<Seen[]> submissions) {
        this.rules = rules;
        this.oracle = oracle;
        this.tasks = new ArrayList<>(
                chains.stream().flatMap(List::stream).filter(Seen::submitted).toList());
        if (tasks.size() > Long.SIZE) {
            throw new IllegalArgumentException("at most 64 tasks, not " + tasks.size());
        }
        this.before = new long[tasks.size()];
        this.mustFollow = new long[tasks.size()];
        this.followKnown = new boolean[tasks.size()];
        int at = 0;
        for (List<Seen> chain : chains) {
            int first = at;
            for (Seen task : chain) {
                if (task.submitted()) {
                    if (at > first) {
                        before[at - 1] |= 1L << at;
                    }
                    at++;
                }
            }
        }
        for (Seen[] pair : submissions) {
            before[tasks.indexOf(pair[0])] |= 1L << tasks.indexOf(pair[1]);
        }
        learn();
    }

    // ---- the order of submissions

    private void learn() {
        for (int a = 0; a < tasks.size(); a++) {
            for (int b = 0; b < tasks.size(); b++) {
                if (a != b && isSeenBefore(tasks.get(a), tasks.get(b))) {
                    before[a] |= 1L << b;
                }
            }
        }
        for (int via = 0; via < before.length; via++) {
            for (int a = 0; a < before.length; a++) {
                if ((before[a] >>> via & 1) != 0) {
                    before[a] |= before[via];
                }
            }
        }
        for (int a = 0; a < before.length; a++) {
            require(
                    (before[a] >>> a & 1) == 0,
                    tasks.get(a),
                    "was submitted before itself, as the order of bodies tells");
        }
    }

    private boolean isSeenBefore(Seen a, Seen b) {
        if (a.submitEnd != 0 && a.submitEnd < b.submitBegin) {
            return true;
        }
        return a.ran()
                && b.ran()
                && a.begin < b.begin
                && !(b.submitEnd != 0 && b.submitEnd < a.submitBegin)
                && isOrdered(a, b);
    }

    /** Whether {@code a}, if {@code b} had been submitted before it, had waited at least until that began. */
    private boolean isOrdered(Seen a, Seen b) {
        return isBarrier(a, b) || conflict(a.line.touches(), Oracle.atStart(b), false);
    }

    private static boolean isBarrier(Seen a, Seen b) {
        return a.line.order().synchronizing() || b.line.order().synchronizing();
    }

    private boolean isBefore(int a, int b) {
        return (before[a] >>> b & 1) != 0;
    }

    // ---- who waits for whom

    private boolean conflict(List<Touch> some, List<Touch> others, boolean unordered) {
        for (Touch one : some) {
            for (Touch other : others) {
                if (rules.isUnordered(one) == unordered && rules.conflict(one, other)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether {@code b} has to wait for the end of {@code a}, which was submitted before, whatever their accesses are. */
    private static boolean isExplicit(Seen a, Seen b) {
        return isBarrier(a, b) || carriesFailure(a, b);
    }

    private static boolean carriesFailure(Seen a, Seen b) {
        Line.Order order = b.line.order();
        return order.after().contains(a.line.id())
                || order.afterTags().stream().anyMatch(a.line.order().tags()::contains);
    }

    // ---- while it runs

    /** Compares the tasks that are pending with those that have to wait. */
    void verifyReadiness(boolean started) {
        for (int b = 0; b < tasks.size(); b++) {
            Seen task = tasks.get(b);
            if (task.submitEnd == 0 || !started) {
                continue;
            }
            boolean pending = task.state() == TaskState.PENDING;
            Seen cause = cause(b, !pending);
            if (pending && cause == null && !task.held) {
                throw new AssertionError("t" + task.line.id() + " is pending, and need not wait for any task");
            }
            if (!pending && cause != null) {
                throw new AssertionError(
                        "t" + task.line.id() + " is " + task.state() + ", and has to wait for t" + cause.line.id());
            }
        }
    }

    /** For whom task {@code b} surely has to wait now, or may have to; null when there is none. */
    private @Nullable Seen cause(int b, boolean surely) {
        for (int a = 0; a < tasks.size(); a++) {
            if (isBefore(a, b) && waitsNow(a, b, surely)) {
                return tasks.get(a);
            }
        }
        return null;
    }

    private boolean waitsNow(int a, int b, boolean surely) {
        Seen earlier = tasks.get(a);
        Seen later = tasks.get(b);
        if (earlier.state().isOver()) {
            return false;
        }
        if (isExplicit(earlier, later)) {
            return true;
        }
        boolean whole = earlier.state() == TaskState.PENDING || (!earlier.ran() && isPoisoned(a, surely));
        List<Touch> left = whole ? earlier.line.touches() : Oracle.after(earlier, earlier.demotions());
        return conflict(later.line.touches(), left, false);
    }

    // ---- when all is over

    void verify() {
        for (int b = 0; b < tasks.size(); b++) {
            Seen task = tasks.get(b);
            if (task.ran()) {
                verifyBegin(b);
                verifyExclusion(task);
            }
            verifyPoison(b);
        }
    }

    private void verifyBegin(int b) {
        long first = oracle.first(tasks.get(b));
        for (int a = 0; a < tasks.size(); a++) {
            if (isBefore(a, b) && first <= followed(a, b)) {
                throw new AssertionError("t" + tasks.get(b).line.id() + " began at " + first + ", before "
                        + followed(a, b) + ", when t" + tasks.get(a).line.id() + " let it");
            }
        }
    }

    /** The stamp that task {@code b} has to follow because of {@code a}; 0 when there is none. */
    private long followed(int a, int b) {
        Seen earlier = tasks.get(a);
        List<Touch> touches = tasks.get(b).line.touches();
        boolean explicit = isExplicit(earlier, tasks.get(b));
        if (!explicit && !conflict(touches, earlier.line.touches(), false)) {
            return 0;
        }
        if (!earlier.ran() || (!explicit && !conflict(touches, Oracle.atStart(earlier), false))) {
            return mustFollow(a);
        }
        return explicit ? oracle.last(earlier) : letGo(earlier, touches, false);
    }

    /** When {@code task}, which ran, did no longer conflict with {@code touches}. */
    private long letGo(Seen task, List<Touch> touches, boolean unordered) {
        for (int given = 1; given <= task.gaveUp.length; given++) {
            if (!conflict(touches, Oracle.after(task, given), unordered)) {
                return task.gaveUp[given - 1];
            }
        }
        return oracle.last(task);
    }

    /** The stamp that task {@code b} has to follow. */
    private long mustFollow(int b) {
        if (!followKnown[b]) {
            long latest = 0;
            for (int a = 0; a < tasks.size(); a++) {
                latest = isBefore(a, b) ? Math.max(latest, followed(a, b)) : latest;
            }
            mustFollow[b] = latest;
            followKnown[b] = true;
        }
        return mustFollow[b];
    }

    private void verifyExclusion(Seen later) {
        for (Seen earlier : tasks) {
            if (earlier.ran()
                    && earlier.begin < later.begin
                    && conflict(Oracle.atStart(later), Oracle.atStart(earlier), true)) {
                require(
                        letGo(earlier, Oracle.atStart(later), true) < oracle.first(later),
                        later,
                        "overlaps t" + earlier.line.id() + ", which holds the same");
            }
        }
    }

    // ---- poison

    private void verifyPoison(int b) {
        Seen task = tasks.get(b);
        boolean cancelled = task.state() == TaskState.CANCELLED;
        Seen cause = cancelled ? null : poisoner(b, true);
        String culprit = cause == null ? "" : "t" + cause.line.id();
        require(cause == null, task, "ran, and needs what " + culprit + ", which did not end well, was to do");
        if (cancelled) {
            require(isPoisoned(b, false), task, "was cancelled for no reason: " + task.complaint());
        }
    }

    /** Whether task {@code b} must not run ({@code surely}), or may have been kept from it. */
    private boolean isPoisoned(int b, boolean surely) {
        return poisoner(b, surely) != null;
    }

    private @Nullable Seen poisoner(int b, boolean surely) {
        for (int a = 0; a < tasks.size(); a++) {
            if (a != b && isBad(tasks.get(a)) && poisons(a, b, surely)) {
                return tasks.get(a);
            }
        }
        return null;
    }

    private static boolean isBad(Seen task) {
        return task.state().isOver() && task.state() != TaskState.DONE;
    }

    private boolean poisons(int a, int b, boolean surely) {
        Seen bad = tasks.get(a);
        Seen task = tasks.get(b);
        boolean earlier = surely ? isBefore(a, b) : !isBefore(b, a);
        if (earlier && carriesFailure(bad, task)) {
            return true;
        }
        if (!surely && earlier && hasGivenUp(bad)) {
            // An edge knows whether it carries failure, and not because of which of several accesses; and nobody has
            // noted who
            // overwrote a part of an access, when later just that part is left of it.
            List<Touch> left = Oracle.atEnd(bad);
            if (meets(task.line.touches(), left) || meets(Oracle.atStart(task), left)) {
                return true;
            }
        }
        for (Touch written : bad.ran() ? Oracle.atEnd(bad) : bad.line.touches()) {
            if (rules.isUnordered(written)) {
                continue; // a lock, which has no value
            }
            // Who has given up before its start to write anew what it then reads reads the poison.
            boolean meets = meets(task.line.touches(), written) || meets(Oracle.atStart(task), written);
            if (earlier && written.writes() && meets && !isCleared(written, a, b, surely)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasGivenUp(Seen task) {
        return task.demotions() > 0 || task.early > 0;
    }

    /** Whether one of {@code touches} reads what one of {@code others} was to write, if nobody writes it anew. */
    private boolean meets(List<Touch> touches, List<Touch> others) {
        return others.stream()
                .anyMatch(left -> left.writes()
                        && touches.stream().anyMatch(touch -> touch.reads() && rules.conflict(touch, left)));
    }

    /** Whether one of {@code touches} reads what was to be written, and none before it writes that anew. */
    private boolean meets(List<Touch> touches, Touch written) {
        for (Touch touch : touches) {
            if (touch.reads() && rules.conflict(touch, written)) {
                return true;
            }
            if (clears(touch, written)) {
                return false;
            }
        }
        return false;
    }

    /** Whether somebody between has surely written anew what {@code a} was to write; may have, when {@code b} surely must not run. */
    private boolean isCleared(Touch written, int a, int b, boolean surely) {
        for (int c = 0; c < tasks.size(); c++) {
            if (c == a || c == b || Oracle.atStart(tasks.get(c)).stream().noneMatch(touch -> clears(touch, written))) {
                continue;
            }
            boolean between = surely ? !isBefore(c, a) && !isBefore(b, c) : isBefore(a, c) && isBefore(c, b);
            if (between) {
                return true;
            }
        }
        return false;
    }

    private boolean clears(Touch touch, Touch written) {
        return (touch.field() == written.field() || (touch.isWhole() && rules.isWithin(written.field(), touch.field())))
                && rules.covers(touch, written)
                && rules.conflict(touch, written);
    }
}
