package dev.jacquard.core.stress;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;

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
