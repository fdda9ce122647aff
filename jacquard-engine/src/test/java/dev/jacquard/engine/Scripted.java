package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import java.util.function.Consumer;

/** A node with a name, a place and a body. */
public class Scripted extends PlacedNode {
    private final String name;
    private final Consumer<WorkerContext> body;

    public Scripted(String name, Place place, Consumer<WorkerContext> body) {
        this.name = name;
        this.body = body;
        place(place);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(WorkerContext worker) {
        body.accept(worker);
    }
}
