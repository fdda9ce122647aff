package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.core.testing.random.Job.Where.Main;
import dev.jacquard.core.testing.random.Store.Home;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The program of a seed as far as it is drawn, and what all its tasks are drawn with. Confined to one thread. */
final class Drawing {
    static final int MOST_COLUMNS = 8;
    /** The number of ids beyond which a job gets no others inside, of the hundred that each has. */
    private static final int MOST_IDS = 50;

    final Dice dice;
    final boolean dense;
    final Setting setting;
    final List<Store> stores = new ArrayList<>();
    final Touches touches;
    /** How its components, or its stream, end early. */
    final Composition.Ending.How ending;

    /** The id of the next job. */
    private int id;

    Drawing(long seed, Set<Feature> enabled, Set<Feature> always) {
        this.dice = dice(seed, enabled, always);
        this.dense = Dense.is(dice);
        this.setting = Setting.draw(dice);
        this.ending = has(Feature.COMPONENTS)
                ? Composer.ending(dice.of(Feature.COMPONENTS).at(4))
                : has(Feature.STREAMS)
                        ? StreamDraft.ending(dice.of(Feature.STREAMS).at(4))
                        : Composition.Ending.How.NONE;
        this.touches = new Touches(stores, rate(Feature.AREAS), rate(Feature.ADDS));
    }

    /** Begins the ids of the {@code number}th job of the graphs. */
    void begin(int number) {
        id = 100 * number;
    }

    int next() {
        return id++;
    }

    /** True if a job may get others inside. */
    boolean hasRoom() {
        return id % 100 < MOST_IDS;
    }

    /** True if the program uses a feature. */
    boolean has(Feature feature) {
        return Setting.drawn(dice, feature);
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
    double rate(Feature feature) {
        double much = dice.of(feature).at(2).share();
        return has(feature) ? feature.most * (0.2 + 0.8 * much) : 0;
    }

    boolean wants(Dice its, Feature feature) {
        return its.of(feature).at(3).chance(rate(feature));
    }

    /** True if views are held: nothing but accesses makes what is submitted wait for one, and who submits for that. */
    boolean mayHold() {
        return setting.submitters() == 1
                && setting.edges() == 0
                && setting.windows()[0] == 0
                && setting.windows()[1] == 0
                && !has(Feature.SPAWN)
                && !Setting.isComposed(dice)
                && has(Feature.HELD_VIEWS);
    }

    /** Groups are for one thread at a time. */
    boolean mayGroup(Dice its) {
        return !setting.racing() && wants(its, Feature.GROUPS);
    }

    int pause(Dice its) {
        if (dense) {
            return Dense.pause(its);
        }
        int pick = its.at(4).below(20);
        return pick < 12 ? 0 : pick < 19 ? its.at(4).at(1).below(500) : 10_000;
    }

    Where where(Dice its, Kind kind) {
        Where drawn = drawn(its, kind);
        boolean isForDevices = drawn.target() >= 0 || drawn.target() == Where.DEVICES;
        return isForDevices && setting.small() > 0 ? new Where(Where.ANYWHERE, drawn.main()) : drawn;
    }

    private Where drawn(Dice its, Kind kind) {
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

    static Kind formula(Dice its) {
        return its.of(Feature.FORMULAS).at(4).one(new Kind[] {Kind.FORMULA, Kind.STENCIL, Kind.GHOSTS});
    }

    /** Returns whether a job is a tree; its temporaries need room, its accesses are those of the engine. */
    boolean isTree(Job job, Dice its) {
        return (job.kind() == Kind.FORMULA || job.kind() == Kind.STENCIL)
                && job.where().target() < 0
                && job.where().target() != Where.OTHERS
                && !setting.tight()
                && job.touches().stream()
                        .allMatch(touch -> stores.get(touch.store()).kinds() == Kinds.MODES)
                && wants(its, Feature.TREES);
    }

    /**
     * Returns whether a job is a macro task, whose item has the parts of data of the job. Copies of items are not
     * compared, so that damage would stay.
     */
    boolean isPipeline(Job job, Dice its) {
        return job.kind() == Kind.KERNEL
                && !job.where().isMain()
                && (job.where().target() == Where.ANYWHERE
                        || (job.where().target() == Where.DEVICES && !setting.hasFaults() && !setting.tight()))
                && job.touches().stream()
                        .allMatch(touch ->
                                (touch.how() == How.READ || touch.how() == How.UPDATE || touch.how() == How.WRITE)
                                        && stores.get(touch.store()).kinds() == Kinds.MODES)
                && !setting.faults().rates().containsKey(FaultPlan.Kind.CORRUPTION)
                && !wants(its, Feature.NAMES)
                && !wants(its, Feature.BY_NAME)
                && wants(its, Feature.PIPELINES);
    }

    int pen(Dice dice) {
        boolean data = dice.at(6).chance(0.5) && has(Feature.DATA);
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

    static Touch inPen(int pen, Dice dice) {
        return new Touch(pen, dice.chance(0.3) ? How.READ : How.UPDATE, null);
    }
}
