package dev.jacquard.memory.coherence;

import java.util.ArrayList;
import java.util.List;

/** What is to be done once the lock is given back: copies to start, and tasks to go on with. Confined to one caller. */
final class DeferredActions {
    final List<Transfer> copies = new ArrayList<>(0);
    final List<Runnable> others = new ArrayList<>(0);
}
