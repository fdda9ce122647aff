package dev.jacquard.core.stress;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.data.Handle;

/** Each actor is a worker of its own. They share a graph, and what its tasks access. */
final class Actors extends HeldNodes {
    private static final ThreadLocal<Playing> MINE = new ThreadLocal<>();

    final DependencyDomain domain;
    final TaskGraph graph;
    final Handle<int[]> x = new Handle<>("x", Actors.class, new int[1]);

    Actors() {
        this(DependencyDomain.Options.NONE);
    }

    Actors(DependencyDomain.Options options) {
        domain = new DependencyDomain(Actors.class, this, options);
        graph = new TaskGraph("g", domain, FailurePolicy.CONTINUE);
    }

    /** Makes the calling thread worker {@code index} from now on. */
    WorkerContext is(int index) {
        Playing actor = new Playing(this, index);
        MINE.set(actor);
        return actor;
    }

    @Override
    WorkerContext actor() {
        return MINE.get();
    }

    @Override
    public int workers() {
        return 4; // the arbiter is one, too
    }

    private record Playing(Actors actors, int index) implements WorkerContext {
        @Override
        public void ready(Node node) {
            actors.ready(node);
        }

        @Override
        public boolean goesOn(int step) {
            return !actors.holding;
        }

        @Override
        public TraceLane lane() {
            throw new IllegalStateException("nothing is traced here");
        }
    }
}
