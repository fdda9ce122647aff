package dev.jacquard.memory.residency;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to do a task's work again, anywhere, from the same data: the output of the task is a function of the data and
 * of its numbers. The text names the targets that it can run on. Immutable; holds no data.
 *
 * <p>Threads: any.
 */
public interface Recomputation {
    /** Returns true when the host can do it, given its data. */
    boolean isForHost();

    /** Returns how devices of a kind do it; null when they cannot. */
    @Nullable
    DeviceBody onDevice(ExecutionTarget kind);

    /** The first arguments. */
    List<Object> numbers();

    /**
     * Does it on the host.
     *
     * @param task the name of the task that did it first
     * @param data its data, in the order of the accesses that it was submitted with
     * @param claim where that is
     * @throws Exception the exception of the body, also when it asks for more than data and numbers
     */
    void run(String task, List<View> data, DataClaim claim) throws Exception;
}
