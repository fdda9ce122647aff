package dev.jacquard.core.kernel;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The recomputation of the work of a kernel with numbers. Immutable; holds no data. */
final class KernelRecomputation implements Recomputation {
    private final Kernel kernel;
    private final List<Object> numbers;

    KernelRecomputation(Kernel kernel, List<Object> numbers) {
        this.kernel = kernel;
        this.numbers = numbers;
    }

    @Override
    public boolean isForHost() {
        return kernel.implementations().get(ExecutionTarget.HOST) instanceof Kernel.OnHost;
    }

    @Override
    public @Nullable DeviceBody onDevice(ExecutionTarget kind) {
        DeviceBody body = kernel.onDevice(kind);
        return body == null ? null : NamedWork.body(body, kernel.parameters());
    }

    @Override
    public List<Object> numbers() {
        return numbers;
    }

    @Override
    public String toString() {
        return "kernel \"" + kernel.name() + "\" for " + kernel.targets();
    }

    @Override
    public void run(String task, List<View> data, DataClaim claim) throws Exception {
        if (!(kernel.implementations().get(ExecutionTarget.HOST) instanceof Kernel.OnHost host)) {
            throw new IllegalStateException(this + " is not for the host");
        }
        host.body()
                .run(new HostArguments(
                        kernel.parameters(),
                        numbers,
                        data,
                        new DetachedContext(task, data, part -> claim.memory(part.data(), part.box()))));
    }
}
