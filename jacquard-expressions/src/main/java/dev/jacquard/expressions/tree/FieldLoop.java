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
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.expressions.codegen.KernelLoop;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One loop of an assignment, with the fields that it reads and the one that it writes: how it runs here, and on
 * devices. Does not change, but for the kernels, which are made when they are asked for.
 *
 * <p>On the host rows are padded, so that loops in lanes may write past their ends. On devices, emulated ones included,
 * fields lie without gaps: there a loop computes a point at a time.
 *
 * <p>Threads: any.
 */
final class FieldLoop implements FieldTask {
    /** Points that are worth a separate part of a loop: some microseconds. */
    private static final int POINTS_PER_PART = 1 << 15;

    private final Lowering.Plan plan;
    private final Loops loops;
    private final Loops.Form form;
    private final Loop padded;
    private final List<GridField> inputs;
    private final GridField target;
    /** The points along each axis that are computed at a time; empty for as many as suit. */
    private final List<Integer> tile;

    private final Runnable begun;
    /** The inputs, then the target. */
    private final List<GridField> fields;
    /** The slab that is computed; null for all points. */
    private final @Nullable Slab slab;
    /** Finds the deviation of the target; null to find none. */
    private final @Nullable WatchedLoop watched;

    private final Map<Language, KernelLoop> kernels = new ConcurrentHashMap<>();

    /** The work on memory that was looked up; the context is that of the run. */
    @FunctionalInterface
    interface Work {
        void run(KernelContext context) throws Exception;
    }

    /**
     * Creates the loop of a plan, in some form where rows are padded.
     *
     * @param begun runs when the loop is submitted, or begins in a run of a recorded graph
     * @param watched finds the deviation of the target; null to find none
     */
    FieldLoop(
            Lowering.Plan plan,
            Loops loops,
            Loops.Form form,
            List<GridField> inputs,
            GridField target,
            List<Integer> tile,
            Runnable begun,
            @Nullable WatchedLoop watched) {
        this(plan, loops, form, inputs, target, tile, begun, watched, null);
    }

    private FieldLoop(
            Lowering.Plan plan,
            Loops loops,
            Loops.Form form,
            List<GridField> inputs,
            GridField target,
            List<Integer> tile,
            Runnable begun,
            @Nullable WatchedLoop watched,
            @Nullable Slab slab) {
        this.plan = plan;
        this.slab = slab;
        this.tile = tile;
        this.begun = begun;
        this.watched = watched;
        this.inputs = inputs;
        this.target = target;
        this.loops = loops;
        this.form = form;
        padded = loops.loop(plan.body(), form);
        fields = new ArrayList<>(inputs);
        fields.add(target);
    }

    /** Returns the loop over the points of a slab alone, which accesses no more than it needs. */
    FieldLoop slab(Slab part) {
        return new FieldLoop(plan, loops, form, inputs, target, List.of(), begun, watched, part);
    }

    Lowering.Plan plan() {
        return plan;
    }

    @Override
    public List<GridField> inputs() {
        return inputs;
    }

    GridField target() {
        return target;
    }

    @Override
    public List<GridField> results() {
        return List.of(target);
    }

    /** Returns true if the loop reads a field that it writes, which it does at the same point only. */
    boolean isInPlace() {
        return inputs.stream().anyMatch(this::isTarget);
    }

