package dev.jacquard.memory.coherence;

import java.util.ArrayList;
import java.util.List;

/** The copies to start, and the tasks to go on with, once the lock is given back. Confined to one caller. */
final class DeferredActions {
    final List<Transfer> copies = new ArrayList<>(0);
    final List<Runnable> others = new ArrayList<>(0);
}
