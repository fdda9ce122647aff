package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Where items come in from outside: one producer of the stages that the graph's input feeds.
 *
 * <p>Threads: guarded by this, so that no item can slip in after the end was announced; the outermost lock.
 */
final class Input {
    private final Target[] targets;
    private final int bound;
    private long sent;
    private boolean finished;

    Input(Target[] targets, int bound) {
        this.targets = targets;
        this.bound = bound;
    }

    boolean bounded() {
        return bound > 0;
    }

    /** Whether every stage behind has room for an item. */
    boolean hasRoom() {
        for (Target target : targets) {
            if (target instanceof Stage stage && stage.queued() >= bound) {
                return false;
            }
        }
        return true;
    }

    /** Sends to every stage behind; answers the copies to wake. */
    synchronized @Nullable Copy send(Object item) {
        if (finished) {
            throw new IllegalStateException("item " + item + " was sent after finish(): send all items before");
        }
        sent++;
        Object[] one = {item};
        Copy woken = null;
        for (Target target : targets) {
            woken = target.append(one, 1, woken);
        }
        return woken;
    }

    synchronized @Nullable Copy finish() {
        Copy woken = null;
        if (!finished) {
            finished = true;
            for (Target target : targets) {
                woken = target.producerDone(woken);
                if (target instanceof Stage stage && stage.cycle() != null) {
                    woken = stage.cycle().give(1, woken);
                }
            }
        }
        return woken;
    }

    synchronized long sent() {
        return sent;
    }
}
