package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Ties;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.core.testing.random.Store.Home;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Draws the jobs of the graphs: what they touch, how and where they run, and what they come behind. */
final class TaskDraft {
    private final Drawing drawing;
    private final CourseDraft courses;
    private final GraphDraft graphs;

    TaskDraft(Drawing drawing) {
        this.drawing = drawing;
        this.graphs = new GraphDraft(drawing);
        this.courses = new CourseDraft(drawing, graphs);
    }

    /** Draws a job of the graphs, behind those {@code before}. */
    Job top(Dice its, List<Job> before) {
        Job held = before.isEmpty() || !before.getLast().manner().held() ? null : before.getLast();
        if (held != null && its.of(Feature.HELD_VIEWS).at(1).chance(0.6)) {
            List<Touch> beside = drawing.touches.beside(
                    held.touches(), its.of(Feature.HELD_VIEWS).at(2));
            if (!beside.isEmpty()) {
                return graphs.apart(Job.of(drawing.next(), 0, 0, beside, Kind.COMPILED_RUN), its);
            }
        }
        int its0 = drawing.next();
        Kind kind = kind(its);
        List<Touch> declared = drawing.touches.draw(its.at(1));
        boolean second = drawing.has(Feature.CANCEL) && its.of(Feature.CANCEL).chance(0.4);
        int submitter = its.of(Feature.SUBMITTERS).below(drawing.setting.submitters());
        Ties ties = ties(its, before);
        Job job = Job.of(its0, submitter, second ? 1 : 0, declared, kind)
                .with(drawing.where(its, kind))
                .with(ties)
                .withPause(drawing.pause(its));
        return courses.complete(fitting(job, its), its, 2);
    }

    /** Where bodies submit, only what has one task of its own has a known place in the order. */
    private Kind kind(Dice its) {
        if (drawing.dense && Dense.isKernel(its)) {
            return Kind.KERNEL;
        }
        Kind kind = anyKind(its);
        return !drawing.setting.listens()
                ? kind
                : switch (kind) {
                    case COMPILED_RUN, COMPILED_START -> Kind.COMPILED;
                    case PREFETCH, RELEASE, ANEW -> Kind.BODY;
                    default -> kind;
                };
    }

    private Kind anyKind(Dice its) {
        Dice kinds = its.at(2);
        if (drawing.wants(its, Feature.COMPILED)) {
            boolean started = drawing.wants(its, Feature.STARTED);
            return kinds.chance(0.7) ? started ? Kind.COMPILED_START : Kind.COMPILED_RUN : Kind.COMPILED;
        }
        if (drawing.wants(its, Feature.FETCH)) {
            return Kind.FETCH;
        }
        if (drawing.wants(its, Feature.PREFETCH) && kinds.at(1).chance(0.5)) {
            return Kind.PREFETCH;
        }
        if (drawing.wants(its, Feature.RELEASE) && kinds.at(2).chance(0.5)) {
            return Kind.RELEASE;
        }
        if (drawing.mayHold() && drawing.wants(its, Feature.HELD_VIEWS)) {
            return Kind.VIEW;
        }
        if (drawing.wants(its, Feature.LOOKS)) {
            return kinds.chance(0.5) ? Kind.LOOK : Kind.VIEW;
        }
        if (drawing.wants(its, Feature.ANEW)) {
            return Kind.ANEW;
        }
        if (drawing.wants(its, Feature.DRIVER)) {
            return Kind.DRIVER;
        }
        if (drawing.wants(its, Feature.ASYNC)) {
            return Kind.ASYNC;
        }
        if (drawing.wants(its, Feature.FORMULAS)) {
            return Kind.FORMULA;
        }
        if (drawing.wants(its, Feature.KERNELS)) {
            return kinds.chance(0.8) ? Kind.KERNEL : Kind.PLAIN_KERNEL;
        }
        return kinds.chance(0.3) ? Kind.CALL : Kind.BODY;
    }

