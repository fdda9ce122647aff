package dev.jacquard.core.testing.random;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Draws what tasks touch. */
final class Touches {
    private static final List<How> LEFT = List.of(How.READ, How.ADD, How.NONE);

    private final List<Store> stores;
    /** How many stores all tasks may touch; others are few tasks' own. */
    private int shared;

    private final double areas;
    private final double adds;

    Touches(List<Store> stores, double areas, double adds) {
        this.stores = stores;
        this.areas = areas;
        this.adds = adds;
    }

    /** All stores are there that any task may touch. */
    void share() {
        shared = stores.size();
    }

    List<Touch> draw(Dice dice) {
        List<Touch> all = new ArrayList<>();
        for (int i = dice.below(3); i >= 0; i--) {
            Dice one = dice.at(i);
            Store store = stores.get(one.below(shared));
            if (all.stream().anyMatch(touch -> isRelated(touch.store(), store.number()))) {
                continue;
            }
            Span span = one.at(1).chance(areas) ? store.all().within(one.at(2)) : null;
            How how = how(one.at(3), store);
            Touch touch = new Touch(store.number(), how, span);
            if (span != null
                    && (how == How.UPDATE || how == How.WRITE)
                    && one.at(4).chance(0.3)) {
                Touch halo = new Touch(store.number(), How.READ, span.halo());
                boolean last = one.at(5).chance(0.7); // which it declares first makes no difference
                all.add(last ? touch : halo);
                all.add(last ? halo : touch);
            } else {
                all.add(touch);
            }
        }
        return List.copyOf(all);
    }

    /** Returns touches of all data that {@code held} has nothing to do with. */
    List<Touch> beside(List<Touch> held, Dice dice) {
        return stores.stream()
                .filter(store -> store.isData()
                        && store.number() < shared
                        && held.stream().noneMatch(touch -> touch.store() == store.number()))
                .map(store -> new Touch(store.number(), dice.chance(0.3) ? How.READ : How.UPDATE, null))
                .toList();
    }

    private How how(Dice dice, Store store) {
        if (store.kind().isUnordered()) {
            return store.kind() == Store.Kind.GUARDED && dice.at(4).chance(0.2) ? How.RENEWED : How.LOCKED;
        }
        if (dice.at(1).chance(adds)) {
            return store.isData() || dice.at(2).chance(0.7) ? How.ADD : How.MUL;
        }
        int pick = dice.below(20);
        return pick < 8 ? How.READ : pick < 16 || updates(store) ? How.UPDATE : How.WRITE;
    }

    /** Data keeps what a kind of the user's does not write, and so must be there. */
    private static boolean updates(Store store) {
        return store.isData() && store.kinds() != Kinds.MODES;
    }

    private boolean isRelated(int one, int other) {
        return one == other || isWithin(one, other) || isWithin(other, one);
    }

