package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One rule for the host and for devices: each task goes where it is expected to end first, to a worker of the host once
 * it is ready, and to a device or to the host when its kernel is submitted. On a worker, the most urgent task is next,
 * as {@link Priority} says.
 *
 * <p>Source: the abstract runtime system document, section II-C5; the expressions thesis, section 3.1.15.
 */
final class EarliestFinishPolicy implements Policy {
    @Override
    public String name() {
        return "earliest-finish";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.TIMES, Need.NO_INLINE_SUCCESSORS, Need.HOST_FOR_KERNELS);
    }

    @Override
    public ReadyOrder order() {
        return OneByOne.of(new Priority().order()); // the placement needs no lock
    }

    @Override
    public Placement placement() {
        return new Both(new EarliestFinish(), new EarliestFinish());
    }

    @Override
    public long rank(ReadyTask task) {
        return -(long) task.priority();
    }

    /**
     * Remembers the choices for kernels apart from those of workers, which each ready task has one of. Threads: any.
     */
    private record Both(EarliestFinish forKernels, EarliestFinish forWorkers) implements Placement {
        @Override
        public Place place(ReadyTask task, MachineState machine) {
            return isWorker(machine.places().getFirst())
                    ? forWorkers.place(task, machine)
                    : forKernels.place(task, machine);
        }

        private static boolean isWorker(Place place) {
            return !place.isDevice() && place != Place.HOST && place.kind().equals(ExecutionTarget.HOST);
        }

        @Override
        public List<Explanation> explanations() {
            List<Explanation> all = new ArrayList<>(forKernels.explanations());
            all.addAll(forWorkers.explanations());
            return List.copyOf(all);
        }
    }
}
