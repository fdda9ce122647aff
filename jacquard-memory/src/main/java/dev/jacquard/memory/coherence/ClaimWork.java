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

/** A device's body's view of its task. Confined to the thread that enqueues it. */
final class ClaimWork implements DeviceWork {
    private final ReplicaClaim claim;
    private final int numbers;
    private final List<Object> arguments;

    @Nullable
    DeviceStream stream;

    ClaimWork(ReplicaClaim claim, List<Object> numbers) {
        this.claim = claim;
        this.numbers = numbers.size();
        List<Object> all = new ArrayList<>(numbers);
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica replica = claim.replicas[i];
            if (replica == null) {
                throw new IllegalStateException("task \"" + claim.task + "\" runs a kernel on " + claim.space
                        + " whose argument " + all.size() + " is "
                        + claim.needs.get(i).data().name()
                        + ", and has given up its access to that: let a kernel's task keep its accesses");
            }
            all.add(replica.memory);
        }
        this.arguments = Collections.unmodifiableList(all);
    }

    @Override
    public String name() {
        return claim.task;
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
        return Objects.requireNonNull(claim.replicas[index - numbers]).layout;
    }

    @Override
    public View data(int index) {
        if (index < numbers || index >= arguments.size()) {
            throw new IndexOutOfBoundsException("task \"" + claim.task + "\" has data at arguments " + numbers + " to "
                    + (arguments.size() - 1) + ", and none at " + index);
        }
        DataNeed need = claim.needs.get(index - numbers);
        return new View(need.data(), need.box());
    }

    @Override
    public int index(String name) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < claim.needs.size(); i++) {
            if (claim.needs.get(i).data().name().equals(name)) {
                found.add(numbers + i);
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException("task \"" + claim.task + "\" has " + found.size()
                    + " arguments called \"" + name + "\": its kernel names them with Kernel.parameters(...)");
        }
        return found.getFirst();
    }

    @Override
    public long items() {
        return claim.needs.isEmpty() ? 1 : claim.needs.getLast().box().elements();
    }
}