    /** Returns true if a field is the one that is written, perhaps by another name. */
    boolean isTarget(GridField field) {
        return field.data().equals(target.data());
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public List<String> parameters() {
        return plan.body().parameters();
    }

    @Override
    public void requireRunsOn(ExecutionTarget where) {
        // a loop has an implementation for every kind of target
    }

    @Override
    public String source(@Nullable Language language) {
        String text = language == null
                ? Loops.source(plan.body())
                : kernelLoop(language).source().text();
        return "// %s from %s%n%s%n".formatted(target, inputs, text);
    }

    @Override
    public Task<@Nullable Void> submit(
            Session session, Tasks graph, @Nullable ExecutionTarget where, Parameters parameters, Task<?>... after) {
        TaskBuilder task = graph.task(target.name()).after(after);
        declare(task);
        Runnable inRuns = FieldTask.atRun(graph, this::begin);
        double[] numbers = parameters.bind(parameters());
        if (where != null || !DeviceTargets.all(session).isEmpty()) {
            if (numbers.length > 0) {
                FieldTask.declareNumbers(task, target.name(), session, parameters);
            }
            Kernel kernel = kernel(numbers, inRuns);
            return where == null ? task.run(kernel) : task.on(where).run(kernel);
        }
        BindingBody body = context -> {
            Work work = bind(numbers, context);
            return run -> {
                inRuns.run();
                work.run(run);
            };
        };
        return task.run(body);
    }

    private void begin() {
        begun.run();
        if (watched != null) {
            watched.deviation().begin(plan.axis(), slab);
        }
    }

    @Override
    public Map<Data, Integer> readsBelow() {
        Map<Data, Integer> below = new LinkedHashMap<>();
        reads().forEach(data -> below.put(data, -Slab.Reach.of(this, data).low()));
        return below;
    }

    @Override
    public void submitSplit(
            Session session, Tasks graph, Split split, Map<Data, Integer> below, Parameters parameters) {
        List<Slab> slabs = split.slabs(this, below);
        if (graph instanceof Recorder && !isInPlace() && target.data().home() == null) {
            // memory for all of it, so that the host has the layers of the other slab next to its own; not where a run
            // of another graph may follow this task, and find the values from before
            graph.task("memory of " + name()).writes(target.data()).run(context -> {});
        }
        slab(slabs.getFirst()).submit(session, graph, ExecutionTarget.HOST, parameters);
        slab(slabs.getLast()).submit(session, graph, split.device(), parameters);
    }

    private void declare(TaskBuilder task) {
        List<Data> read = inputs.stream()
                .filter(field -> !isTarget(field))
                .map(GridField::data)
                .distinct()
                .toList();
        if (slab == null) {
            read.forEach(task::reads);
        } else {
            read.forEach(data -> task.reads(view(data)));
        }
        if (slab == null && isInPlace()) {
            task.updates(target.data());
        } else if (slab == null) {
            task.writes(target.data());
        } else if (isInPlace()) {
            task.updates(view(target.data()));
        } else {
            task.writes(view(target.data()));
        }
        if (watched != null) {
            task.writes(watched.deviation().data(plan.axis(), slab));
        }
    }

    /** Returns the part of some data that the loop accesses. */
    private View view(Data data) {
        return slab == null ? new View(data, data.box()) : slab.view(data, this);
    }

    /** Returns the work on the memory where the fields are. */
    Work bind(double[] parameters, KernelContext context) {
        List<Binding.Place> places = new ArrayList<>();
        boolean arePadded = true;
        for (GridField field : fields) {
            View part = view(field.data());
            Memory memory = context.memory(part);
            arePadded &= memory.layout().isAligned();
            places.add(field.place(memory, part.box()));
        }
        Layout layout = context.memory(view(target.data())).layout();
        // memory between the user's rows may be no part of the field
        boolean mayJoin = layout.isAligned() || layout.isPacked();
        Loop loop = arePadded ? padded : packed();
        Grid grid = target.grid();
        Range all = range();
        Binding binding = new Binding(plan.body(), ofLoop(places));
        if (watched != null) {
            Memory maxima = context.memory(watched.deviation().data(plan.axis(), slab));
            Range[] parts = tile.isEmpty()
                    ? ranges(all, binding.strideY(0), WatchedLoop.points(loop))
                    : Tiles.of(all, tile, grid.type()).boxes();
            boolean joins = mayJoin && tile.isEmpty();
            WatchedLoop.Computed computed =
                    part -> loop.run(binding, parameters, rows(loop, joins, binding, parts[part]));
            return watched.work(parts, computed, places, target, maxima, arePadded && loops.beginInLanes(form));
        }
        if (!tile.isEmpty()) {
            Tiles tiles = Tiles.of(all, tile, grid.type());
            return run -> run.parallelFor(0, tiles.count(), 1, (from, to) -> {
                for (long number = from; number < to; number++) {
                    loop.run(binding, parameters, tiles.rows(number, part -> rows(loop, mayJoin, binding, part)));
                }
            });
        }
        Range[] ranges = ranges(all, binding.strideY(0), POINTS_PER_PART);
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = rows(loop, mayJoin, binding, ranges[i]);
        }
        if (ranges.length == 1) {
            return run -> loop.run(binding, parameters, ranges[0]);
        }
        RangeBody body = (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                loop.run(binding, parameters, ranges[i]);
            }
        };
        return run -> run.parallelFor(0, ranges.length, 1, body);
    }

    /**
     * Returns the places of the fields that the loop on the host has, without the places that it only is watched with.
     */
    private List<Binding.Place> ofLoop(List<Binding.Place> places) {
        if (watched == null) {
            return places;
        }
        List<Binding.Place> its =
                new ArrayList<>(places.subList(0, plan.inputs().size()));
        its.add(places.getLast());
        return its;
    }

    /** Returns the parts that workers may take. */
    private Range[] ranges(Range all, long rowBytes, int pointsEach) {
        return target.grid().dimensions() > 2
                ? Tiles.blocks(all, plan.body().planes(), rowBytes, pointsEach)
                : Tiles.parts(all, pointsEach);
    }

    /** Returns the loop for rows without padding. */
    private Loop packed() {
        return loops.loop(plan.body(), form == Loops.Form.INTERPRETER ? form : Loops.Form.PLAIN);
    }

    private Range range() {
        Range all = target.grid().interior(plan.centring());
        return slab == null ? all : slab.range(all, target.grid().dimensions() - 1);
    }

    /** Returns the range in the rows that suit the loop. Pieces of rows are not joined: others compute the rest. */
    private Range rows(Loop loop, boolean mayJoin, Binding binding, Range part) {
        Range all = range();
        boolean isWhole = part.x0() == all.x0() && part.x1() == all.x1();
        return mayJoin && isWhole && loop.likesLongRows() ? binding.joined(plan.body(), part) : part;
    }

    // ---- devices

    /** Returns the loop with an implementation for each kind of device, and for the host; each calls {@code begun}. */
    Kernel kernel(double[] parameters, Runnable begun) {
        return Kernel.named(target.name())
                .onDevice(ExecutionTarget.CUDA, work -> enqueue(Language.CUDA, parameters, begun, work))
                .onDevice(ExecutionTarget.OPENCL, work -> enqueue(Language.OPENCL_C, parameters, begun, work))
                .onHost(arguments -> {
                    begun.run();
                    bind(parameters, arguments.context()).run(arguments.context());
                });
    }

    /** Returns the loop as a kernel. Its text is the same for fields of any size. */
    KernelLoop kernelLoop(Language language) {
        return kernels.computeIfAbsent(language, this::make);
    }

    private KernelLoop make(Language language) {
        List<Box> all = fields.stream().map(field -> view(field.data()).box()).toList();
        List<Box> boxes = all.stream().distinct().toList();
        int[] layouts = all.stream().mapToInt(boxes::indexOf).toArray();
        return watched == null
                ? KernelLoop.of(plan.body(), language, layouts)
                : KernelLoop.withMaxima(watched.plan().body(), language, Deviation.MAXIMA, layouts);
    }

    private void enqueue(Language language, double[] parameters, Runnable begun, DeviceWork work) {
        begun.run();
        List<DeviceBuffer> memories = new ArrayList<>();
        List<Binding.Place> places = new ArrayList<>();
        for (GridField field : fields) {
            DevicePart part = DevicePart.of(work, field, view(field.data()));
            memories.add(part.memory());
            places.add(part.place());
        }
        if (watched != null) {
            Data its = watched.deviation().data(plan.axis(), slab);
            DeviceBuffer maxima = DevicePart.buffer(work, new View(its, its.box()));
            Deviation.clear(work.stream(), language, maxima, target.grid().type());
            memories.add(maxima);
        }
        kernelLoop(language).launch(work.stream(), memories, places, parameters, range());
    }
}
