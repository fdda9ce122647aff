package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Fate;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Made;
import dev.jacquard.core.testing.random.Job.Manner;
import java.util.ArrayList;
import java.util.List;

/** Draws recorded graphs: their tasks, branches, and the graphs within. */
final class GraphDraft {
    private static final int MOST_NESTED = 2;

    private final Drawing drawing;

    GraphDraft(Drawing drawing) {
        this.drawing = drawing;
    }

    /** The tasks of a recorded graph; it declares just what they do. */
    Job compiled(Job job, Dice its) {
        List<Job> inner = frozen(job, job.touches(), its.of(Feature.COMPILED), MOST_NESTED);
        int graph = job.isRun() ? 0 : job.graph();
        return Job.of(job.id(), job.submitter(), graph, declared(inner), job.kind())
                .with(Course.of(inner))
                .with(made(inner, its, 1))
                .with(mannerOfRun(job, its));
    }

    /** A recorded graph with tasks for each of its touches, so that it needs more room than any of them. */
    Job apart(Job job, Dice its) {
        List<Job> inner = new ArrayList<>();
        for (Touch touch : job.touches()) {
            frozen(job, List.of(touch), its.of(Feature.COMPILED).at(touch.store()), 0).stream()
                    .filter(each -> each.kind() != Kind.REPEAT)
                    .forEach(inner::add);
        }
        return job.with(declared(inner), job.kind()).with(Course.of(inner)).with(made(inner, its, 1));
    }

    private Manner mannerOfRun(Job job, Dice its) {
        Feature cancelled = job.kind() == Kind.COMPILED_START ? Feature.CANCELLED_RUNS : Feature.CANCELLED_TASKS;
        boolean alone = job.kind() == Kind.COMPILED_RUN && drawing.wants(its, Feature.ALONE);
        boolean grouped = !job.isRun() && drawing.mayGroup(its);
        return new Manner(
                -1,
                alone ? 1 : 0,
                false,
                false,
                drawing.wants(its, cancelled),
                grouped,
                false,
                false,
                false,
                false,
                false,
                false,
                false);
    }

    /** Returns the touches of all tasks, in turn; one of a branch, which may be skipped, overwrites nothing. */
    private static List<Touch> declared(List<Job> jobs) {
        List<Touch> all = new ArrayList<>();
        for (Job job : jobs) {
            switch (job.kind()) {
                case GRAPH -> all.addAll(declared(job.subs()));
                case BRANCH -> all.addAll(Touches.withoutOverwriting(declared(job.subs())));
                default -> {
                    all.addAll(job.touches());
                    all.addAll(declared(job.subs()));
                }
            }
        }
        return all;
    }

    /** Kernels on devices can only be recorded. */
    private Made made(List<Job> jobs, Dice its, int uses) {
        boolean bodies = jobs.stream().noneMatch(GraphDraft::hasKernel);
        int limit = drawing.wants(its, Feature.TASK_LIMITS)
                ? 1 + its.of(Feature.TASK_LIMITS).below(3)
                : 0;
        return new Made(bodies && drawing.wants(its, Feature.BUILT), uses, 1, limit);
    }

    private static boolean hasKernel(Job job) {
        return job.kind() == Kind.KERNEL
                || job.kind().isFormula()
                || (job.kind() != Kind.GRAPH && job.subs().stream().anyMatch(GraphDraft::hasKernel));
    }

    /** Tasks of which the last one touches all that {@code allowed} says. */
    private List<Job> frozen(Job job, List<Touch> allowed, Dice its, int depth) {
        List<Job> inner = new ArrayList<>();
        for (int i = its.at(1).below(4); i >= 0; i--) {
            Dice one = its.at(20 + i);
            List<Touch> mine = i == 0 ? allowed : drawing.touches.within(allowed, one, true);
            int number = drawing.next();
            boolean mayHold = i > 0 && depth > 0 && !mine.isEmpty() && drawing.hasRoom();
            if (mayHold && drawing.wants(one, Feature.NESTED)) {
                inner.add(nested(job, number, mine, one, depth));
            } else if (mayHold && drawing.wants(one, Feature.DECISIONS)) {
                inner.add(choice(job, number, mine, one));
            } else {
                inner.add(recorded(job, number, mine, one, i == 0));
            }
        }
        if (drawing.wants(its, Feature.DECISIONS)) {
            List<Touch> read = reading(allowed);
            int passes = 2 + its.of(Feature.DECISIONS).at(7).below(2);
            inner.add(Job.of(drawing.next(), job.submitter(), job.graph(), read, Kind.REPEAT)
                    .with(new Made(false, 1, passes, 0)));
        }
        return inner;
    }

    private Job recorded(Job job, int number, List<Touch> mine, Dice one, boolean isLast) {
        boolean data = !mine.isEmpty() && drawing.touches.ofData(mine).equals(mine);
        Kind which = Drawing.formula(one);
        List<Touch> formula = !isLast && drawing.wants(one, Feature.FORMULAS)
                ? drawing.touches.ofFormula(one.of(Feature.FORMULAS).at(1), which)
                : List.of();
        if (!formula.isEmpty()) {
            Job loop = Job.of(number, job.submitter(), job.graph(), formula, which);
            return drawing.isTree(loop, one) ? loop.with(Manner.TREE) : loop;
        }
        Kind kind = data && drawing.wants(one, Feature.KERNELS) ? Kind.KERNEL : Kind.BODY;
        Fate fate = new Fate(
                drawing.wants(one, Feature.FAILURES) ? 1 : 0,
                0,
                false,
                kind == Kind.KERNEL && drawing.wants(one, Feature.UNCOMPILED));
        return Job.of(number, job.submitter(), job.graph(), mine, kind)
                .with(fate)
                .withPause(drawing.pause(one));
    }

    private Job nested(Job job, int number, List<Touch> mine, Dice one, int depth) {
        Dice dice = one.of(Feature.NESTED);
        List<Job> inner = frozen(job, mine, dice, depth - 1);
        int uses = dice.at(2).chance(0.3) ? 2 : 1;
        return Job.of(number, job.submitter(), job.graph(), declared(inner), Kind.GRAPH)
                .with(Course.of(inner))
                .with(made(inner, dice, uses));
    }

    private Job choice(Job job, int number, List<Touch> mine, Dice one) {
        Dice dice = one.of(Feature.DECISIONS);
        List<Job> branches = new ArrayList<>();
        for (int i = 1 + dice.below(3); i > 0; i--) {
            int branch = drawing.next();
            List<Job> inner = dice.at(i).chance(0.8) ? frozen(job, mine, dice.at(10 + i), 0) : List.of();
            inner = inner.stream().filter(each -> each.kind() != Kind.REPEAT).toList();
            branches.add(Job.of(branch, job.submitter(), job.graph(), List.of(), Kind.BRANCH)
                    .with(Course.of(inner)));
        }
        return Job.of(number, job.submitter(), job.graph(), reading(mine), Kind.CHOICE)
                .with(Course.of(branches));
    }

    /** The first of {@code all} that says what is there, as an access that reads it. */
    private static List<Touch> reading(List<Touch> all) {
        return all.stream()
                .filter(touch -> touch.how().looks())
                .limit(1)
                .map(touch -> new Touch(touch.store(), How.READ, touch.span()))
                .toList();
    }
}
