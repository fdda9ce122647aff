package dev.jacquard.tools;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A component that writes a part of its output, prints that it is ready, and waits until it is cancelled: rank 0 for
 * that alone, the others for a message of rank 0. The last rank may end otherwise.
 */
public final class Lingering implements Component {
    private static final Setting<End> END =
            Setting.optional("end", Setting.Type.choice(End.class), "cancelled", "how the last rank ends");

    /** How the last rank ends. */
    enum End {
        CANCELLED,
        INPUT,
        ABORT,
        EXIT
    }

    /** Made by the service loader. */
    public Lingering() {}

    @Override
    public String name() {
        return "lingering";
    }

    @Override
    public String description() {
        return "waits until it is cancelled";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(END);
    }

    @Override
    public Set<RunMode> modes() {
        return Set.of(RunMode.DATA_PARALLEL);
    }

    @Override
    public Instance open(ComponentContext context) {
        Communicator comm = context.comm();
        End end = comm.rank() == comm.size() - 1 ? context.settings().get(END) : End.CANCELLED;
        return () -> {
            Files.writeString(context.output().file("half-" + comm.rank()), "half of a ");
            CountDownLatch cancelled = new CountDownLatch(1);
            context.cancellation().onCancel(cancelled::countDown);
            comm.barrier();
            System.err.println("rank " + comm.rank() + " is ready: "
                    + ProcessHandle.current().pid());
            switch (end) {
                case CANCELLED -> {
                    if (comm.rank() > 0) {
                        comm.receive(Elements.none(), 0, 1);
                    }
                    cancelled.await();
                }
                case INPUT -> throw new InputException("the input is wrong");
                case ABORT -> throw comm.abort(7, "the model is wrong");
                case EXIT -> System.exit(0);
            }
            context.cancellation().check();
            return true;
        };
    }
}
