package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.tree.Expression.Evaluation;
import dev.jacquard.expressions.tree.Expression.Part;
import dev.jacquard.expressions.tree.Expression.Results;
import dev.jacquard.expressions.tree.Expression.Values;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource.Language;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The task of an expression with a loop of the user's. Each submission binds the expression once, to values with a
 * place in memory that is looked up when the task runs; tasks of a compiled graph look it up again where something has
 * moved.
 */
final class UserLoop implements FieldTask {
    /** Points that are worth a part of their own: some microseconds, if a point takes more than a nanosecond. */
    private static final int POINTS_PER_PART = 1 << 12;
    /** The loops of one expression with remembered parts. */
    private static final int MOST_KNOWN = 16;

    private final UserExpression its;
    private final FieldStore fields;
    private final List<String> parameters;
    private final Grid grid;
    private final Map<Tag<?>, List<GridField>> reads;
    private final Map<Tag<?>, List<GridField>> computes;
    private final FieldLookup lookup;
    private final List<GridField> inputs;
    /** The inputs that no task of the same run computes. */
    private final List<GridField> earlier;

    private final List<Data> written;

    UserLoop(UserExpression its, FieldStore fields, FieldLookup lookup) {
        this.its = its;
        this.fields = fields;
        this.parameters = List.copyOf(its.parameters());
        this.grid = fields.grid();
        this.lookup = lookup;
        this.reads = fields(its.reads(), lookup);
        this.inputs = reads.values().stream().flatMap(List::stream).toList();
        this.earlier = reads.entrySet().stream()
                .filter(read -> !lookup.isComputedBefore(read.getKey()))
                .flatMap(read -> read.getValue().stream())
                .toList();
        this.computes = fields(its.computes(), lookup::written);
        computes.values().forEach(components -> components.forEach(GridField::requireWritable));
        written = writes();
        reads.forEach((tag, components) -> {
            if (components.stream().anyMatch(field -> written.contains(field.data()))) {
                throw new IllegalArgumentException(its.name() + " reads \"" + tag
                        + "\", which is one of its results by another name: a loop of one's own reads other fields than"
                        + " it writes");
            }
        });
    }

    private Map<Tag<?>, List<GridField>> fields(Set<Tag<?>> tags, FieldLookup lookup) {
        Map<Tag<?>, List<GridField>> all = new LinkedHashMap<>();
        for (Tag<?> tag : tags) {
            List<GridField> components = new ArrayList<>();
            for (int axis = 0; axis < tag.components(grid); axis++) {
                components.add(lookup.field(tag, axis));
            }
            all.put(tag, components);
        }
        return all;
    }

    @Override
    public String name() {
        return its.computes().stream().map(Tag::toString).collect(Collectors.joining(", "));
    }

    @Override
    public List<String> parameters() {
        return parameters;
    }

    @Override
    public List<GridField> inputs() {
        return inputs;
    }

    @Override
    public List<GridField> results() {
        return computes.values().stream().flatMap(List::stream).toList();
    }

    @Override
    public void requireRunsOn(ExecutionTarget where) {
        requireHost(where, "does not run on " + where + ": leave it out, or ask for " + ExecutionTarget.HOST);
    }

    /** Throws if a field that it computes lives on another target than the host. */
    void requireRunsWhere(Tag<?> tag, ExecutionTarget lives) {
        requireHost(
                lives,
                "\"" + tag + "\" lives on " + lives
                        + ": FieldStore.live(ExecutionTarget.HOST, ...) lets it live here again");
    }

    private void requireHost(ExecutionTarget where, String why) {
        if (!where.equals(ExecutionTarget.HOST)) {
            throw new IllegalArgumentException(its.name() + " has a loop for the host alone, and " + why);
        }
    }

    @Override
    public String source(@Nullable Language language) {
        return "// %s from %s: %s%n".formatted(computes.keySet(), reads.keySet(), its.name());
    }

    @Override
    public Task<@Nullable Void> submit(
            Session session, Tasks graph, @Nullable ExecutionTarget where, Parameters parameters, Task<?>... after) {
        double[] numbers = parameters.bind(this.parameters);
        Bound bound = new Bound(numbers);
        Evaluation evaluation = its.expression().bind(bound);
        bound.isBound = true;
        if (evaluation == null) {
            throw new IllegalArgumentException(its.name() + " was bound, and returned null instead of its work");
        }
        Runnable inRuns = FieldTask.atRun(graph, this::begun);
        String name = name();
        TaskBuilder task = graph.task(name).after(after);
        reads().forEach(task::reads);
        writes().forEach(task::writes);
        if (numbers.length > 0) {
            FieldTask.declareNumbers(task, name, session, parameters);
        }
        BindingBody body = context -> {
            bound.move(context);
            return run -> {
                inRuns.run();
                bound.run(run, evaluation);
            };
        };
        return task.run(body);
    }

    private void begun() {
        fields.old.requireNew(earlier);
        for (int i = 0; i < written.size(); i++) { // an iterator would be garbage of each run
            fields.old.written(written.get(i));
        }
        lookup.begun();
    }

