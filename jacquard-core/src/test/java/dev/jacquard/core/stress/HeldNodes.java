package dev.jacquard.core.stress;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Workers that are the actors of a race: holds what becomes ready while the race is set up, and from then on runs it at
 * once, where it became ready. Nobody waits.
 *
 * <p>Threads: holds for one; {@link #holding} ends before the actors begin.
 */
abstract class HeldNodes implements Dispatcher {
    private static final Trace TRACE = new Trace(Clock.system(), 0);

    final List<Node> held = new ArrayList<>();
    boolean holding = true;

    /** Who the calling thread is. */
    abstract WorkerContext actor();

    /** What became ready first, of what was held until now. */
    final Node release() {
        holding = false;
        return held.removeFirst();
    }

    @Override
    public final void ready(Node node) {
        if (holding) {
            held.add(node);
        } else {
            node.run(actor());
        }
    }

    @Override
    public int workers() {
        return 2;
    }

    @Override
    public final void awaitUntil(BooleanSupplier done) {}

    @Override
    public final void signal() {}

    @Override
    public final void background(Runnable code) {
        code.run();
    }

    @Override
    public final Trace trace() {
        return TRACE;
    }
}
