package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.engine.schedule.Policies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policy that keeps what a task says of its worker. */
@Timeout(180)
class AffinityTest {
    private static final int WORKERS = 3;

    @Test
    void pinnedRunsEveryPartOfATaskOnItsWorker() {
        List<String> elsewhere = Collections.synchronizedList(new ArrayList<>());
        Set<Integer> used = Collections.synchronizedSet(new TreeSet<>());
        try (Session session = Session.builder()
                .workers(WORKERS)
                .policy(Policies.named("pinned"))
                .open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 300; i++) {
                int wanted = i % WORKERS;
                AtomicInteger tries = new AtomicInteger();
                graph.task("retried").affinity(wanted).retries(1).run(ctx -> {
                    check("retried", ctx, wanted, elsewhere, used);
                    if (tries.getAndIncrement() == 0) {
                        throw new Exception("once");
                    }
                });
                graph.task("refined").affinity(wanted).run(ctx -> {
                    check("refined", ctx, wanted, elsewhere, used);
                    ctx.refine(inside -> inside.task("part")
                            .affinity((wanted + 1) % WORKERS)
                            .run(part -> check("part", part, (wanted + 1) % WORKERS, elsewhere, used)));
                    ctx.afterwards(rest -> check("rest", rest, wanted, elsewhere, used));
                });
            }
            graph.await();
        }
        assertEquals(List.of(), elsewhere);
        assertEquals(Set.of(0, 1, 2), used);
    }

    private static void check(String what, TaskContext ctx, int wanted, List<String> elsewhere, Set<Integer> used) {
        used.add(ctx.worker());
        if (ctx.worker() != wanted) {
            elsewhere.add(what + " ran on " + ctx.worker() + " instead of " + wanted);
        }
    }
}
