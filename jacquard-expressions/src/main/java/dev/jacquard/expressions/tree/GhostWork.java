package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The work of a task that fills strips of ghosts, on the host and on devices.
 *
 * <p>Does not change, but for the kernels, which are made when they are asked for. Threads: any.
 */
final class GhostWork {
    private final GridField field;
    private final List<Strip> strips;
    private final View view;
    private final View otherEnd;
    private final Map<Language, GhostLoop> loops = new ConcurrentHashMap<>();

    /**
     * The work on parts of a field.
     *
     * @param view the part that is updated
     * @param otherEnd the cells at the other end of a periodic axis; the same, if they are in it
     */
    GhostWork(GridField field, List<Strip> strips, View view, View otherEnd) {
        this.field = field;
        this.strips = strips;
        this.view = view;
        this.otherEnd = otherEnd;
    }

    /** Returns the work on a whole field. */
    static GhostWork all(GridField field, List<Strip> strips) {
        View whole = new View(field.data(), field.data().box());
        return new GhostWork(field, strips, whole, whole);
    }

    View view() {
        return view;
    }

    View otherEnd() {
        return otherEnd;
    }

    WallNumbers numbers() {
        return new WallNumbers(field.grid(), strips);
    }

    /**
     * Returns the work on memory of the host, or of an emulated device.
     *
     * @param walls the values that vary, as numbers; null where the functions are asked
     */
    GhostFilling filling(KernelContext context, @Nullable Data walls, double... time) {
        Memory numbers = walls == null ? null : context.memory(walls);
        GhostFilling.Places places = new GhostFilling.Places(place(context, view), place(context, otherEnd), numbers);
        return new GhostFilling(field.grid(), strips, places, time);
    }

    private Binding.Place place(KernelContext context, View part) {
        return field.place(context.memory(part), part.box());
    }

    /**
     * Returns the work for each kind of device, which calls {@code begun} first.
     *
     * @param walls the values that vary, as numbers, which the task reads, too; null if nothing does
     */
    Kernel kernel(String name, @Nullable Data walls, Runnable begun) {
        return Kernel.named(name)
                .onDevice(ExecutionTarget.CUDA, work -> enqueue(Language.CUDA, walls, begun, work))
                .onDevice(ExecutionTarget.OPENCL, work -> enqueue(Language.OPENCL_C, walls, begun, work))
                .onHost(arguments -> {
                    begun.run();
                    filling(arguments.context(), walls, 0).fill(arguments.context());
                });
    }

    private void enqueue(Language language, @Nullable Data walls, Runnable begun, DeviceWork work) {
        begun.run();
        DeviceBuffer numbers = walls == null ? null : DevicePart.buffer(work, new View(walls, walls.box()));
        DevicePart ghosts = DevicePart.of(work, field, view);
        loop(language).launch(work.stream(), ghosts, DevicePart.of(work, field, otherEnd), numbers);
    }

    /** Returns the kernels in a language. */
    GhostLoop loop(Language language) {
        return loops.computeIfAbsent(language, any -> new GhostLoop(field.grid(), strips, any));
    }
}
