package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.schedule.EarliestFinish;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks the policy's placement, or {@link EarliestFinish} where it has none, and watches its answers. Threads: any. */
final class Placer {
    private final String policy;
    private final Consumer<? super PolicyException> failure;
    private final @Nullable Placement own;
    private final Placement placement;
    /** Held during calls when the policy wants them to exclude each other; null when it does not. */
    private final @Nullable Object lock;

    /** @param failure receives a breach of the policy's contract, which ends the run */
    Placer(Policy policy, Consumer<? super PolicyException> failure) {
        this.failure = failure;
        this.policy = policy.name();
        this.own = policy.placement();
        this.placement = own == null ? new EarliestFinish() : own;
        this.lock = own != null && policy.needs().contains(Need.EXCLUSIVE_CALLS) ? new Object() : null;
    }

    /** Returns true if the policy sends ready tasks to workers. */
    boolean placesWorkers() {
        return own != null;
    }

    Placement placement() {
        return placement;
    }

    /** Returns the policy's choice; null when that ended the engine. */
    @Nullable
    Place place(ReadyTask task, MachineState machine) {
        Place place;
        try {
            if (lock == null) {
                place = placement.place(task, machine);
            } else {
                synchronized (lock) {
                    place = placement.place(task, machine);
                }
            }
        } catch (Throwable e) {
            fail(task, "threw from place of task \"" + task.name() + '"', e);
            return null;
        }
        if (!machine.isOffered(place)) {
            String offered = machine.places().stream().map(Place::name).collect(Collectors.joining(", "));
            fail(task, "placed task \"" + task.name() + "\" on " + place + "; the places were " + offered, null);
            return null;
        }
        return place;
    }

    private void fail(ReadyTask task, String what, @Nullable Throwable cause) {
        failure.accept(new PolicyException(policy, task.name(), what, cause));
    }
}
