package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In checking mode: the contents of the user's array of some data when the engine last had to do with it, so that a
 * change by code that is in no task, and has no user view, is found. Parts that are just being written, or that were
 * never used, are not known.
 *
 * <p>Guarded by the lock of the {@link Coherence}, which is held while contents are looked at: a price of that mode.
 *
 * <p>Source: the project's design, section 13.
 */
final class HomeChecksum {
    private final Replica home;
    /** Disjoint. */
    private final List<Seen> seen = new ArrayList<>();
    /**
     * A change that was found by a copy, or for a run of which no task began, and that is reported to the next task.
     */
    private @Nullable String untold;

    /** A hash of the contents of {@code box} when {@code who} was at it. */
    private record Seen(Box box, long hash, String who) {}

    HomeChecksum(Replica home) {
        this.home = home;
    }

    /**
     * Looks for a change of anything that is known of {@code box}, which is reported once.
     *
     * @param who the task or copy that is about to use it
     * @return the description of the change; null when there is none
     */
    @Nullable
    String changed(Box box, String who) {
        String found = untold;
        untold = null;
        for (int i = 0; i < seen.size(); i++) {
            Seen one = seen.get(i);
            Long now = one.box.intersects(box) ? hash(one.box) : null;
            if (now != null && now != one.hash) {
                found = "the array of data \"" + home.directory.data.name() + "\" was changed, within " + one.box
                        + ", between " + one.who + " and " + who
                        + ", by code that is in no task: tasks may be using it, or have a newer version elsewhere."
                        + " Change it in a task that declares so, or in a user view:"
                        + " session.data().open(data, Mode.UPDATE)";
                seen.set(i, new Seen(one.box, now, who));
            }
        }
        return found;
    }

    /** Notes that a change was found and reported to no task: it is reported to the next one. */
    void untold(String change) {
        untold = change;
    }

    /** Returns true if a copy is writing into {@code box}. */
    boolean isInFlux(Box box) {
        return home.directory.writingInto(home, box) != null;
    }

    /** Looks for a change of {@code box} before a copy writes it, and with that hides the change. */
    void replace(Box box, String who) {
        untold = changed(box, who);
        forget(box);
    }

    /** Forgets {@code box}, which a task or a copy is about to write. */
    void forget(Box box) {
        List<Seen> rest = new ArrayList<>();
        for (Iterator<Seen> all = seen.iterator(); all.hasNext(); ) {
            Seen one = all.next();
            if (one.box.intersects(box)) {
                all.remove();
                one.box.without(box).forEach(part -> add(rest, part, one.who));
            }
        }
        seen.addAll(rest);
    }

    /** Takes the contents of {@code box} as they should be. */
    void saw(Box box, String who) {
        forget(box);
        add(seen, box, who);
    }

    private void add(List<Seen> to, Box box, String who) {
        Long hash = hash(box);
        if (hash != null) {
            to.add(new Seen(box, hash, who));
        }
    }

    /** Takes the contents of {@code box} as they should be, unless something of it is known. */
    void sawFirst(Box box, String who) {
        if (seen.stream().noneMatch(one -> one.box.intersects(box))) {
            saw(box, who);
        }
    }

    /** Returns a hash of the contents; null where this thread cannot read them, as the user has closed the memory. */
    private @Nullable Long hash(Box box) {
        MemorySegment all = (MemorySegment) home.memory;
        try {
            return Contents.hash(new Memory(all.asSlice(home.layout.byteOffset(box)), home.layout.within(box)));
        } catch (IllegalStateException | WrongThreadException e) {
            return null; // the task that uses them fails, and says why
        }
    }
}
