package dev.jacquard.mpi;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.CommunicatorProvider;
import dev.jacquard.cluster.communicator.World;
import dev.jacquard.mpi.library.Launched;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The ranks that a launcher of MPI has started. Threads: any. */
public final class MpiProvider implements CommunicatorProvider {
    /** A library of MPI is started once in a process. */
    private static final AtomicBoolean STARTED = new AtomicBoolean();

    /** Made by the service loader. */
    public MpiProvider() {}

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public Optional<Launch> launch(Map<String, String> environment) {
        return Launched.in(environment).map(Launched::launch);
    }

    @Override
    public World start(Map<String, String> environment, Consumer<String> report) {
        Launched launched = Launched.in(environment)
                .orElseThrow(() -> new CommunicationException(
                        "no launcher of MPI started this process: start it with 'mpirun -n 4 java ...'"));
        if (!STARTED.compareAndSet(false, true)) {
            throw new IllegalStateException("MPI was started before in this process, and can be started once");
        }
        return MpiWorld.start(environment, launched, report);
    }
}
