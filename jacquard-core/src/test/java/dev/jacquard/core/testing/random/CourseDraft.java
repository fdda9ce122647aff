package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Fate;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Manner;
import dev.jacquard.core.testing.random.Job.Ties;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Draws what the bodies of jobs do, with the jobs inside, and how they end. */
final class CourseDraft {
    private static final int MOST_SPAWNING = 2;

    private final Drawing drawing;
    private final GraphDraft graphs;

    /** How many jobs around the next one submit it. */
    private int spawning;

    CourseDraft(Drawing drawing, GraphDraft graphs) {
        this.drawing = drawing;
        this.graphs = graphs;
    }

    /** With all that belongs to its body, and its end. */
    Job complete(Job job, Dice its, int depth) {
        if (job.isCompiled()) {
            return graphs.compiled(job, its);
        }
        boolean plain = job.kind() == Kind.BODY || job.kind() == Kind.CALL || job.kind() == Kind.PLAIN_KERNEL;
        List<Touch> declared = job.touches();
        List<Touch> early = List.of();
        List<Job> inside = List.of();
        boolean adjusted = plain && depth > 0 && drawing.wants(its, Feature.PENDING);
        if (adjusted) {
            declared = Touches.withoutOverwriting(declared);
            Dice pending = its.of(Feature.PENDING);
            early = pending.chance(0.5) ? drawing.touches.demotions(declared, pending.at(1), 2) : List.of();
            if (early.isEmpty() || pending.chance(0.4)) {
                inside = subs(job, Job.demoted(declared, early), pending.at(2), depth);
            }
        }
        List<Touch> left = Job.demoted(declared, early);
        List<Touch> demotions = List.of();
        List<Job> subs = List.of();
        if ((job.kind() == Kind.DRIVER || job.kind() == Kind.ASYNC) && drawing.wants(its, Feature.YIELD)) {
            demotions = drawing.touches.demotions(left, its.of(Feature.YIELD).at(1), 3);
        }
        if (plain && job.kind() != Kind.PLAIN_KERNEL && inside.isEmpty()) {
            if (drawing.wants(its, Feature.DEMOTE)) {
                List<Touch> others =
                        Touches.without(left, early); // the body may be faster than who gives up from outside
                demotions =
                        drawing.touches.demotions(others, its.of(Feature.DEMOTE).at(1), 3);
            }
            if (depth > 0 && drawing.wants(its, Feature.REFINE)) {
                subs = subs(
                        job,
                        Job.demoted(left, demotions),
                        its.of(Feature.REFINE).at(1),
                        depth);
            }
        }
        List<Touch> behind = List.of();
        if (!subs.isEmpty() && drawing.wants(its, Feature.BEHIND)) {
            List<Touch> others = Touches.without(Job.demoted(left, demotions), early);
            behind = drawing.touches.demotions(others, its.of(Feature.BEHIND).at(1), 3);
        }
        boolean afterwards = !subs.isEmpty() && its.of(Feature.REFINE).at(2).chance(0.4);
        List<Job> more = List.of();
        if (afterwards && depth == 2 && drawing.hasRoom() && drawing.wants(its, Feature.BEHIND)) {
            List<Touch> last = Job.demoted(Job.demoted(left, demotions), behind);
            more = subs(job, last, its.of(Feature.BEHIND).at(4), depth - 1);
        }
        boolean turned = !early.isEmpty() && !inside.isEmpty() && drawing.wants(its, Feature.BEHIND);
        boolean split = !subs.isEmpty() || !inside.isEmpty();
        boolean untouched = !split && demotions.isEmpty() && !adjusted;
        Fate fate = fate(job, its, untouched, untouched && depth == 2);
        boolean tied = !isByHand(job.kind()) && job.kind() != Kind.PREFETCH; // those are submitted without
        Ties ties = tied ? job.ties() : Ties.NONE;
        if (fate.retries() > 0) {
            declared = drawing.touches.restorable(declared);
        }
        Course course = new Course(
                early,
                inside,
                turned,
                demotions,
                its.of(Feature.DEMOTE).at(2).chance(0.5),
                subs,
                behind,
                afterwards,
                more,
                fate.retries() > 0 || fate.limit() ? List.of() : spawned(job, its));
        return job.with(declared, job.kind())
                .with(ties)
                .with(fate)
                .with(course)
                .with(manner(job, its, untouched && course.spawned().isEmpty()));
    }

    private Manner manner(Job job, Dice its, boolean plain) {
        Kind kind = job.kind();
        boolean bodies = kind == Kind.BODY || kind == Kind.CALL;
        boolean hints = drawing.wants(its, Feature.HINTS);
        Dice hint = its.of(Feature.HINTS).at(1);
        return new Manner(
                hints && hint.chance(0.7) ? hint.below(10) : -1,
                hints && hint.chance(0.5) ? 1 + hint.below(2) : 0,
                drawing.wants(its, Feature.STAGES),
                bodies && drawing.wants(its, Feature.LOOPS),
                plain && (bodies || kind == Kind.ASYNC) && drawing.wants(its, Feature.INTERRUPTS),
                drawing.mayGroup(its),
                kind == Kind.KERNEL && drawing.wants(its, Feature.NAMES),
                (bodies || kind == Kind.DRIVER) && drawing.wants(its, Feature.OWN_SESSIONS),
                kind == Kind.DRIVER && drawing.wants(its, Feature.WITHIN),
                kind == Kind.VIEW && drawing.mayHold(),
                drawing.isTree(job, its),
                kind == Kind.KERNEL && drawing.wants(its, Feature.BY_NAME),
                drawing.isPipeline(job, its));
    }

