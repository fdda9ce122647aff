package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.RunPlan.Fork;
import java.util.List;

/**
 * The outlets of one copy that get some of the items of another outlet of the copy, or items that are made of these.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class Forks {
    private final List<Fork> forks;
    private final Outlet[] outlets;

    private Forks(List<Fork> forks, Outlet[] outlets) {
        this.forks = forks;
        this.outlets = outlets;
    }

    /** Gives all outlets of a copy their forks. Called before the start only. */
    static void connect(List<Fork> forks, Outlet[] outlets) {
        for (int i = 0; !forks.isEmpty() && i < outlets.length; i++) {
            int number = i;
            List<Fork> its = forks.stream().filter(fork -> fork.of() == number).toList();
            if (!its.isEmpty()) {
                outlets[i].goesOnTo(new Forks(its, outlets));
            }
        }
    }

    /** Emits {@code item} at each outlet that it may take; returns true if there is one. */
    boolean emit(Object item) {
        boolean taken = false;
        for (Fork fork : forks) {
            for (var way : fork.ways()) {
                Object made = way.apply(item);
                if (made != null) {
                    outlets[fork.to()].emit(made);
                    taken = true;
                }
            }
        }
        return taken;
    }

    /** Returns about the number of items that were collected and not handed over. */
    int held() {
        return forks.stream().mapToInt(fork -> outlets[fork.to()].held()).sum();
    }
}
