package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.OverlapRule;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.DeclaredAccesses;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes compiled graphs, with those inside of them: records them, or builds them edge by edge. Threads: submitters. */
final class Freezer {
    private final Program program;
    private final Session session;
    private final World world;
    private final Bodies bodies;
    private final Function<Job, Seen> seen;
    private final BiConsumer<TaskBuilder, Seen> kernels;
    private final BiConsumer<Tasks, Job> trees;
    private final Queue<CompiledGraph> made = new ConcurrentLinkedQueue<>();

    /** {@code kernels} submits tasks that have a kernel, or a formula, and {@code trees} the loops of a tree. */
    Freezer(
            Program program,
            Session session,
            World world,
            Bodies bodies,
            Function<Job, Seen> seen,
            BiConsumer<TaskBuilder, Seen> kernels,
            BiConsumer<Tasks, Job> trees) {
        this.program = program;
        this.session = session;
        this.world = world;
        this.bodies = bodies;
        this.seen = seen;
        this.kernels = kernels;
        this.trees = trees;
    }

    private String name(Job job) {
        return program.name(job);
    }

    /** All graphs so far, with those inside of others. Any thread. */
    List<CompiledGraph> made() {
        return List.copyOf(made);
    }

    CompiledGraph freeze(Job job) {
        return freeze(job, false, new ArrayList<>());
    }

    /** Likewise; adds the graphs inside to {@code parts}. */
    CompiledGraph freeze(Job job, List<CompiledGraph> parts) {
        return freeze(job, false, parts);
    }

    /** {@code queues} if it, or some graph around it, is a task twice, perhaps at the same time. */
    CompiledGraph freeze(Job job, boolean queues, List<CompiledGraph> parts) {
        boolean often = queues || job.made().uses() > 1;
        CompiledGraph graph = job.made().built()
                ? new Building(job, often, parts).build()
                : session.record(name(job), recorder -> {
                    recorder.whenBusy(often ? OverlapRule.QUEUE : OverlapRule.REFUSE);
                    schedule(job, recorder::scheduler);
                    record(recorder, job.subs(), often, parts);
                });
        made.add(graph);
        int limit = job.made().limit();
        if (limit > 0) {
            graph.threads(limit, limit);
            graph.measure(limit > 1);
        }
        return graph;
    }

    /** Gives some graphs schedules of their own. */
    private static void schedule(Job job, Consumer<Scheduler> to) {
        switch (job.id() / 100 % 5) {
            case 1 -> to.accept(Scheduler.PRIORITY);
            case 2 -> to.accept(Scheduler.TOPOLOGICAL);
            case 3 -> to.accept(Scheduler.of(Policies.named("fifo")));
            default -> {}
        }
    }

    // ---- recorded

    private void record(Recorder recorder, List<Job> jobs, boolean queues, List<CompiledGraph> parts) {
        for (Job job : jobs) {
            Seen its = seen.apply(job);
            if (job.manner().tree()) {
                trees.accept(recorder, job);
                continue;
            }
            switch (job.kind()) {
                case GRAPH -> {
                    CompiledGraph inner = freeze(job, queues, parts);
                    parts.add(inner);
                    for (int i = job.made().uses(); i > 0; i--) {
                        recorder.graph(name(job), inner);
                    }
                }
                case CHOICE -> {
                    Recorder.Branches branches = recorder.choose(
                            name(job),
                            task -> declare(task, job),
                            branches(job),
                            context -> bodies.choose(its, context));
                    for (int i = 0; i < job.subs().size(); i++) {
                        List<Job> inner = job.subs().get(i).subs();
                        branches.in(i, inside -> record(inside, inner, queues, parts));
                    }
                }
                case REPEAT ->
                    recorder.repeatWhile(name(job), task -> declare(task, job), context -> bodies.again(its, context));
                case KERNEL, FORMULA, STENCIL, GHOSTS -> {
                    prefetch(recorder, job);
                    TaskBuilder task = recorder.task(name(job));
                    declare(task, job);
                    kernels.accept(task, its);
                }
                default -> {
                    prefetch(recorder, job);
                    TaskBuilder task = recorder.task(name(job));
                    declare(task, job);
                    task.run(body(its));
                    widen(recorder, job);
                }
            }
        }
    }

    private void widen(Recorder recorder, Job behind) {
        Wide wide = Wide.behind(program, behind);
        for (int i = 0; wide != null && i < wide.count(); i++) {
            TaskBuilder task = recorder.task("beside");
            wide.read().forEach(touch -> task.accesses(world.resource(touch.store()), world.access(touch)));
            task.run(context -> bodies.beside(seen.apply(wide.run()), wide.read(), context));
        }
    }