    /** Draws how a job ends; one that is tried again needs whole handles, which sub-tasks may not have. */
    private Fate fate(Job job, Dice its, boolean untouched, boolean restorable) {
        Kind kind = job.kind();
        boolean mayFail = kind != Kind.PREFETCH && !kind.isFormula() && kind != Kind.RELEASE && !isByHand(kind);
        boolean fails = mayFail && drawing.wants(its, Feature.FAILURES);
        boolean again = restorable && (kind.hasBody() || kind == Kind.DRIVER || kind == Kind.ASYNC);
        int retries = again && drawing.wants(its, Feature.RETRIES)
                ? 1 + its.of(Feature.RETRIES).at(1).below(2)
                : 0;
        if (kind == Kind.KERNEL) { // which fails always, or when its device does, or does not compile it
            retries = restorable
                            && !drawing.touches.restorable(job.touches()).isEmpty()
                            && drawing.wants(its, Feature.STRICT)
                    ? 1 + its.of(Feature.STRICT).at(1).below(2)
                    : 0;
            boolean uncompiled = drawing.wants(its, Feature.UNCOMPILED);
            return new Fate(fails ? retries + 1 : uncompiled ? retries : 0, retries, false, uncompiled);
        }
        int failures = fails ? 1 + its.of(Feature.FAILURES).at(1).below(2) : retries > 0 ? 1 : 0;
        boolean limit = untouched
                && drawing.ending == Composition.Ending.How.NONE // interrupts are for what submits then
                && job.graph() == 0
                && (kind == Kind.BODY || kind == Kind.DRIVER)
                && drawing.wants(its, Feature.LIMITS);
        return new Fate(failures, retries, limit, false);
    }

    private static boolean isByHand(Kind kind) {
        return kind == Kind.VIEW || kind == Kind.FETCH || kind == Kind.ANEW;
    }

    private List<Job> subs(Job parent, List<Touch> allowed, Dice its, int depth) {
        List<Job> subs = new ArrayList<>();
        for (int i = its.below(drawing.dense && depth == 2 ? 8 : 4); i >= 0; i--) {
            Dice one = its.at(i + 20);
            int number = drawing.next();
            List<Touch> mine = drawing.touches.within(allowed, one.at(1), false);
            Kind kind = innerKind(mine, one);
            Job sub = Job.of(number, parent.submitter(), parent.graph(), mine, kind)
                    .with(drawing.where(one, kind))
                    .with(innerTies(parent, subs, one))
                    .withPause(drawing.pause(one));
            subs.add(complete(sub, one, depth - 1));
        }
        return List.copyOf(subs);
    }

    /** Ties of a sub-task to those before it. Tags belong to the task around them, so each has some of its own. */
    private Ties innerTies(Job parent, List<Job> before, Dice one) {
        boolean barrier = drawing.wants(one, Feature.BARRIERS);
        Dice edges = one.of(Feature.EDGES).at(7);
        if (!drawing.wants(one, Feature.EDGES)) {
            return new Ties(Set.of(), 0, 0, barrier, 0);
        }
        Set<Integer> after = before.isEmpty() || edges.chance(0.4)
                ? Set.of()
                : Set.of(before.get(edges.below(before.size())).id());
        int first = 10 + 2 * parent.id(); // less is at the top
        int tag = edges.chance(0.4) ? first + edges.below(2) : 0;
        int afterTag = edges.chance(0.4) ? first + edges.below(2) : 0;
        return new Ties(after, tag, afterTag, barrier, edges.below(5) - 2);
    }

    /** The tasks that its body submits; without a listener to things of their own, as the order is not known then. */
    private List<Job> spawned(Job job, Dice its) {
        boolean submits = job.kind().hasBody() || job.kind() == Kind.DRIVER || job.kind() == Kind.ASYNC;
        if (!submits || spawning == MOST_SPAWNING || !drawing.hasRoom() || !drawing.wants(its, Feature.SPAWN)) {
            return List.of();
        }
        spawning++;
        Dice dice = its.of(Feature.SPAWN).at(5);
        int pen = drawing.setting.listens() ? -1 : drawing.pen(dice);
        List<Job> all = new ArrayList<>();
        for (int i = dice.below(3); i >= 0; i--) {
            Dice one = dice.at(20 + i);
            int number = drawing.next();
            List<Touch> mine = pen < 0 ? drawing.touches.draw(one.at(1)) : List.of(Drawing.inPen(pen, one.at(1)));
            if (drawing.setting.frees()
                    && drawing.setting.checking()) { // which asks what became of a task that is refused
                mine = mine.stream()
                        .filter(touch -> !drawing.stores.get(touch.store()).isData())
                        .toList();
            }
            boolean second = Setting.drawn(dice, Feature.CANCEL) && one.chance(0.4);
            Kind kind = innerKind(mine, one);
            Job sub = Job.of(number, job.submitter(), second ? 1 : 0, mine, kind)
                    .with(drawing.where(one, kind))
                    .with(new Ties(Set.of(), 0, 0, drawing.wants(one, Feature.BARRIERS), 0))
                    .withPause(drawing.pause(one));
            all.add(complete(sub, one, 1));
        }
        spawning--;
        return List.copyOf(all);
    }

    private Kind innerKind(List<Touch> mine, Dice one) {
        if ((drawing.dense ? Dense.isKernel(one) : drawing.wants(one, Feature.KERNELS))
                && !mine.isEmpty()
                && drawing.touches.ofData(mine).equals(mine)) {
            return Kind.KERNEL;
        }
        if (drawing.wants(one, Feature.DRIVER)) {
            return Kind.DRIVER;
        }
        return drawing.wants(one, Feature.ASYNC) ? Kind.ASYNC : Kind.BODY;
    }
}
