package dev.jacquard.core.stress;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.WorkerContext;
import dev.jacquard.core.trace.TraceLane;

/** All actors are the same worker, number 0. */
abstract class SoleActor extends HeldNodes {
    private final WorkerContext actor = new WorkerContext() {
        @Override
        public void ready(Node node) {
            SoleActor.this.ready(node);
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public TraceLane lane() {
            throw new IllegalStateException("nothing is traced here");
        }
    };

    @Override
    final WorkerContext actor() {
        return actor;
    }
}
