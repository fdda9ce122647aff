package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.residency.Recomputation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The origins of what tasks wrote: for each write the task, its work, and exactly which versions it read. The newest
 * {@value #MOST} writes are known; data that the program has forgotten is not kept alive.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the lineage of Zaharia et al., "Resilient Distributed Datasets", NSDI 2012, section 4, for versions of
 * parts that change.
 */
final class Lineage {
    private static final int MOST = 1 << 14;

    /**
     * An access of a task that has ended.
     *
     * @param name of the data
     * @param pieces what of it the task read; empty when it did not
     */
    record Used(
            WeakReference<Directory> directory,
            String name,
            Box box,
            boolean reads,
            boolean writes,
            List<Piece> pieces) {}

    /** The work of a task: the parts that it wrote, from what it read, have that version. */
    record Step(long version, String task, Recomputation recipe, List<Used> used) {}

    private final Map<Long, Step> steps = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Step> eldest) {
            return size() > MOST;
        }
    };

    /** Notes the work of a task that is about to commit what it wrote as that version. */
    void add(long version, ReplicaClaim claim, Recomputation recipe) {
        if (overlaps(claim.needs)) {
            return; // where it read what it was writing, it is not known which of the two it saw
        }
        if (claim.needs.stream().anyMatch(need -> need.shares() || need.isNone())) {
            return; // others may have added at the same time; what was given up may be anything when it is done again
        }
        List<Used> used = new ArrayList<>(claim.needs.size());
        boolean writes = false;
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed need = claim.needs.get(i);
            writes |= need.writes();
            Directory directory = claim.directory(i);
            List<Piece> pieces = new ArrayList<>(need.reads() ? 1 : 0);
            if (need.reads()) {
                directory.cut(need.box()).forEach(atom -> pieces.add(atom.piece()));
            }
            used.add(new Used(directory.self, need.data().name(), need.box(), need.reads(), need.writes(), pieces));
        }
        if (writes) {
            steps.put(version, new Step(version, claim.task, recipe, used));
        }
    }

    private static boolean overlaps(List<DataNeed> needs) {
        for (int i = 0; i < needs.size(); i++) {
            for (int j = 0; j < i; j++) {
                DataNeed one = needs.get(i);
                DataNeed other = needs.get(j);
                if (one.data() == other.data()
                        && (one.writes() || other.writes())
                        && one.box().intersects(other.box())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the write of that number; null when it is not known. */
    @Nullable
    Step of(long version) {
        return steps.get(version);
    }
}