    /** Brings what some tasks read to a device before them, or to the host, if nothing can go wrong there. */
    private void prefetch(Recorder recorder, Job job) {
        if (job.id() / 100 % 4 != 1 || program.setting().hasFaults()) {
            return;
        }
        for (Touch touch : job.touches()) {
            if (touch.how() == How.READ
                    && Parts.isBuiltIn(world.access(touch)) // a box: the prefetch reads no more than the task
                    && world.resource(touch.store()) instanceof Data data) {
                List<ExecutionTarget> devices = session.devices(ExecutionTarget.EMULATED);
                ExecutionTarget to = devices.isEmpty() || job.id() / 100 % 8 == 1
                        ? ExecutionTarget.HOST
                        : devices.get(job.id() % devices.size());
                try {
                    (touch.isWhole() ? recorder.prefetch(data) : recorder.prefetch(world.view(touch))).to(to);
                } catch (IllegalArgumentException e) {
                    return; // has no room there, whatever goes
                }
            }
        }
    }

    /** A body that looks up its data, in some tasks once, and again only when that has moved. */
    private TaskBody body(Seen its) {
        List<Touch> touches = its.job.touches();
        BindingBody binding = context -> {
            List<Operand> operands = world.operands(touches, context);
            return run -> bodies.recorded(its, operands);
        };
        return its.job.id() / 100 % 3 > 0 ? binding : context -> bodies.recorded(its, world.operands(touches, context));
    }

    private void declare(TaskBuilder task, Job job) {
        job.touches().forEach(touch -> task.accesses(world.resource(touch.store()), world.access(touch)));
    }

    /** How many branches there are to choose from. */
    static int branches(Job choice) {
        return Math.max(1, choice.subs().size());
    }

    // ---- built

    /** A graph for which all edges are said: between tasks that conflict. */
    private final class Building {
        private final Job whole;
        private final boolean queues;
        private final List<CompiledGraph> parts;
        private final CompiledGraphBuilder builder;
        private final List<List<Touch>> added = new ArrayList<>();

        Building(Job whole, boolean queues, List<CompiledGraph> parts) {
            this.parts = parts;
            this.queues = queues;
            this.whole = whole;
            this.builder = session.compile(name(whole));
        }

        CompiledGraph build() {
            builder.whenBusy(queues ? OverlapRule.QUEUE : OverlapRule.REFUSE);
            schedule(whole, builder::scheduler);
            if (whole.id() / 100 % 2 == 0) {
                builder.onFailure(FailurePolicy.STOP);
            }
            whole.subs().forEach(job -> add(job, -1, 0));
            return builder.build();
        }

        private void add(Job job, int chooser, int branch) {
            Seen its = seen.apply(job);
            Consumer<DeclaredAccesses> accesses = declared -> declare(declared, job);
            switch (job.kind()) {
                case GRAPH -> {
                    CompiledGraph inner = freeze(job, queues, parts);
                    parts.add(inner);
                    for (int i = job.made().uses(); i > 0; i--) {
                        tie(builder.graph(name(job), inner, accesses), job, chooser, branch);
                    }
                }
                case CHOICE -> {
                    int number =
                            builder.choose(name(job), branches(job), context -> bodies.choose(its, context), accesses);
                    tie(number, job, chooser, branch);
                    for (int i = 0; i < job.subs().size(); i++) {
                        for (Job inner : job.subs().get(i).subs()) {
                            add(inner, number, i);
                        }
                    }
                }
                case REPEAT ->
                    tie(
                            builder.repeatWhile(name(job), context -> bodies.again(its, context), accesses),
                            job,
                            chooser,
                            branch);
                default -> {
                    tie(builder.task(name(job), body(its), accesses), job, chooser, branch);
                    widen(job);
                }
            }
        }

        private void widen(Job behind) {
            Wide wide = Wide.behind(program, behind);
            for (int i = 0; wide != null && i < wide.count(); i++) {
                Job reader = wide.run().with(wide.read(), Job.Kind.BODY);
                int number = builder.task(
                        "beside",
                        context -> bodies.beside(seen.apply(wide.run()), wide.read(), context),
                        declared -> declare(declared, reader));
                tie(number, reader, -1, 0);
            }
        }

        private void declare(DeclaredAccesses declared, Job job) {
            for (Touch touch : job.touches()) {
                declared.accesses(world.resource(touch.store()), world.access(touch));
            }
        }

        /** Adds the edges from those before it. */
        private void tie(int number, Job job, int chooser, int branch) {
            if (chooser >= 0) {
                builder.guard(chooser, branch, number);
            }
            for (int earlier = 0; earlier < added.size(); earlier++) {
                boolean conflicts = false;
                boolean carries = false;
                for (Touch before : added.get(earlier)) {
                    for (Touch touch : job.touches()) {
                        if (program.meet(before, touch) && touch.how().conflicts(before.how())) {
                            conflicts = true;
                            carries |= before.how().writes() && touch.how().reads();
                        }
                    }
                }
                if (conflicts) {
                    builder.edge(earlier, number, carries);
                }
            }
            added.add(job.touches());
        }
    }
}
