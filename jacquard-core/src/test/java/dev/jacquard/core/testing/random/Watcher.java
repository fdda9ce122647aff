package dev.jacquard.core.testing.random;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that looks at what a session tells of itself while its tasks run: nothing of that may throw, or change what
 * they do. Looks no more after some seconds, so that none is left behind what hangs.
 */
final class Watcher implements AutoCloseable {
    private static final int MOST_LOOKS = 20_000;
    private static final long PAUSE_NANOS = 20_000;

    private final Session session;
    private final Trial trial;
    private final TaskGraph[] graphs;
    private final boolean keeps;
    private final List<Data> all = new ArrayList<>();
    private final Bodies bodies;
    private final Thread thread;
    private volatile boolean ends;

    /** Begins to look. The caller opened the session. */
    Watcher(Program program, Trial trial, Session session) {
        this.session = session;
        this.trial = trial;
        this.graphs = trial.graphs();
        this.keeps = program.setting().keeps();
        this.bodies = trial.bodies();
        for (Store store : program.stores()) {
            if (store.isData()) {
                all.add((Data) trial.world().resource(store.number()));
            }
        }
        this.thread = Thread.ofPlatform().daemon().name("watcher").start(this::look);
    }

    private void look() {
        try {
            for (int i = 0; i < MOST_LOOKS && !ends; i++) {
                lookOnce(i);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException | RuntimeException | Error e) {
            bodies.violation(Violation.Kind.ERROR, "a look at the session threw " + Runner.stack(e));
        }
    }

    private void lookOnce(int number) throws IOException {
        String seen = switch (number % (keeps ? 7 : 5)) {
            case 0 -> session.snapshot().toString();
            case 1 ->
                graphs[number / 5 % 2].report()
                        + graphs[number / 5 % 2].snapshot().toString();
            case 2 -> session.data().transfers() + session.placements().toString() + session.views();
            case 3 -> compiled(number);
            case 5 -> graphs[number / 7 % 2].history().dependencyGraph().toString();
            case 6 -> traced();
            default ->
                all.isEmpty()
                        ? session.data().faults().toString()
                        : session.data().query(all.get(number / 5 % all.size())).toString();
        };
        if (seen.isEmpty()) {
            bodies.violation(Violation.Kind.STATE, "the session tells nothing of itself");
        }
    }

    /** Returns the texts of one of the compiled graphs, those of the runs beside among them. */
    private String compiled(int number) {
        List<CompiledGraph> made = new ArrayList<>(trial.compiled());
        trial.beside().forEach(other -> made.addAll(other.compiled()));
        if (made.isEmpty()) {
            return "none";
        }
        CompiledGraph one = made.get(number / 5 % made.size());
        return one.toDot() + one.snapshot() + one.report() + one.isRunning() + one;
    }

    private String traced() throws IOException {
        StringWriter text = new StringWriter();
        new ChromeTrace(session.trace()).write("watched", text);
        return text.toString();
    }

    /** Waits until it looks no more. */
    @Override
    public void close() {
        ends = true;
        Threads.join(thread);
    }
}
