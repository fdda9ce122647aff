package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.residency.Recomputation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The origins of the output of tasks: for each write the task, its work, and exactly which versions it read. The newest
 * {@value #MOST} writes are known, but for writes to freed data that no other began with: work may refer to anything.
 * Data that the program has forgotten is not kept alive.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the lineage of Zaharia et al., "Resilient Distributed Datasets", NSDI 2012, section 4, for versions of
 * parts that change.
 */
final class Lineage {
    private static final int MOST = 1 << 14;
    /** The number of writes that are looked at for the question with which of them another would begin. */
    private static final int FEW = 32;

    /**
     * An access of a task that has ended.
     *
     * @param name of the data
     * @param pieces the pieces of it that the task read; empty when it did not
     */
    record Used(
            WeakReference<Directory> directory,
            String name,
            Box box,
            boolean reads,
            boolean writes,
            List<Piece> pieces) {}

    /** The work of a task: the parts that it wrote, from the data that it read, have that version. */
    record Step(long version, String task, Recomputation recipe, List<Used> used) {}

    /**
     * The newest steps, in the order of their versions; number {@code n} at the index {@code n} modulo the length, a
     * power of two that grows up to {@link #MOST}.
     */
    private @Nullable Step[] steps = new @Nullable Step[64];
    /** The number of steps so far, without the dropped ones. */
    private long added;

    /** The data that were freed since steps were dropped. */
    private int freed;

    /** Notes the work of a task that is about to commit its output as that version, which is above all before. */
    void add(long version, ReplicaClaim claim, Recomputation recipe) {
        boolean writes = false;
        for (int i = 0; i < claim.needs.size(); i++) {
            writes |= claim.needs.get(i).writes();
        }
        if (!writes) {
            return;
        }
        if (overlaps(claim.needs)) {
            return; // where it read data that it was writing, it is not known which of the two it saw
        }
        for (DataNeed need : claim.needs) {
            if (need.shares() || need.isNone()) {
                return; // others may have added at the same time; data given up may be anything if done again
            }
        }
        List<Used> used = new ArrayList<>(claim.needs.size());
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed need = claim.needs.get(i);
            Directory directory = claim.directory(i);
            List<Piece> pieces = new ArrayList<>(need.reads() ? 1 : 0);
            if (need.reads()) {
                directory.cut(need.box()).forEach(atom -> pieces.add(atom.piece()));
            }
            used.add(new Used(directory.self, need.data().name(), need.box(), need.reads(), need.writes(), pieces));
        }
        keep(new Step(version, claim.task, recipe, used));
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

    /** Keeps a step with a version above all before. */
    void keep(Step step) {
        if (added == steps.length && steps.length < MOST) {
            steps = Arrays.copyOf(steps, 2 * steps.length);
        }
        steps[index(added++)] = step;
    }

    private int index(long number) {
        return (int) (number & (steps.length - 1));
    }

    /** Notes that some data was freed: its steps, and the objects that their work refers to, would stay for long. */
    void freed() {
        if (++freed >= FEW && freed >= Math.min(added, steps.length) / FEW) { // some steps are looked at for each
            freed = 0;
            dropUnneeded();
        }
    }

    /** Drops the steps that wrote freed data alone, and that no other step would begin with. */
    private void dropUnneeded() {
        List<Step> needed = new ArrayList<>();
        Set<Long> read = new HashSet<>();
        for (long number = added - 1; number >= Math.max(0, added - steps.length); number--) {
            Step step = Objects.requireNonNull(steps[index(number)]);
            if (read.contains(step.version) || step.used.stream().anyMatch(Lineage::writesKnown)) {
                needed.add(step);
                step.used.forEach(used -> used.pieces.forEach(piece -> read.add(piece.version())));
            }
        }
        Arrays.fill(steps, null);
        added = 0;
        needed.reversed().forEach(this::keep);
    }

    private static boolean writesKnown(Used used) {
        Directory directory = used.directory.get();
        return used.writes && directory != null && !directory.gone;
    }

    /** Returns the write of that number; null when it is not known. */
    @Nullable
    Step of(long version) {
        long from = Math.max(0, added - steps.length);
        long to = added;
        while (from < to) {
            long middle = (from + to) >>> 1;
            Step step = Objects.requireNonNull(steps[index(middle)]);
            if (step.version == version) {
                return step;
            }
            if (step.version < version) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return null;
    }

    /**
     * Returns true if the writes that would have to be done again for {@code lost} may read older versions that
     * {@code target} has: false if they begin with other data of the host's, true also where there are too many to look
     * at. Other data of the device that has {@code lost} is not asked for: it may begin with contents of
     * {@code target}.
     */
    boolean mayBeginWith(Replica target, Piece lost) {
        TreeSet<Long> missing = new TreeSet<>(Set.of(lost.version()));
        for (int i = 0; i < FEW; i++) {
            Long version = missing.pollLast();
            if (version == null) {
                return false;
            }
            Step step = of(version);
            for (Used used : step == null ? List.<Used>of() : step.used) {
                Directory its = used.directory.get();
                for (Piece read : used.pieces) {
                    if (its == target.directory && target.hasOlder(read)) {
                        return true;
                    }
                    if (its != null && !its.isOnHost(read)) {
                        missing.add(read.version());
                    }
                }
            }
        }
        return !missing.isEmpty();
    }
}
