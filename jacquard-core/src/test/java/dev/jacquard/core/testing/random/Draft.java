package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Course;
import dev.jacquard.core.testing.random.Job.Fate;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Made;
import dev.jacquard.core.testing.random.Job.Manner;
import dev.jacquard.core.testing.random.Job.Ties;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.core.testing.random.Job.Where.Main;
import dev.jacquard.core.testing.random.Store.Aligned;
import dev.jacquard.core.testing.random.Store.Home;
import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws the program of a seed: the environment, then stores, then tasks one by one, each from dice of its own. */
final class Draft {
    private static final int FEWEST = 4;
    private static final int MOST = 36;
    private static final int MOST_STORES = 6;
    private static final int MOST_COLUMNS = 8;
    private static final int MOST_ROWS = 4;
    private static final int MOST_NESTED = 2;
    private static final int MOST_SPAWNING = 2;
    /** Beyond so many no job gets others inside; a hundred are reserved for each. */
    private static final int MOST_IDS = 50;

    private final long seed;
    private final Dice dice;
    private final boolean dense;
    private final Setting setting;
    private final List<Store> stores = new ArrayList<>();
    private final Touches touches;
    /** How its components end early. */
    private final Composition.Ending.How ending;

    private int id;
    /** How many jobs around the next one submit it. */
    private int spawning;

    Draft(long seed, Set<Feature> enabled, Set<Feature> always) {
        this.seed = seed;
        this.dice = dice(seed, enabled, always);
        this.dense = Dense.is(dice);
        this.setting = Setting.draw(dice);
        this.ending = Setting.drawn(dice, Feature.COMPONENTS)
                ? Composer.ending(dice.of(Feature.COMPONENTS).at(4))
                : Composition.Ending.How.NONE;
        this.touches = new Touches(stores, rate(Feature.AREAS), rate(Feature.ADDS));
    }

    /** Programs that are played use less than others. */
    private static Dice dice(long seed, Set<Feature> enabled, Set<Feature> always) {
        Dice dice = new Dice(seed, enabled, always);
        if (!dice.enabled(Feature.PLAYED)) {
            return dice;
        }
        Set<Feature> features = EnumSet.copyOf(enabled);
        if (!Played.allows(always)) {
            features.remove(Feature.PLAYED);
        } else if (Setting.drawn(dice, Feature.PLAYED)) {
            features = Played.without(enabled);
        }
        return new Dice(seed, features, always);
    }

    /** How often the program uses a feature; 0 when it does not. */
    private double rate(Feature feature) {
        double much = dice.of(feature).at(2).share();
        return Setting.drawn(dice, feature) ? feature.most * (0.2 + 0.8 * much) : 0;
    }

    private boolean wants(Dice its, Feature feature) {
        return its.of(feature).at(3).chance(rate(feature));
    }

