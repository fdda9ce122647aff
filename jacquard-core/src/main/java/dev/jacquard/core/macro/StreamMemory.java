package dev.jacquard.core.macro;

import dev.jacquard.memory.coherence.DeviceLoan;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device with memory for the parts of one item, or of a batch.
 *
 * <pre>
 *  host memory ──pack──▶ pinned ──copyIn──▶ buffer ──kernel──▶ buffer ──copyOut──▶ pinned ──unpack──▶ host memory
 *               thread           └────────────── stream ──────────────┘            thread, if all went well
 * </pre>
 *
 * <p>A part that items only read, and that is the same as in the launch before, is not copied again.
 *
 * <p>Threads: confined to the thread of its lane.
 */
final class StreamMemory implements AutoCloseable {
    private final MacroRun<?> run;
    private final DeviceItems<?> items;
    private final List<Part> parts = new ArrayList<>();
    private @Nullable DeviceStream stream;

    /** The memory of one part, on the device and on the host. */
    private static final class Part implements AutoCloseable {
        private final DeviceLoan loan;
        private final PinnedMemory pinned;
        private final long bytes;
        /** The views that the buffer has, which is unchanged since; empty if it may have others. */
        private List<View> has = List.of();

        Part(DeviceLoan loan, PinnedMemory pinned, long bytes) {
            this.loan = loan;
            this.pinned = pinned;
            this.bytes = bytes;
        }

        @Override
        public void close() {
            try (loan) {
                pinned.close();
            }
        }
    }

    StreamMemory(MacroRun<?> run, DeviceItems<?> items) {
        this.run = run;
        this.items = items;
    }

    /**
     * Does items in one launch, and returns when they are done.
     *
     * @throws DeviceException if the device or the kernel fails: no memory of the host has changed
     */
    void run(List<ItemCall> calls) throws Exception {
        ItemCall first = calls.getFirst();
        int count = first.parts().size();
        for (int i = 0; i < count; i++) {
            fit(i, first.bytes(i) * calls.size());
        }
        DeviceStream its = stream();
        List<Object> arguments = new ArrayList<>(first.numbers());
        for (int i = 0; i < count; i++) {
            copyIn(its, i, calls);
            arguments.add(parts.get(i).loan.buffer());
        }
        items.enqueue(first.body(), new ItemWork(its, arguments, calls));
        for (int i = 0; i < count; i++) {
            if (first.writes(i)) {
                Part part = parts.get(i);
                its.copyOut(part.loan.buffer(), part.pinned.segment(), CopyShape.run(0, 0, part.bytes));
            }
        }
        try (DeviceEvent event = its.record()) {
            event.await();
        }
        for (int i = 0; i < count; i++) {
            if (first.writes(i)) {
                unpack(i, calls);
            }
        }
    }

    private void copyIn(DeviceStream its, int index, List<ItemCall> calls) {
        Part part = parts.get(index);
        ItemCall first = calls.getFirst();
        List<View> views = calls.stream().map(call -> call.parts().get(index)).toList();
        if (first.reads(index) && !part.has.equals(views)) {
            long bytes = first.bytes(index);
            for (int i = 0; i < views.size(); i++) {
                Packing.pack(run.context().memory(views.get(i)), part.pinned.segment(), i * bytes);
            }
            its.copyIn(part.pinned.segment(), part.loan.buffer(), CopyShape.run(0, 0, part.bytes));
        }
        part.has = first.writes(index) ? List.of() : views;
    }

    private void unpack(int index, List<ItemCall> calls) {
        Part part = parts.get(index);
        long bytes = calls.getFirst().bytes(index);
        for (int i = 0; i < calls.size(); i++) {
            Packing.unpack(
                    part.pinned.segment(),
                    i * bytes,
                    run.context().memory(calls.get(i).parts().get(index)));
        }
    }

    /** Provides memory of just that size for a part: bodies may ask a buffer for its size. */
    private void fit(int index, long bytes) throws InterruptedException {
        Part known = index < parts.size() ? parts.get(index) : null;
        if (known != null && known.bytes == bytes) {
            return;
        }
        while (parts.size() > index) { // a part after it could have no room, and would be of the wrong size
            parts.removeLast().close();
        }
        String name = "part " + index + " of macro task \"" + run.context().name() + '"';
        DeviceLoan loan;
        try {
            loan = items.access().lend(name, bytes);
        } catch (IllegalStateException e) {
            throw new DeviceException(
                    items.side().place() + " has no room for " + name + ", " + bytes + " bytes: use fewer streams or"
                            + " smaller batches",
                    e);
        }
        try {
            parts.add(new Part(loan, loan.device().allocatePinned(bytes), bytes));
        } catch (RuntimeException | Error e) {
            loan.close();
            throw e;
        }
    }

    private DeviceStream stream() {
        DeviceStream its = stream;
        if (its == null) {
            its = items.stream();
            stream = its;
        }
        return its;
    }

    /** Takes another stream: one in which an operation failed does no more. */
    void renew() {
        DeviceStream its = stream;
        stream = null;
        parts.forEach(part -> part.has = List.of());
        if (its != null) {
            its.close();
        }
    }

    @Override
    public void close() {
        try {
            renew();
        } finally {
            while (!parts.isEmpty()) {
                Objects.requireNonNull(parts.removeLast()).close();
            }
        }
    }
}
