package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the running parts and the parts that wait for them when no execution has begun or ended for ten seconds, once
 * per stall.
 *
 * <p>Threads: the session's background threads, one look at a time, and the thread that runs the program; guarded by
 * itself.
 */
final class StallTeller implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.jacquard.components");
    private static final long NANOS = 10_000_000_000L;
    /** The most tasks that are named. */
    private static final int MOST_TASKS = 3;
    /** Between two looks. */
    private static final long INTERVAL = 1_000_000_000L;

    private final Plan plan;
    private final OpenedParts parts;
    private final Passes passes;
    private final Session session;
    private final RankScope ranks;
    private Timer timer;
    private boolean closed;
    private long seen;
    /** When something had moved since the look before. */
    private long movedAt;

    private boolean told;

    StallTeller(Plan plan, OpenedParts parts, Passes passes, Session session, RankScope ranks) {
        this.plan = plan;
        this.parts = parts;
        this.passes = passes;
        this.session = session;
        this.ranks = ranks;
        this.movedAt = session.clock().nanoTime();
        this.timer = session.executor().schedule(INTERVAL, this::look);
    }

    private void look() {
        String message;
        synchronized (this) {
            if (closed) {
                return;
            }
            message = look(session.clock().nanoTime());
            timer = session.executor().schedule(INTERVAL, this::look);
        }
        if (message != null) {
            LOG.log(Logger.Level.WARNING, message); // without the lock: handlers of the log are users' code
        }
    }

    /** Returns the text to report now; null if something has moved, or it was reported. */
    synchronized @Nullable String look(long now) {
        long moved = 0;
        for (int i = 0; i < parts.size(); i++) {
            moved = 31 * moved + parts.get(i).executions() + parts.get(i).begun();
        }
        if (moved != seen) {
            seen = moved;
            movedAt = now;
            told = false;
        } else if (!told && now - movedAt >= NANOS) {
            told = true;
            return ranks.prefix() + "nothing has moved for 10 s: " + described(now);
        }
        return null;
    }

    private String described(long now) {
        List<String> lines = new ArrayList<>();
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
                lines.add(part.described() + passes.around(i) + ranks.begun(i) + (now - begun) / 1_000_000_000 + " s"
                        + (waiting.isEmpty() ? "" : "; " + waiting + " wait for it"));
            }
        }
        return lines.isEmpty() ? "no component runs" + left() + ranks.idle() : String.join("; ", lines);
    }

    /** Returns the running tasks that components have left; the program waits for these too. */
    private String left() {
        String tasks = session.snapshot().running().stream()
                .limit(MOST_TASKS)
                .map(task -> '"' + task.name() + '"')
                .collect(Collectors.joining(", "));
        return tasks.isEmpty() ? "" : ", and it waits for tasks that components have left: " + tasks;
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.cancel();
    }
}