    private Ties ties(Dice its, List<Job> before) {
        Dice edges = its.of(Feature.EDGES);
        Set<Integer> after = new HashSet<>();
        int tag = 0;
        int afterTag = 0;
        int priority = 0;
        if (drawing.wants(its, Feature.EDGES)) {
            for (int i = edges.below(3); i > 0 && !before.isEmpty(); i--) {
                after.add(before.get(edges.below(before.size())).id());
            }
            tag = edges.chance(0.4) ? 1 + edges.below(3) : 0;
            afterTag = edges.chance(0.4) ? 1 + edges.below(3) : 0;
            priority = edges.below(5) - 2;
        }
        return new Ties(Set.copyOf(after), tag, afterTag, drawing.wants(its, Feature.BARRIERS), priority);
    }

    /** The touches that its kind allows. */
    private Job fitting(Job job, Dice its) {
        Dice fit = its.at(5);
        List<Touch> fits = new ArrayList<>(job.touches());
        switch (job.kind()) {
            case KERNEL -> {
                fits = drawing.touches.ofData(fits);
                if (fits.isEmpty()) {
                    return onHost(job.with(job.touches(), Kind.PLAIN_KERNEL));
                }
            }
            case FORMULA -> {
                Kind which = Drawing.formula(its);
                fits = drawing.touches.ofFormula(its.of(Feature.FORMULAS).at(1), which);
                if (fits.isEmpty()) {
                    return onHost(job.with(job.touches(), Kind.BODY));
                }
                return job.with(fits, which);
            }
            case PREFETCH -> {
                fits = drawing.touches.ofData(fits);
                if (fits.isEmpty()) {
                    return job.with(job.touches(), Kind.BODY);
                }
                fits = List.of(new Touch(
                        fits.getFirst().store(), How.READ, fits.getFirst().span()));
            }
            case RELEASE -> {
                List<Store> all = drawing.stores.stream()
                        .filter(store -> store.isData() && store.home() == Home.ENGINE)
                        .toList();
                if (all.isEmpty()) {
                    return job.with(job.touches(), Kind.BODY);
                }
                fits = List.of(new Touch(all.get(fit.below(all.size())).number(), How.WRITE, null));
                return Job.of(job.id(), job.submitter(), 0, fits, Kind.RELEASE);
            }
            case FETCH -> {
                fits = drawing.touches.ofData(fits).stream()
                        .filter(touch -> drawing.stores.get(touch.store()).home() != Home.ENGINE)
                        .map(touch -> new Touch(touch.store(), How.READ, touch.span()))
                        .limit(1)
                        .toList();
                return fits.isEmpty()
                        ? job.with(job.touches(), Kind.BODY)
                        : Job.of(job.id(), job.submitter(), 0, fits, Kind.FETCH);
            }
            case ANEW -> {
                fits = drawing.touches.ofData(fits);
                return fits.isEmpty()
                        ? job.with(job.touches(), Kind.BODY)
                        : Job.of(
                                job.id(),
                                job.submitter(),
                                0,
                                List.of(new Touch(fits.getFirst().store(), How.WRITE, null)),
                                Kind.ANEW);
            }
            case VIEW -> {
                fits = drawing.touches.simple(fits);
                if (fits.isEmpty()) {
                    return job.with(job.touches(), Kind.LOOK);
                }
            }
            case COMPILED, COMPILED_RUN, COMPILED_START -> {
                fits = drawing.touches.recordable(fits);
                if (fits.stream().noneMatch(touch -> touch.how() == How.UPDATE)) {
                    return job.with(job.touches(), Kind.BODY);
                }
            }
            default -> {}
        }
        return job.with(fits, job.kind());
    }

    private static Job onHost(Job job) {
        return job.where().target() < 0 && job.where().target() != Where.DEVICES
                ? job
                : job.with(new Where(Where.HOST, job.where().main()));
    }
}
