package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Data;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The claims that rest: a graph that runs again and again keeps the claim of its last run for the next one, so that a
 * run where nothing has moved begins and ends with one compare-and-set, however much data it accesses.
 *
 * <pre>
 *   first rest (lock)       resume
 *  ------------------> RESTING <----> USED ---recall (lock)---> WANTED ---> released as if it had never rested
 *                         |     rest
 *                         +---recall (lock)---> GONE            the output of the runs is committed by the recall
 * </pre>
 *
 * <p>For all others a claim that rests is one in use: its replicas are pinned, and the output of its runs is committed
 * when it ends. So nothing can move under it; and whatever could need a replica of it, its room, or the newest version
 * of its output recalls it first:
 *
 * <ul>
 *   <li>a claim, plan or question of a placement that conflicts with it, before it looks at the data;
 *   <li>a claim that cannot begin at once, whatever for: it recalls all. So while a claim rests, none waits, and a
 *       recall need not let others go on;
 *   <li>a thread that frees data, releases it, brings it home, or looks where it is.
 * </ul>
 *
 * A claim in use cannot be recalled. It is wanted from then on and cannot rest: the end of its run gives it back under
 * the lock, and lets waiting claims go on. A claim does not begin to rest while others wait.
 *
 * <p><strong>Memory order.</strong> The state is changed by compare-and-set alone, which is a full fence: of a resume
 * and a recall at the same time one wins. The run that resumes sees the contents of when its claim rested last, since
 * the next run of a graph begins after the end of the last one. A thread that recalls sees through the state the output
 * of that run.
 *
 * <p>Directories hold the claims that rest with their data, and this object holds them weakly: a graph that is gone
 * with all of its data takes its claim with it.
 *
 * <p>Guarded by the lock of the {@link Coherence}, but for the states.
 */
final class RestingClaims {
    /** The most claims that rest with one data; of more the eldest is recalled. */
    static final int MOST_PER_DATA = 8;

    private final Admission admission;
    /** Commits and ends a claim of which all runs were well. */
    private final Consumer<ReplicaClaim> end;
    /** All claims that rest, or have rested and are in use. */
    private final List<WeakReference<ReplicaClaim>> all = new ArrayList<>(0);
    /** The number of claims that wait for anything. */
    private int waiting;

    RestingClaims(Admission admission, Consumer<ReplicaClaim> end) {
        this.admission = admission;
        this.end = end;
    }

    /** Notes that {@code claim} waits from now on, or waits no more. */
    void waits(ReplicaClaim claim, boolean waits) {
        if (claim.waits != waits) {
            claim.waits = waits;
            waiting += waits ? 1 : -1;
        }
    }

    /** Lets a claim rest for the first time; false when it must be released instead. */
    boolean begin(ReplicaClaim claim) {
        if (waiting > 0 || !claim.runs || claim.plan != null || claim.recipe != null) {
            return false;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            if (claim.replicas[i] != null && claim.directory(i).watch != null) {
                return false; // checking mode looks at users' arrays between runs
            }
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            if (claim.replicas[i] != null) {
                add(claim, claim.directory(i).resting);
            }
        }
        all.add(new WeakReference<>(claim));
        claim.use = ReplicaClaim.Use.RESTING;
        return true;
    }

    private void add(ReplicaClaim claim, List<ReplicaClaim> there) {
        if (there.contains(claim)) {
            return;
        }
        if (there.size() >= MOST_PER_DATA) {
            recall(there.getFirst()); // does nothing to one in use, which is known to its data as long as it is
        }
        there.add(claim);
    }

    /** Recalls claims that conflict with {@code needs}. */
    void recall(List<DataNeed> needs) {
        if (all.isEmpty()) {
            return;
        }
        for (DataNeed need : needs) {
            if (!need.isNone() && need.data().directory() instanceof Directory its && !its.resting.isEmpty()) {
                for (ReplicaClaim claim : List.copyOf(its.resting)) {
                    if (need.writes() || writes(claim, need.data())) {
                        recall(claim);
                    }
                }
            }
        }
    }

    private static boolean writes(ReplicaClaim claim, Data data) {
        for (DataNeed need : claim.needs) {
            if (need.data() == data && need.writes()) {
                return true;
            }
        }
        return false;
    }

    /** Recalls all that access {@code data}. */
    void recall(Data data) {
        if (data.directory() instanceof Directory its) {
            List.copyOf(its.resting).forEach(this::recall);
        }
    }

    /** Recalls all; returns true if any rested. */
    boolean recallAll() {
        boolean any = false;
        for (WeakReference<ReplicaClaim> one : List.copyOf(all)) {
            ReplicaClaim claim = one.get();
            if (claim == null) { // with all of its data: only the count of claims that have replicas still knows it
                all.remove(one);
                admission.placed(-1);
            } else {
                any |= recall(claim);
            }
        }
        return any;
    }

    private boolean recall(ReplicaClaim claim) {
        if (!claim.isRecalled()) {
            return false;
        }
        forget(claim);
        end.accept(claim);
        return true;
    }

    /** A loop: the first lambda of a kind takes half a millisecond, here of a graph's second run. */
    private void remove(ReplicaClaim claim) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).get() == claim) {
                all.remove(i);
                return;
            }
        }
    }

    /** Forgets a claim that is over. */
    void forget(ReplicaClaim claim) {
        waits(claim, false);
        if (claim.use != ReplicaClaim.Use.ONCE) {
            remove(claim);
            for (int i = 0; i < claim.replicas.length; i++) {
                if (claim.replicas[i] != null) {
                    claim.directory(i).resting.remove(claim);
                }
            }
        }
    }
}
