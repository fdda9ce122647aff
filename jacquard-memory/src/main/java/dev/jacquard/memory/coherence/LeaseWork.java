package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.DeviceWork;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device's body's view of its task. Confined to the thread that tells the stream. */
final class LeaseWork implements DeviceWork {
    private final ReplicaClaim lease;
    private final int numbers;
    private final List<Object> arguments;

    @Nullable
    DeviceStream stream;

    LeaseWork(ReplicaClaim lease, List<Object> numbers) {
        this.lease = lease;
        this.numbers = numbers.size();
        List<Object> all = new ArrayList<>(numbers);
        for (int i = 0; i < lease.replicas.length; i++) {
            Replica replica = lease.replicas[i];
            if (replica == null) {
                throw new IllegalStateException("task \"" + lease.task + "\" runs a kernel on " + lease.space
                        + " whose argument " + all.size() + " is "
                        + lease.needs.get(i).data().name()
                        + ", and has given up its access to that: let a kernel's task keep what it declares");
            }
            all.add(replica.memory);
        }
        this.arguments = Collections.unmodifiableList(all);
    }

    @Override
    public String name() {
        return lease.task;
    }

    @Override
    public DeviceStream stream() {
        return Objects.requireNonNull(stream);
    }

    @Override
    public List<Object> arguments() {
        return arguments;
    }

    @Override
    public Layout layout(int index) {
        return Objects.requireNonNull(lease.replicas[index - numbers]).layout;
    }

    @Override
    public View data(int index) {
        if (index < numbers || index >= arguments.size()) {
            throw new IndexOutOfBoundsException("task \"" + lease.task + "\" has data at arguments " + numbers + " to "
                    + (arguments.size() - 1) + ", and none at " + index);
        }
        Need need = lease.needs.get(index - numbers);
        return new View(need.data(), need.box());
    }

    @Override
    public int index(String name) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < lease.needs.size(); i++) {
            if (lease.needs.get(i).data().name().equals(name)) {
                found.add(numbers + i);
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException("task \"" + lease.task + "\" has " + found.size()
                    + " arguments called \"" + name + "\": its kernel names them with Kernel.parameters(...)");
        }
        return found.getFirst();
    }

    @Override
    public long items() {
        return lease.needs.isEmpty() ? 1 : lease.needs.getLast().box().elements();
    }
}
