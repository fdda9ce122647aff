package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tells what runs and what waits for it when no execution has begun or ended for ten seconds, once per stall.
 *
 * <p>Threads: the session's timer, one look at a time, and the thread that runs the program; guarded by itself.
 */
final class StallTeller {
    private static final Logger LOG = System.getLogger("dev.jacquard.components");
    private static final long NANOS = 10_000_000_000L;

    private final Plan plan;
    private final OpenedParts parts;
    private final Passes passes;
    private final Session session;
    private Timer timer;
    private boolean closed;
    private long seen = -1;
    private boolean told;

    StallTeller(Plan plan, OpenedParts parts, Passes passes, Session session) {
        this.plan = plan;
        this.parts = parts;
        this.passes = passes;
        this.session = session;
        this.timer = session.executor().schedule(NANOS, this::look);
    }

    private synchronized void look() {
        if (closed) {
            return;
        }
        long moved = 0;
        for (int i = 0; i < parts.size(); i++) {
            moved = 31 * moved + parts.get(i).executions() + parts.get(i).begun();
        }
        if (moved == seen && !told) {
            LOG.log(Logger.Level.WARNING, "nothing has moved for 10 s: " + described());
        }
        told = moved == seen;
        seen = moved;
        timer = session.executor().schedule(NANOS, this::look);
    }

    private String described() {
        List<String> lines = new ArrayList<>();
        long now = session.clock().nanoTime();
        for (int i = 0; i < parts.size(); i++) {
            OpenedPart part = parts.get(i);
            long begun = part.begun();
            if (begun != 0) {
                int number = i;
                String waiting = plan.wires().stream()
                        .filter(wire -> wire.from() == number && !wire.isAgain())
                        .map(Wire::to)
                        .distinct()
                        .map(to -> "'" + plan.parts().get(to).name() + "'")
                        .collect(Collectors.joining(", "));
                lines.add(part.described() + passes.around(i) + " has run for " + (now - begun) / 1_000_000_000 + " s"
                        + (waiting.isEmpty() ? "" : "; " + waiting + " wait for it"));
            }
        }
        return lines.isEmpty() ? "no component runs" : String.join("; ", lines);
    }

    synchronized void close() {
        closed = true;
        timer.cancel();
    }
}
