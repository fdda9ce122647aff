package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.engine.Worker.Role;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes an engine's workers: those of the host, of which the calling thread is the first, those of targets, and the
 * main thread where that is another.
 */
final class WorkerSet {
    private final Engine engine;
    private final EngineOptions options;
    private final List<Worker> all = new ArrayList<>();
    private final int hosts;
    private final boolean mainApart;

    /** Says to the queues of {@code places} who serves them. */
    WorkerSet(Engine engine, EngineOptions options, Places places) {
        this.engine = engine;
        this.options = options;
        this.hosts = options.workers();
        Thread main = options.main();
        Thread opener = Thread.currentThread();
        this.mainApart = main != null && main != opener;
        PlaceQueue mains = places.queue(Node.MAIN);
        for (int i = 0; i < hosts; i++) {
            add(Role.HOST, i == 0 && !mainApart ? mains : null);
        }
        all.getFirst().lendTo(opener);
        options.targets().forEach((target, count) -> {
            PlaceQueue queue = Objects.requireNonNull(places.queue(places.of(target)));
            for (int i = 0; i < count; i++) {
                add(Role.TARGET, queue);
            }
            queue.servedBy(all.subList(all.size() - count, all.size()));
        });
        if (main != null && mains != null) {
            if (mainApart) {
                add(Role.MAIN, mains).lendTo(main);
            }
            mains.servedBy(List.of(mainApart ? all.getLast() : all.getFirst()));
        }
    }

    private Worker add(Role role, @Nullable PlaceQueue queue) {
        Worker worker = new Worker(engine, all.size(), role, queue, options);
        all.add(worker);
        return worker;
    }

    /** By index. */
    Worker[] all() {
        return all.toArray(Worker[]::new);
    }

    Worker[] hosts() {
        return all.subList(0, hosts).toArray(Worker[]::new);
    }

    /** The deques that the host's workers look into. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of what the list holds
    WorkDeque<Node>[] victims() {
        List<Worker> victims = new ArrayList<>(all.subList(0, hosts));
        if (mainApart) {
            victims.add(all.getLast());
        }
        return victims.stream().map(Worker::deque).toArray(WorkDeque[]::new);
    }
}
