package dev.jacquard.core.graph;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.View;
import dev.jacquard.core.device.DeviceBody;
import dev.jacquard.core.machine.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a task's work can be done once more, somewhere, from the same data: what it wrote is a function of that and of its numbers.
 * For the engine's coherence. Immutable; holds no data.
 *
 * <p>Threads: any.
 */
public final class Recipe {
    private final Kernel kernel;
    private final List<Object> numbers;

    private Recipe(Kernel kernel, List<Object> numbers) {
        this.kernel = kernel;
        this.numbers = numbers;
    }

    /** That of a task with these accesses; null when it touches more than data and numbers, so that nobody knows what it depends on. */
    static @Nullable Recipe of(Kernel kernel, List<Object> numbers, @Nullable Object[] accesses) {
        for (int i = 0; i < accesses.length; i += 2) {
            if (!(accesses[i] instanceof Data) && !(accesses[i + 1] instanceof TagAccess)) {
                return null;
            }
        }
        return new Recipe(kernel, numbers);
    }

    /** Whether the host can do it, given its data. */
    public boolean isForHost() {
        return kernel.implementations().get(Target.HOST) instanceof Kernel.OnHost;
    }

    /** How devices of a kind do it; null when they cannot. */
    public @Nullable DeviceBody onDevice(Target kind) {
        DeviceBody body = kernel.onDevice(kind);
        return body == null ? null : NamedWork.body(body, kernel.parameters());
    }

    /** The first arguments. */
    public List<Object> numbers() {
        return numbers;
    }

    /** What it can run on. */
    @Override
    public String toString() {
        return "kernel \"" + kernel.name() + "\" for " + kernel.targets();
    }

    /**
     * Does it on the host.
     *
     * @param task the name of the task that did it first
     * @param data its data, in the order of its accesses
     * @param claim where that is
     * @throws Exception what the body throws, also when it asks for more than data and numbers
     */
    public void run(String task, List<View> data, Claim claim) throws Exception {
        if (!(kernel.implementations().get(Target.HOST) instanceof Kernel.OnHost host)) {
            throw new IllegalStateException(this + " is not for the host");
        }
        host.body()
                .run(new HostArguments(
                        kernel.parameters(),
                        numbers,
                        data,
                        new Replay(task, data, part -> claim.memory(part.data(), part.box()))));
    }
}