    /** Some points in parts. */
    private static final class Parts implements RangeBody {
        private final Range points;
        private final Part part;
        private final Range[] ranges;

        Parts(Range points, Part part) {
            this.points = points;
            this.part = part;
            this.ranges = Tiles.parts(points, POINTS_PER_PART);
        }

        @Override
        public void run(long from, long to) throws Exception {
            for (int i = (int) from; i < to; i++) {
                part.compute(ranges[i]);
            }
        }
    }

    /** The fields and numbers that one submission binds, and its runs, of which there is one at a time. */
    private final class Bound implements Expression.Bindings, Expression.Run {
        private final double[] numbers;
        private final List<Values> all = new ArrayList<>();
        private final List<Parts> known = new ArrayList<>();
        private @Nullable TaskContext now;
        /** Set when bind has returned, before the task is submitted. */
        private boolean isBound;

        Bound(double[] numbers) {
            this.numbers = numbers;
        }

        void move(TaskContext context) {
            for (Values values : all) {
                Memory memory = context.memory(values.field().data());
                Binding.Place its = values.field().place(memory);
                MemorySegment segment = values instanceof Results
                        ? its.segment()
                        : its.segment().asReadOnly();
                Binding.Place place = new Binding.Place(segment, its.start(), its.strideY(), its.strideZ());
                values.move(place, memory.layout().isAligned());
            }
        }

        void run(TaskContext context, Evaluation evaluation) throws Exception {
            now = context;
            try {
                evaluation.evaluate(this);
            } finally {
                now = null; // its operands and results may be elsewhere from now on
            }
        }

        private TaskContext now() {
            if (now == null) {
                throw new IllegalStateException(its.name() + " used its run before it began, or when it was over");
            }
            return now;
        }

        // ---- fields

        @Override
        public Values reads(Tag<?> tag) {
            return reads(noVector(tag), 0);
        }

        @Override
        public Values reads(Tag<?> tag, int axis) {
            requireBinding(tag);
            Tag<?> bound = its.bound(tag, its.ghostsRead(), "reads");
            Values values = new Values(field(reads, bound, axis), its.ghostsRead(grid, bound));
            all.add(values);
            return values;
        }

        @Override
        public Results computes(Tag<?> tag) {
            return computes(noVector(tag), 0);
        }

        @Override
        public Results computes(Tag<?> tag, int axis) {
            requireBinding(tag);
            Tag<?> bound = its.bound(tag, its.ghostsComputed(), "computes");
            Results results = new Results(field(computes, bound, axis), its.ghostsComputed(bound));
            all.add(results);
            return results;
        }

        /** Values that are bound later have no place in memory: the task has looked up the places of the others. */
        private void requireBinding(Tag<?> tag) {
            if (isBound) {
                throw new IllegalStateException(its.name() + " binds \"" + tag + "\" after bind(...) has returned: bind"
                        + " all fields there, and keep their values for the work");
            }
        }

        private GridField field(Map<Tag<?>, List<GridField>> fields, Tag<?> tag, int axis) {
            if (axis < 0 || axis >= grid.dimensions()) {
                throw new IllegalArgumentException("a grid of " + grid + " has no axis " + axis);
            }
            List<GridField> components = fields.getOrDefault(tag, List.of());
            return components.get(tag.isVector() ? axis : 0);
        }

        private Tag<?> noVector(Tag<?> tag) {
            if (tag.isVector()) {
                throw new IllegalArgumentException("\"" + tag + "\" is a vector of " + grid.dimensions()
                        + " fields: bind each, with its axis as second argument");
            }
            return tag;
        }

        @Override
        public DoubleSupplier parameter(String name) {
            its.requireParameter(name);
            int index = parameters.indexOf(name);
            return () -> numbers[index];
        }

        @Override
        public OperatorDatabase.Loop operator(OperatorDatabase.Signature<?, ?> type) {
            OperatorDatabase.Signature<?, ?> exact = type.on(grid.type());
            return BoundOperator.of(fields, exact, fields.operators().implementation(exact, ExecutionTarget.HOST));
        }

        @Override
        public Grid grid() {
            return grid;
        }

        // ---- runs

        @Override
        public void parallel(Range points, Part part) throws Exception {
            TaskContext context = now();
            Parts its = parts(points, part);
            if (its.ranges.length == 1) {
                part.compute(points);
            } else {
                context.parallelFor(0, its.ranges.length, 1, its);
            }
        }

        /** Returns the parts of a loop, which are made once if each run has the same work for the same points. */
        private Parts parts(Range points, Part part) {
            for (int i = 0; i < known.size(); i++) { // an iterator would be garbage of each run
                Parts its = known.get(i);
                if (its.part == part && its.points.equals(points)) {
                    return its;
                }
            }
            Parts its = new Parts(points, part);
            if (known.size() < MOST_KNOWN) {
                known.add(its);
            }
            return its;
        }

        @Override
        public boolean cancelled() {
            return now().cancelled();
        }
    }
}
