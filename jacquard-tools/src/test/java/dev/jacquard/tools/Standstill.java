package dev.jacquard.tools;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import java.util.Set;

/** A component whose ranks all wait for a message of the next one. */
public final class Standstill implements Component {
    /** Made by the service loader. */
    public Standstill() {}

    @Override
    public String name() {
        return "standstill";
    }

    @Override
    public String description() {
        return "waits for ever";
    }

    @Override
    public Set<RunMode> modes() {
        return Set.of(RunMode.DATA_PARALLEL);
    }

    @Override
    public Instance open(ComponentContext context) {
        Communicator comm = context.comm();
        return () -> {
            comm.receive(Elements.of(0), (comm.rank() + 1) % comm.size(), 7);
            return true;
        };
    }
}