    private boolean isWithin(int store, int whole) {
        for (int above = stores.get(store).parent();
                above >= 0;
                above = stores.get(above).parent()) {
            if (above == whole) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns what a formula reads, and last what it sets; nothing where no two stores are of one shape, or none has
     * room for ghosts.
     */
    List<Touch> ofFormula(Dice its, Job.Kind kind) {
        boolean ghosts = kind != Job.Kind.FORMULA;
        List<Store> all =
                stores.stream().filter(store -> mayHaveFormula(store, ghosts)).toList();
        if (all.isEmpty()) {
            return List.of();
        }
        Store target = all.get(its.below(all.size()));
        if (kind == Job.Kind.GHOSTS) {
            return List.of(new Touch(target.number(), How.UPDATE, null));
        }
        List<Store> others = all.stream()
                .filter(store -> !store.equals(target) && store.shape().equals(target.shape()))
                .toList();
        if (others.isEmpty()) {
            return List.of();
        }
        int first = its.at(1).below(others.size());
        Touch one = new Touch(others.get(first).number(), How.READ, null);
        if (its.at(2).chance(0.5)) {
            return List.of(one, new Touch(target.number(), How.UPDATE, null));
        }
        Touch set = new Touch(target.number(), How.WRITE, null);
        int second = its.at(3).below(others.size());
        return first == second
                ? List.of(one, set)
                : List.of(one, new Touch(others.get(second).number(), How.READ, null), set);
    }

    /** Loops begin rows on boundaries behind the ghosts, where memory has them. */
    private static boolean mayHaveFormula(Store store, boolean ghosts) {
        Store.Aligned aligned = store.aligned();
        return store.isData()
                && store.type() == Type.DOUBLE
                && (!ghosts || Formulas.hasInside(store.shape()))
                && (aligned == null || aligned.first() == (ghosts ? 1 : 0));
    }

    /** Those of data, each store once. A kernel gets the box of an access, which some cells are not. */
    List<Touch> ofData(List<Touch> all) {
        List<Touch> data = new ArrayList<>();
        for (Touch touch : all) {
            if (isBox(touch)
                    && touch.how() != How.NONE
                    && data.stream().noneMatch(known -> known.store() == touch.store())) {
                data.add(touch);
            }
        }
        return data;
    }

    /** Of data, and a box of it. */
    private boolean isBox(Touch touch) {
        Store store = stores.get(touch.store());
        return store.isData() && (touch.isWhole() || store.kinds() != Kinds.CELLS);
    }

    /** Those that user code can hold. */
    List<Touch> simple(List<Touch> all) {
        return all.stream()
                .filter(touch -> touch.how() == How.READ || touch.how() == How.UPDATE || touch.how() == How.WRITE)
                .filter(touch -> touch.isWhole() || isBox(touch))
                .toList();
    }

    /** Those that recorded tasks may have: not under locks, and not overwriting. */
    List<Touch> recordable(List<Touch> all) {
        return withoutOverwriting(all).stream()
                .filter(touch -> !touch.how().isUnordered())
                .toList();
    }

    /** In the order in which a task has them, whatever it declares first. */
    static List<Touch> readsFirst(List<Touch> all) {
        return Stream.concat(
                        all.stream().filter(touch -> touch.how() != How.WRITE),
                        all.stream().filter(touch -> touch.how() == How.WRITE))
                .toList();
    }

    static List<Touch> withoutOverwriting(List<Touch> all) {
        return all.stream()
                .map(touch -> touch.how() == How.WRITE ? new Touch(touch.store(), How.UPDATE, touch.span()) : touch)
                .toList();
    }

    /** Those that a task can have that is tried again. */
    List<Touch> restorable(List<Touch> all) {
        List<Touch> fits = new ArrayList<>();
        for (Touch touch : all) {
            Store store = stores.get(touch.store());
            boolean known = fits.stream().anyMatch(other -> other.store() == touch.store());
            boolean part = !store.isData() && !touch.isWhole() && touch.how() != How.READ;
            boolean strange = store.kinds() == Kinds.TABLE
                    || (store.isData() && store.kinds() == Kinds.CELLS && !touch.isWhole());
            boolean own = strange && touch.how() != How.READ; // of the engine's kinds it knows copies
            if (known || own || touch.how().isUnordered() || touch.how() == How.ADD || touch.how() == How.MUL) {
                continue;
            }
            fits.add(part ? new Touch(touch.store(), touch.how(), null) : touch);
        }
        return List.copyOf(fits);
    }

    /** Demotions of some of {@code all}, each of a store that has one access only. */
    List<Touch> demotions(List<Touch> all, Dice dice, int most) {
        List<Touch> steps = new ArrayList<>();
        List<Touch> left = all;
        for (int i = dice.below(most); i >= 0 && !left.isEmpty(); i--) {
            Dice one = dice.at(i);
            Touch from = left.get(one.below(left.size()));
            if (from.how() == How.NONE
                    || from.how() == How.RENEWED
                    || left.stream()
                                    .filter(touch -> touch.store() == from.store())
                                    .count()
                            > 1) {
                continue;
            }
            Touch to = less(from, one.at(1));
            steps.add(to);
            left = Job.demoted(left, List.of(to));
        }
        return List.copyOf(steps);
    }

    /** Those of stores that {@code others} do not touch. */
    static List<Touch> without(List<Touch> all, List<Touch> others) {
        return all.stream()
                .filter(touch -> others.stream().noneMatch(other -> other.store() == touch.store()))
                .toList();
    }

    private Touch less(Touch from, Dice dice) {
        Store store = stores.get(from.store());
        boolean smaller = areas > 0 && dice.at(1).chance(0.5);
        Span its = from.span();
        Span span = smaller ? (its == null ? store.all() : its).within(dice.at(2)) : its;
        How how = from.how();
        if (how == How.UPDATE || how == How.WRITE) {
            if (!smaller || dice.at(3).chance(0.3)) {
                How other = LEFT.get(dice.at(4).below(LEFT.size()));
                how = other == How.ADD && adds == 0 ? How.READ : other;
            }
        } else if (how.isUnordered() || !smaller) {
            how = How.NONE;
        }
        return new Touch(from.store(), how, how == How.NONE ? null : span);
    }

    /** Touches that {@code allowed} covers. */
    List<Touch> within(List<Touch> allowed, Dice dice, boolean recorded) {
        List<Touch> all = new ArrayList<>();
        for (int i = dice.below(3); i >= 0 && !allowed.isEmpty(); i--) {
            Dice one = dice.at(i);
            Touch much = allowed.get(one.below(allowed.size()));
            if (much.how() == How.NONE || all.stream().anyMatch(touch -> isRelated(touch.store(), much.store()))) {
                continue;
            }
            int store = much.store();
            Span span = much.span();
            if (span == null && one.at(1).chance(0.5)) {
                int other = one.at(2).below(shared);
                store = isWithin(other, store) ? other : store;
            }
            if (one.at(3).chance(areas) && much.how() != How.RENEWED) {
                span = (span == null ? stores.get(store).all() : span).within(one.at(4));
            }
            How how = much.how();
            if (how == How.UPDATE || how == How.WRITE) {
                int pick = one.at(5).below(10);
                how = pick < 4 ? How.READ : pick < 8 || recorded || updates(stores.get(store)) ? How.UPDATE : How.WRITE;
                how = one.at(6).chance(adds) ? How.ADD : how;
            }
            all.add(new Touch(store, how, span));
        }
        return List.copyOf(all);
    }
}
