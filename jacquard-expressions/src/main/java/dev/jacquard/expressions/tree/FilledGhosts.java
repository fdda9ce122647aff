package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The task that fills the ghosts of a field, or the ghosts at a slab of it, at its given place: on the host functions
 * of the user's are asked by the task itself, for a device by a task of the host before it.
 *
 * <p>Does not change, but for the kernels, which are made when they are asked for. Threads: any.
 */
final class FilledGhosts implements FieldTask {
    private final Boundaries boundaries;
    private final GridField field;
    private final GhostWork work;

    /** The task that fills all ghosts. */
    FilledGhosts(Boundaries boundaries) {
        this(boundaries, GhostWork.all(boundaries.field(), boundaries.strips(null)));
    }

    private FilledGhosts(Boundaries boundaries, GhostWork work) {
        this.boundaries = boundaries;
        this.field = boundaries.field();
        this.work = work;
    }

    @Override
    public String name() {
        return boundaries.taskName();
    }

    @Override
    public List<String> parameters() {
        return List.of(Boundaries.TIME);
    }

    @Override
    public List<GridField> inputs() {
        return List.of(field);
    }

    @Override
    public List<GridField> results() {
        return inputs();
    }

    @Override
    public String source(@Nullable Language language) {
        return "// " + name() + '\n'
                + (language == null ? "" : work.loop(language).source());
    }

    @Override
    public void requireRunsOn(ExecutionTarget where) {
        // there is an implementation for every kind of target
    }

    @Override
    public Task<@Nullable Void> submit(
            Session session, Tasks graph, @Nullable ExecutionTarget where, Parameters parameters, Task<?>... after) {
        boundaries.requireAll();
        field.requireWritable();
        if (where != null) {
            DeviceTargets.named(session, name(), where); // before anything is submitted
        }
        List<GridField> inputs = inputs();
        Runnable inRuns = FieldTask.atRun(graph, () -> boundaries.fields().old.requireNew(inputs));
        double[] time = parameters.bind(parameters());
        boolean isOnHost = where == null ? DeviceTargets.all(session).isEmpty() : where.equals(ExecutionTarget.HOST);
        if (isOnHost) {
            BindingBody body = context -> {
                GhostFilling filling = work.filling(context, null, time);
                return run -> {
                    inRuns.run();
                    filling.fill(run);
                };
            };
            return declared(graph, after).run(body);
        }
        Data walls = submitWalls(session, graph, parameters, time);
        TaskBuilder task = declared(graph, after);
        if (walls != null) {
            task.reads(walls);
        }
        Kernel kernel = work.kernel(name(), walls, inRuns);
        Task<@Nullable Void> filled =
                where == null ? task.run(kernel) : task.on(where).run(kernel);
        if (walls != null && !(graph instanceof Recorder)) {
            graph.release(walls);
        }
        return filled;
    }

    private TaskBuilder declared(Tasks graph, Task<?>... after) {
        TaskBuilder task = graph.task(name()).after(after).updates(work.view());
        return work.otherEnd().equals(work.view()) ? task : task.reads(work.otherEnd());
    }

    /**
     * Submits the task that asks the functions of the user's, which need nothing that other tasks compute. Returns its
     * output: of a recorded graph always the same memory, else some for this time; null if nothing varies.
     */
    private @Nullable Data submitWalls(Session session, Tasks graph, Parameters parameters, double... time) {
        WallNumbers numbers = work.numbers();
        long count = numbers.count();
        if (count == 0) {
            return null;
        }
        String name = "walls of " + field.name();
        Data walls = graph instanceof Recorder
                ? boundaries.fields().pool().numbers(name, count)
                : session.data().vector(name, field.grid().type(), count);
        TaskBuilder task = graph.task(name()).writes(walls);
        FieldTask.declareNumbers(task, name(), session, parameters);
        task.run(Kernel.named(name()).onHost(arguments -> {
            KernelContext context = arguments.context();
            numbers.write(context.memory(walls), time[0], context);
        }));
        return walls;
    }

    // ---- slabs

    /**
     * Submits the tasks that fill the ghosts of each slab where it is. Of an axis that is periodic across the slabs,
     * the ghosts come from the other slab; its other ghosts are filled before. All are filled on the host if a slab is
     * thinner than there are layers, or there is none.
     */
    @Override
    public void submitSplit(
            Session session, Tasks graph, Split split, Map<Data, Integer> below, Parameters parameters) {
        Grid grid = field.grid();
        int last = grid.dimensions() - 1;
        int layers = grid.ghostLayers(last);
        List<Slab> slabs = split.slabs(grid, Map.of());
        if (layers == 0 || slabs.stream().anyMatch(slab -> slab.to() - slab.from() < layers)) {
            submit(session, graph, ExecutionTarget.HOST, parameters);
            return;
        }
        for (boolean across : new boolean[] {false, true}) {
            for (Slab slab : slabs) {
                List<Strip> its = boundaries.strips(slab).stream()
                        .filter(strip -> across == (strip.axis() == last && strip.isPeriodic()))
                        .toList();
                View part = slab.view(field.data(), layers, 0, 0);
                int end = slab.isFirst() ? grid.cells(last) : layers; // its ghosts are the cells at the other end
                View other = across ? Slab.layers(field.data(), end, end + layers) : part;
                if (!its.isEmpty()) {
                    new FilledGhosts(boundaries, new GhostWork(field, its, part, other))
                            .submit(session, graph, slab.isFirst() ? ExecutionTarget.HOST : split.device(), parameters);
                }
            }
        }
    }
}