    Program program() {
        int count = dense ? Dense.stores(dice.at(1)) : 1 + dice.at(1).below(MOST_STORES);
        count += mayHold() ? dice.of(Feature.HELD_VIEWS).at(4).below(MOST_STORES) : 0;
        for (int i = 0; i < count; i++) {
            stores.add(store(i, dice.at(10 + i)));
        }
        touches.share();
        int size = dense
                ? Dense.size(dice.at(2))
                : FEWEST + dice.at(2).below(dice.at(3).chance(0.5) ? MOST / 3 : MOST);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            id = 100 * i;
            jobs.add(top(dice.at(100 + i), jobs));
        }
        addCancel(jobs);
        addLate(jobs);
        Composition composition = compose(jobs);
        addLast(jobs, size);
        return new Program(seed, setting, List.copyOf(stores), List.copyOf(jobs), composition);
    }

    private @Nullable Composition compose(List<Job> jobs) {
        Program program = new Program(seed, setting, stores, jobs, null);
        return Setting.drawn(dice, Feature.COMPONENTS)
                ? Composer.draw(program, dice.of(Feature.COMPONENTS).at(5), ending)
                : null;
    }

    private Store store(int number, Dice its) {
        boolean lock = its.of(Feature.UNORDERED).chance(0.3) && Setting.drawn(dice, Feature.UNORDERED);
        boolean data = !lock
                && (dense ? Dense.isData(its) : its.of(Feature.DATA).chance(0.6))
                && Setting.drawn(dice, Feature.DATA);
        int rows = its.chance(0.6) ? 1 : 1 + its.below(MOST_ROWS);
        int columns = 1 + its.below(MOST_COLUMNS);
        int parent = -1;
        if (!lock && !data && number > 0 && its.of(Feature.PARTS).chance(rate(Feature.PARTS))) {
            int above = its.of(Feature.PARTS).at(1).below(number);
            parent = stores.get(above).kind() == Store.Kind.HANDLE ? above : -1;
        }
        Box shape = shape(its, rows, columns);
        Store twin = data ? twin(its) : null;
        if (twin != null) {
            shape = twin.shape();
        }
        boolean roomy = data && twin == null && isRoomy(its);
        if (roomy) {
            shape = roomy(its.of(Feature.FORMULAS).at(2));
        }
        boolean gap = data && shape.dimensions() == 2 && wants(its, Feature.GAPS);
        Type type = twin != null || roomy ? Type.DOUBLE : data ? its.one(Type.values()) : Type.LONG;
        boolean mine = mayHold() && its.of(Feature.HELD_VIEWS).chance(0.7); // which takes room
        Home home = mine ? Home.ENGINE : its.one(Home.values());
        boolean aligned = data && home == Home.ENGINE && wants(its, Feature.ALIGNED);
        return new Store(
                number,
                lock && its.of(Feature.UNORDERED).at(1).chance(0.5)
                        ? Store.Kind.GUARDED
                        : lock ? Store.Kind.LOCK : data ? Store.Kind.DATA : Store.Kind.HANDLE,
                type,
                shape,
                parent,
                home,
                gap && !aligned ? 1 + its.of(Feature.GAPS).below(3) : 0,
                parent >= 0 ? stores.get(parent).kinds() : kinds(its),
                aligned ? aligned(its.of(Feature.ALIGNED), shape) : null);
    }

    /** Returns data of the shape that a store is to have, for formulas; null for any shape. */
    private @Nullable Store twin(Dice its) {
        if (!Setting.drawn(dice, Feature.FORMULAS) || its.of(Feature.FORMULAS).chance(0.2)) {
            return null;
        }
        return stores.stream()
                .filter(store -> store.isData() && store.type() == Type.DOUBLE)
                .findFirst()
                .orElse(null);
    }

    private boolean isRoomy(Dice its) {
        return Setting.drawn(dice, Feature.FORMULAS)
                && its.of(Feature.FORMULAS).at(1).chance(0.6);
    }

    /** Returns a shape in one to three dimensions, with cells between one or two layers of ghosts along each. */
    private static Box roomy(Dice its) {
        long[] extents = new long[1 + its.below(3)];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = 3L + its.at(i + 1).below(5);
        }
        return Box.whole(extents);
    }

    private static Aligned aligned(Dice its, Box shape) {
        int row = (int) shape.extent(shape.dimensions() - 1);
        return new Aligned(its.below((row + 1) / 2), its.below(3));
    }

    /** Some planes of the rows and columns, seldom. */
    private Box shape(Dice its, int rows, int columns) {
        if (wants(its, Feature.SOLID)) {
            Dice solid = its.of(Feature.SOLID);
            return Box.whole(2 + solid.below(MOST_ROWS - 1), rows, Math.min(columns, MOST_ROWS));
        }
        return rows == 1 ? Box.whole(columns) : Box.whole(rows, columns);
    }

    private Kinds kinds(Dice its) {
        return wants(its, Feature.KINDS) ? its.of(Feature.KINDS).one(Kinds.values()) : Kinds.MODES;
    }

    // ---- tasks of the graphs

    private Job top(Dice its, List<Job> before) {
        Job held = before.isEmpty() || !before.getLast().manner().held() ? null : before.getLast();
        if (held != null && its.of(Feature.HELD_VIEWS).at(1).chance(0.6)) {
            List<Touch> beside =
                    touches.beside(held.touches(), its.of(Feature.HELD_VIEWS).at(2));
            if (!beside.isEmpty()) {
                return apart(Job.of(id++, 0, 0, beside, Kind.COMPILED_RUN), its);
            }
        }
        int its0 = id++;
        Kind kind = kind(its);
        List<Touch> declared = touches.draw(its.at(1));
        boolean second =
                Setting.drawn(dice, Feature.CANCEL) && its.of(Feature.CANCEL).chance(0.4);
        int submitter = its.of(Feature.SUBMITTERS).below(setting.submitters());
        Ties ties = ties(its, before);
        Job job = Job.of(its0, submitter, second ? 1 : 0, declared, kind)
                .with(where(its, kind))
                .with(ties)
                .withPause(pause(its));
        return complete(fitting(job, its), its, 2);
    }

    private int pause(Dice its) {
        if (dense) {
            return Dense.pause(its);
        }
        int pick = its.at(4).below(20);
        return pick < 12 ? 0 : pick < 19 ? its.at(4).at(1).below(500) : 10_000;
    }

    /** Where bodies submit, only what has one task of its own has a known place in the order. */
    private Kind kind(Dice its) {
        if (dense && Dense.isKernel(its)) {
            return Kind.KERNEL;
        }
        Kind kind = anyKind(its);
        return !setting.listens()
                ? kind
                : switch (kind) {
                    case COMPILED_RUN, COMPILED_START -> Kind.COMPILED;
                    case PREFETCH, RELEASE, ANEW -> Kind.BODY;
                    default -> kind;
                };
    }

    private Kind anyKind(Dice its) {
        Dice kinds = its.at(2);
        if (wants(its, Feature.COMPILED)) {
            boolean started = wants(its, Feature.STARTED);
            return kinds.chance(0.7) ? started ? Kind.COMPILED_START : Kind.COMPILED_RUN : Kind.COMPILED;
        }
        if (wants(its, Feature.FETCH)) {
            return Kind.FETCH;
        }
        if (wants(its, Feature.PREFETCH) && kinds.at(1).chance(0.5)) {
            return Kind.PREFETCH;
        }
        if (wants(its, Feature.RELEASE) && kinds.at(2).chance(0.5)) {
            return Kind.RELEASE;
        }
        if (mayHold() && wants(its, Feature.HELD_VIEWS)) {
            return Kind.VIEW;
        }
        if (wants(its, Feature.LOOKS)) {
            return kinds.chance(0.5) ? Kind.LOOK : Kind.VIEW;
        }
        if (wants(its, Feature.ANEW)) {
            return Kind.ANEW;
        }
        if (wants(its, Feature.DRIVER)) {
            return Kind.DRIVER;
        }
        if (wants(its, Feature.ASYNC)) {
            return Kind.ASYNC;
        }
        if (wants(its, Feature.FORMULAS)) {
            return Kind.FORMULA;
        }
        if (wants(its, Feature.KERNELS)) {
            return kinds.chance(0.8) ? Kind.KERNEL : Kind.PLAIN_KERNEL;
        }
        return kinds.chance(0.3) ? Kind.CALL : Kind.BODY;
    }

    private Where where(Dice its, Kind kind) {
        if (dense && kind == Kind.KERNEL) {
            return new Where(Dense.target(dice, its), Main.NO);
        }
        Dice places = its.of(Feature.TARGETS).at(1);
        Main main = Main.NO;
        if (wants(its, Feature.MAIN)
                && kind != Kind.PREFETCH
                && kind != Kind.RELEASE
                && kind != Kind.FETCH
                && kind != Kind.ANEW
                && kind != Kind.FORMULA
                && kind != Kind.COMPILED_RUN
                && kind != Kind.COMPILED_START) {
            main = its.of(Feature.MAIN).chance(0.5) ? Main.BEFORE : Main.AFTER;
        }
        if (!wants(its, Feature.TARGETS)) {
            boolean strict = kind == Kind.KERNEL && main == Main.NO && setting.emulated() > 0;
            return new Where(strict && wants(its, Feature.STRICT) ? Where.DEVICES : Where.ANYWHERE, main);
        }
        int target = Where.HOST;
        boolean isAnywhere = kind == Kind.KERNEL || kind == Kind.FORMULA;
        if (isAnywhere && main == Main.NO && places.chance(0.7)) {
            target = places.below(8); // modulo the devices there are, when it is submitted
        } else if (kind.hasBody() && main == Main.NO && places.chance(0.6) && setting.others() > 0) {
            target = Where.OTHERS;
        }
        return new Where(target, main);
    }

    private Ties ties(Dice its, List<Job> before) {
        Dice edges = its.of(Feature.EDGES);
        Set<Integer> after = new HashSet<>();
        int tag = 0;
        int afterTag = 0;
        int priority = 0;
        if (wants(its, Feature.EDGES)) {
            for (int i = edges.below(3); i > 0 && !before.isEmpty(); i--) {
                after.add(before.get(edges.below(before.size())).id());
            }
            tag = edges.chance(0.4) ? 1 + edges.below(3) : 0;
            afterTag = edges.chance(0.4) ? 1 + edges.below(3) : 0;
            priority = edges.below(5) - 2;
        }
        return new Ties(Set.copyOf(after), tag, afterTag, wants(its, Feature.BARRIERS), priority);
    }

    /** Ties of a sub-task to those before it. Tags belong to the task around them, so each has some of its own. */
    private Ties innerTies(Job parent, List<Job> before, Dice one) {
        boolean barrier = wants(one, Feature.BARRIERS);
        Dice edges = one.of(Feature.EDGES).at(7);
        if (!wants(one, Feature.EDGES)) {
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

    /** The touches that its kind allows. */
    private Job fitting(Job job, Dice its) {
        Dice fit = its.at(5);
        List<Touch> fits = new ArrayList<>(job.touches());
        switch (job.kind()) {
            case KERNEL -> {
                fits = touches.ofData(fits);
                if (fits.isEmpty()) {
                    return onHost(job.with(job.touches(), Kind.PLAIN_KERNEL));
                }
            }
            case FORMULA -> {
                Kind which = formula(its);
                fits = touches.ofFormula(its.of(Feature.FORMULAS).at(1), which);
                if (fits.isEmpty()) {
                    return onHost(job.with(job.touches(), Kind.BODY));
                }
                return which == Kind.GHOSTS ? onHost(job.with(fits, which)) : job.with(fits, which);
            }
            case PREFETCH -> {
                fits = touches.ofData(fits);
                if (fits.isEmpty()) {
                    return job.with(job.touches(), Kind.BODY);
                }
                fits = List.of(new Touch(
                        fits.getFirst().store(), How.READ, fits.getFirst().span()));
            }
            case RELEASE -> {
                List<Store> all = stores.stream()
                        .filter(store -> store.isData() && store.home() == Home.ENGINE)
                        .toList();
                if (all.isEmpty()) {
                    return job.with(job.touches(), Kind.BODY);
                }
                fits = List.of(new Touch(all.get(fit.below(all.size())).number(), How.WRITE, null));
                return Job.of(job.id(), job.submitter(), 0, fits, Kind.RELEASE);
            }
            case FETCH -> {
                fits = touches.ofData(fits).stream()
                        .filter(touch -> stores.get(touch.store()).home() != Home.ENGINE)
                        .map(touch -> new Touch(touch.store(), How.READ, touch.span()))
                        .limit(1)
                        .toList();
                return fits.isEmpty()
                        ? job.with(job.touches(), Kind.BODY)
                        : Job.of(job.id(), job.submitter(), 0, fits, Kind.FETCH);
            }
            case ANEW -> {
                fits = touches.ofData(fits);
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
                fits = touches.simple(fits);
                if (fits.isEmpty()) {
                    return job.with(job.touches(), Kind.LOOK);
                }
            }
            case COMPILED, COMPILED_RUN, COMPILED_START -> {
                fits = touches.recordable(fits);
                if (fits.stream().noneMatch(touch -> touch.how() == How.UPDATE)) {
                    return job.with(job.touches(), Kind.BODY);
                }
            }
            default -> {}
        }
        return job.with(fits, job.kind());
    }

    private static Kind formula(Dice its) {
        return its.of(Feature.FORMULAS).at(4).one(new Kind[] {Kind.FORMULA, Kind.STENCIL, Kind.GHOSTS});
    }

    private static Job onHost(Job job) {
        return job.where().target() < 0 && job.where().target() != Where.DEVICES
                ? job
                : job.with(new Where(Where.HOST, job.where().main()));
    }

    /** With all that belongs to its body, and its end. */
    private Job complete(Job job, Dice its, int depth) {
        if (job.isCompiled()) {
            return compiled(job, its);
        }
        boolean plain = job.kind() == Kind.BODY || job.kind() == Kind.CALL || job.kind() == Kind.PLAIN_KERNEL;
        List<Touch> declared = job.touches();
        List<Touch> early = List.of();
        List<Job> inside = List.of();
        boolean adjusted = plain && depth > 0 && wants(its, Feature.PENDING);
        if (adjusted) {
            declared = Touches.withoutOverwriting(declared);
            Dice pending = its.of(Feature.PENDING);
            early = pending.chance(0.5) ? touches.demotions(declared, pending.at(1), 2) : List.of();
            if (early.isEmpty() || pending.chance(0.4)) {
                inside = subs(job, Job.demoted(declared, early), pending.at(2), depth);
            }
        }
        List<Touch> left = Job.demoted(declared, early);
        List<Touch> demotions = List.of();
        List<Job> subs = List.of();
        if ((job.kind() == Kind.DRIVER || job.kind() == Kind.ASYNC) && wants(its, Feature.YIELD)) {
            demotions = touches.demotions(left, its.of(Feature.YIELD).at(1), 3);
        }
        if (plain && job.kind() != Kind.PLAIN_KERNEL && inside.isEmpty()) {
            if (wants(its, Feature.DEMOTE)) {
                List<Touch> others =
                        Touches.without(left, early); // the body may be faster than who gives up from outside
                demotions = touches.demotions(others, its.of(Feature.DEMOTE).at(1), 3);
            }
            if (depth > 0 && wants(its, Feature.REFINE)) {
                subs = subs(
                        job,
                        Job.demoted(left, demotions),
                        its.of(Feature.REFINE).at(1),
                        depth);
            }
        }
        boolean split = !subs.isEmpty() || !inside.isEmpty();
        boolean untouched = !split && demotions.isEmpty() && !adjusted;
        Fate fate = fate(job, its, untouched, untouched && depth == 2);
        boolean tied = !isByHand(job.kind()) && job.kind() != Kind.PREFETCH; // those are submitted without
        Ties ties = tied ? job.ties() : Ties.NONE;
        if (fate.retries() > 0) {
            declared = touches.restorable(declared);
        }
        Course course = new Course(
                early,
                inside,
                demotions,
                its.of(Feature.DEMOTE).at(2).chance(0.5),
                subs,
                !subs.isEmpty() && its.of(Feature.REFINE).at(2).chance(0.4),
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
        boolean hints = wants(its, Feature.HINTS);
        Dice hint = its.of(Feature.HINTS).at(1);
        return new Manner(
                hints && hint.chance(0.7) ? hint.below(10) : -1,
                hints && hint.chance(0.5) ? 1 + hint.below(2) : 0,
                wants(its, Feature.STAGES),
                bodies && wants(its, Feature.LOOPS),
                plain && (bodies || kind == Kind.ASYNC) && wants(its, Feature.INTERRUPTS),
                mayGroup(its),
                kind == Kind.KERNEL && wants(its, Feature.NAMES),
                (bodies || kind == Kind.DRIVER) && wants(its, Feature.OWN_SESSIONS),
                kind == Kind.DRIVER && wants(its, Feature.WITHIN),
                kind == Kind.VIEW && mayHold());
    }

    /** True if views are held: nothing but accesses makes what is submitted wait for one, and who submits for that. */
    private boolean mayHold() {
        return setting.submitters() == 1
                && setting.edges() == 0
                && setting.windows()[0] == 0
                && setting.windows()[1] == 0
                && !Setting.drawn(dice, Feature.SPAWN)
                && !Setting.drawn(dice, Feature.COMPONENTS)
                && Setting.drawn(dice, Feature.HELD_VIEWS);
    }

    /** Groups are for one thread at a time. */
    private boolean mayGroup(Dice its) {
        return !setting.racing() && wants(its, Feature.GROUPS);
    }

    /** Draws how a job ends; one that is tried again needs whole handles, which sub-tasks may not have. */
    private Fate fate(Job job, Dice its, boolean untouched, boolean restorable) {
        Kind kind = job.kind();
        boolean mayFail = kind != Kind.PREFETCH && !kind.isFormula() && kind != Kind.RELEASE && !isByHand(kind);
        boolean fails = mayFail && wants(its, Feature.FAILURES);
        boolean again = restorable && (kind.hasBody() || kind == Kind.DRIVER || kind == Kind.ASYNC);
        int retries = again && wants(its, Feature.RETRIES)
                ? 1 + its.of(Feature.RETRIES).at(1).below(2)
                : 0;
        if (kind == Kind.KERNEL) { // which fails always, or when its device does, or does not compile it
            retries = restorable && !touches.restorable(job.touches()).isEmpty() && wants(its, Feature.STRICT)
                    ? 1 + its.of(Feature.STRICT).at(1).below(2)
                    : 0;
            boolean uncompiled = wants(its, Feature.UNCOMPILED);
            return new Fate(fails ? retries + 1 : uncompiled ? retries : 0, retries, false, uncompiled);
        }
        int failures = fails ? 1 + its.of(Feature.FAILURES).at(1).below(2) : retries > 0 ? 1 : 0;
        boolean limit = untouched
                && ending == Composition.Ending.How.NONE // interrupts are for components then
                && job.graph() == 0
                && (kind == Kind.BODY || kind == Kind.DRIVER)
                && wants(its, Feature.LIMITS);
        return new Fate(failures, retries, limit, false);
    }

    private static boolean isByHand(Kind kind) {
        return kind == Kind.VIEW || kind == Kind.FETCH || kind == Kind.ANEW;
    }

    private List<Job> subs(Job parent, List<Touch> allowed, Dice its, int depth) {
        List<Job> subs = new ArrayList<>();
        for (int i = its.below(dense && depth == 2 ? 8 : 4); i >= 0; i--) {
            Dice one = its.at(i + 20);
            int number = id++;
            List<Touch> mine = touches.within(allowed, one.at(1), false);
            Kind kind = innerKind(mine, one);
            Job sub = Job.of(number, parent.submitter(), parent.graph(), mine, kind)
                    .with(where(one, kind))
                    .with(innerTies(parent, subs, one))
                    .withPause(pause(one));
            subs.add(complete(sub, one, depth - 1));
        }
        return List.copyOf(subs);
    }

    /** The tasks that its body submits; without a listener to things of their own, as the order is not known then. */
    private List<Job> spawned(Job job, Dice its) {
        boolean submits = job.kind().hasBody() || job.kind() == Kind.DRIVER || job.kind() == Kind.ASYNC;
        if (!submits || spawning == MOST_SPAWNING || id % 100 > MOST_IDS || !wants(its, Feature.SPAWN)) {
            return List.of();
        }
        spawning++;
        Dice dice = its.of(Feature.SPAWN).at(5);
        int pen = setting.listens() ? -1 : pen(dice);
        List<Job> all = new ArrayList<>();
        for (int i = dice.below(3); i >= 0; i--) {
            Dice one = dice.at(20 + i);
            int number = id++;
            List<Touch> mine = pen < 0 ? touches.draw(one.at(1)) : List.of(inPen(pen, one.at(1)));
            if (setting.frees() && setting.checking()) { // which asks what became of a task that is refused
                mine = mine.stream()
                        .filter(touch -> !stores.get(touch.store()).isData())
                        .toList();
            }
            boolean second = Setting.drawn(dice, Feature.CANCEL) && one.chance(0.4);
            Kind kind = innerKind(mine, one);
            Job sub = Job.of(number, job.submitter(), second ? 1 : 0, mine, kind)
                    .with(where(one, kind))
                    .with(new Ties(Set.of(), 0, 0, wants(one, Feature.BARRIERS), 0))
                    .withPause(pause(one));
            all.add(complete(sub, one, 1));
        }
        spawning--;
        return List.copyOf(all);
    }

    private int pen(Dice dice) {
        boolean data = dice.at(6).chance(0.5) && Setting.drawn(this.dice, Feature.DATA);
        Store pen = new Store(
                stores.size(),
                data ? Store.Kind.DATA : Store.Kind.HANDLE,
                Type.LONG,
                Box.whole(1 + dice.at(7).below(MOST_COLUMNS)),
                -1,
                Home.ARRAY,
                0,
                Kinds.MODES);
        stores.add(pen);
        return pen.number();
    }

    private static Touch inPen(int pen, Dice dice) {
        return new Touch(pen, dice.chance(0.3) ? How.READ : How.UPDATE, null);
    }

    private Kind innerKind(List<Touch> mine, Dice one) {
        if ((dense ? Dense.isKernel(one) : wants(one, Feature.KERNELS))
                && !mine.isEmpty()
                && touches.ofData(mine).equals(mine)) {
            return Kind.KERNEL;
        }
        if (wants(one, Feature.DRIVER)) {
            return Kind.DRIVER;
        }
        return wants(one, Feature.ASYNC) ? Kind.ASYNC : Kind.BODY;
    }

    /** The tasks of a recorded graph; it declares just what they do. */
    private Job compiled(Job job, Dice its) {
        List<Job> inner = frozen(job, job.touches(), its.of(Feature.COMPILED), MOST_NESTED);
        int graph = job.isRun() ? 0 : job.graph();
        return Job.of(job.id(), job.submitter(), graph, declared(inner), job.kind())
                .with(Course.of(inner))
                .with(made(inner, its, 1))
                .with(mannerOfRun(job, its));
    }

    /** A recorded graph with tasks for each of its touches, so that it needs more room than any of them. */
    private Job apart(Job job, Dice its) {
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
        boolean alone = job.kind() == Kind.COMPILED_RUN && wants(its, Feature.ALONE);
        boolean grouped = !job.isRun() && mayGroup(its);
        return new Manner(-1, alone ? 1 : 0, false, false, wants(its, cancelled), grouped, false, false, false, false);
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
        boolean bodies = jobs.stream().noneMatch(Draft::hasKernel);
        int limit = wants(its, Feature.TASK_LIMITS)
                ? 1 + its.of(Feature.TASK_LIMITS).below(3)
                : 0;
        return new Made(bodies && wants(its, Feature.BUILT), uses, 1, limit);
    }

    private static boolean hasKernel(Job job) {
        return job.kind() == Kind.KERNEL
                || job.kind().isFormula()
                || (job.kind() != Kind.GRAPH && job.subs().stream().anyMatch(Draft::hasKernel));
    }

    /** Tasks of which the last one touches all that {@code allowed} says. */
    private List<Job> frozen(Job job, List<Touch> allowed, Dice its, int depth) {
        List<Job> inner = new ArrayList<>();
        for (int i = its.at(1).below(4); i >= 0; i--) {
            Dice one = its.at(20 + i);
            List<Touch> mine = i == 0 ? allowed : touches.within(allowed, one, true);
            int number = id++;
            boolean mayHold = i > 0 && depth > 0 && !mine.isEmpty() && id % 100 < MOST_IDS;
            if (mayHold && wants(one, Feature.NESTED)) {
                inner.add(nested(job, number, mine, one, depth));
            } else if (mayHold && wants(one, Feature.DECISIONS)) {
                inner.add(choice(job, number, mine, one));
            } else {
                inner.add(recorded(job, number, mine, one, i == 0));
            }
        }
        if (wants(its, Feature.DECISIONS)) {
            List<Touch> read = reading(allowed);
            int passes = 2 + its.of(Feature.DECISIONS).at(7).below(2);
            inner.add(Job.of(id++, job.submitter(), job.graph(), read, Kind.REPEAT)
                    .with(new Made(false, 1, passes, 0)));
        }
        return inner;
    }

    private Job recorded(Job job, int number, List<Touch> mine, Dice one, boolean isLast) {
        boolean data = !mine.isEmpty() && touches.ofData(mine).equals(mine);
        Kind which = formula(one);
        List<Touch> formula = !isLast && wants(one, Feature.FORMULAS)
                ? touches.ofFormula(one.of(Feature.FORMULAS).at(1), which)
                : List.of();
        if (!formula.isEmpty()) {
            return Job.of(number, job.submitter(), job.graph(), formula, which);
        }
        Kind kind = data && wants(one, Feature.KERNELS) ? Kind.KERNEL : Kind.BODY;
        Fate fate = new Fate(
                wants(one, Feature.FAILURES) ? 1 : 0, 0, false, kind == Kind.KERNEL && wants(one, Feature.UNCOMPILED));
        return Job.of(number, job.submitter(), job.graph(), mine, kind)
                .with(fate)
                .withPause(pause(one));
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
            int branch = id++;
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

    // ---- what stands at certain places

    private void addCancel(List<Job> jobs) {
        Dice cancel = dice.of(Feature.CANCEL).at(4);
        if (Setting.drawn(dice, Feature.CANCEL) && cancel.chance(0.7)) {
            jobs.add(cancel.below(jobs.size() + 1), Job.of(1_000_000, 0, 0, List.of(), Kind.CANCEL));
        }
    }

    /**
     * Adds a task that comes behind another one, which is submitted later and so must need nothing that stands behind
     * the first.
     */
    private void addLate(List<Job> jobs) {
        boolean waits = Setting.drawn(dice, Feature.BARRIERS) || Setting.drawn(dice, Feature.WINDOW);
        boolean mayBeLeftOut = ending != Composition.Ending.How.NONE;
        if (waits || mayBeLeftOut || !Setting.drawn(dice, Feature.LATE_TAGS)) {
            return;
        }
        Dice late = dice.of(Feature.LATE_TAGS).at(4);
        int at = late.below(jobs.size() + 1);
        int pen = pen(late);
        jobs.add(
                at,
                Job.of(1_000_100, 0, 0, List.of(inPen(pen, late)), Kind.BODY)
                        .with(new Ties(Set.of(), 0, Ties.LATE, false, 0)));
        Job last = Job.of(1_000_200, 0, 0, touches.draw(late.at(1)), Kind.BODY)
                .with(new Ties(Set.of(), Ties.LATE, 0, false, 0))
                .withPause(pause(late));
        jobs.add(
                at + 1 + late.below(jobs.size() - at),
                last.with(new Fate(wants(late, Feature.FAILURES) ? 1 : 0, 0, false, false)));
    }

    /** Adds a last job for each store in the engine's memory, which reads it into a handle. */
    private void addLast(List<Job> jobs, int size) {
        int number = 100 * size;
        for (Store store : List.copyOf(stores)) {
            if (store.isData() && store.home() == Home.ENGINE) {
                Store seen = new Store(
                        stores.size(),
                        Store.Kind.HANDLE,
                        Type.LONG,
                        Box.whole(1 + store.cells() % 3),
                        -1,
                        Home.ARRAY,
                        0,
                        Kinds.MODES);
                stores.add(seen);
                List<Touch> both =
                        List.of(new Touch(store.number(), How.READ, null), new Touch(seen.number(), How.WRITE, null));
                jobs.add(Job.of(number, 0, 0, both, Kind.BODY));
                number += 100;
            }
        }
    }
}
