package dev.jacquard.memory.coherence;

import dev.jacquard.base.machine.Place;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Keeps the failures of devices, and reports them once in the log. Threads: any.
 *
 * <p>Lock: its own monitor, under which nothing else is called.
 */
final class FaultLog {
    /** Named after the class that users know. */
    private static final System.Logger LOG = System.getLogger(Coherence.class.getName());
    /** Single tasks are reported in the log up to this many: of a lost device there may be thousands. */
    private static final int MOST_TOLD = 5;

    private final List<Faults.Lost> lost = new ArrayList<>();
    private final Deque<Faults.Fallback> fallbacks = new ArrayDeque<>();
    private final Deque<Faults.Recomputation> recomputations = new ArrayDeque<>();
    private long fellBack;
    private long corrupted;

    void lost(String device, String why, String only) {
        synchronized (this) {
            lost.add(new Faults.Lost(device, why));
        }
        LOG.log(
                Level.WARNING,
                device + " is out of service: " + why + (only.isEmpty() ? "" : "; only it had the newest of " + only));
    }

    void fellBack(String task, Place from, Place to, Throwable why) {
        long number;
        synchronized (this) {
            number = ++fellBack;
            fallbacks.add(new Faults.Fallback(task, from, to, String.valueOf(why.getMessage())));
            if (fallbacks.size() > Faults.MOST_KEPT) {
                fallbacks.remove();
            }
        }
        if (number <= MOST_TOLD) {
            LOG.log(
                    Level.WARNING,
                    "task \"" + task + "\" goes from " + from + " to " + to + ": " + why.getMessage()
                            + (number == MOST_TOLD ? " (further ones are counted, and not reported)" : ""));
        }
    }

    /** Something else arrived than was sent. */
    synchronized void corrupted() {
        corrupted++;
    }

    synchronized void recomputed(String data, Piece lost, int tasks) {
        recomputations.add(new Faults.Recomputation(data, lost.box(), lost.by(), tasks));
        if (recomputations.size() > Faults.MOST_KEPT) {
            recomputations.remove();
        }
    }

    synchronized Faults faults() {
        return new Faults(lost, List.copyOf(fallbacks), fellBack, List.copyOf(recomputations), corrupted);
    }
}
