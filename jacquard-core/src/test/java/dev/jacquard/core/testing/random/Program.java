package dev.jacquard.core.testing.random;

import dev.jacquard.testkit.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program and where it runs. Immutable; drawn by {@link Draft}.
 *
 * @param composition the components, or the stream, that submit some of the jobs; null when there are none
 */
record Program(
        long seed,
        Setting setting,
        List<Store> stores,
        List<Job> jobs,
        @Nullable Composition composition) {
    static Program draw(long seed, Set<Feature> enabled) {
        return draw(seed, enabled, Set.of());
    }

    /** Draws the program of {@code seed}, which has all features of {@code always}, as far as it can. */
    static Program draw(long seed, Set<Feature> enabled, Set<Feature> always) {
        return new Draft(seed, enabled, always).program();
    }

    /** The name of the task of {@code job}; others are called so that listeners do not take them for jobs. */
    String name(Job job) {
        return (setting.within() ? "inside t" : "t") + job.id();
    }

    /** The schedule of the {@code number}th run, if it is played. */
    Choices schedule(int number) {
        return Choices.drawn(seed ^ Mix.mix(number));
    }

    /** All jobs, those inside of others too. */
    Stream<Job> all() {
        return jobs.stream().flatMap(Job::all);
    }

    Program without(Set<Integer> ids) {
        return new Program(seed, setting, stores, Job.without(jobs, ids), composition);
    }

    /**
     * Returns the bytes in which each task finds room for all data that it accesses. Not so the run of a compiled
     * graph: its tasks make do with the room for each.
     */
    long room() {
        return room(Store::bytes);
    }

    private long room(ToLongFunction<Store> bytes) {
        long most = stores.stream().mapToLong(bytes).max().orElse(0);
        return Math.max(1, Math.max(most, together(bytes, all().filter(job -> !job.holdsTasks()))));
    }

    /** Returns the bytes of all data that one of some tasks accesses, the one with most. */
    private long together(ToLongFunction<Store> bytes, Stream<Job> tasks) {
        return tasks.mapToLong(job -> job.touches().stream()
                        .mapToInt(Touch::store)
                        .distinct()
                        .mapToLong(store -> bytes.applyAsLong(stores.get(store)))
                        .sum())
                .max()
                .orElse(0);
    }

    /** Likewise on the host, with what a task keeps that is tried again. */
    long roomOnHost() {
        Stream<Job> repeated = all().filter(job -> job.fate().retries() > 0);
        long taken = composition != null && composition.form() instanceof Streams.Shape stream && stream.buffers() > 0
                ? Streams.Shape.BUFFER_BYTES
                : 0;
        return Math.max(
                Math.max(taken, room(Store::bytesOnHost)),
                2 * together(store -> Math.max(store.bytes(), store.bytesOnHost()), repeated));
    }

    /** Returns the bytes on the host in which each task finds room beside a view that its submitter holds. */
    long hostLimit() {
        return roomOnHost()
                + together(Store::bytesOnHost, all().filter(job -> job.manner().held()));
    }

    /** True if a view may be open while others are submitted. */
    boolean holdsViews() {
        return all().anyMatch(job -> job.manner().held());
    }

    /** True if no task fails and no graph is cancelled. */
    boolean isCalm() {
        return !setting.hasFaults()
                && !mayCancel()
                && (composition == null || !composition.mayStop())
                && all().noneMatch(Job::isCancelledRun)
                && all().noneMatch(job -> job.fate().fails());
    }

    /**
     * True if a submitter may wait until all that was submitted is over, with nothing coming meanwhile, and all ends
     * well.
     */
    boolean maySeeOthersOver() {
        return isCalm() && late() == null && !setting.racing();
    }

    /** The one that a task comes after which is submitted before; null when there is none. */
    @Nullable
    Job late() {
        return jobs.stream()
                .filter(job -> job.ties().tag() == Job.Ties.LATE)
                .findFirst()
                .orElse(null);
    }

    /** True if the graph of {@code job} may be cancelled, or the stream that it belongs to. */
    boolean mayCancel(Job job) {
        return setting.interrupted()
                || (job.graph() == 1 && mayCancel())
                || (composition != null && composition.mayCancel(job));
    }

    /** True if graph b may be cancelled. */
    boolean mayCancel() {
        return setting.interrupted()
                || setting.stops()
                || setting.deadline() > 0
                || jobs.stream().anyMatch(job -> job.kind() == Job.Kind.CANCEL);
    }

    /** True if {@code store} is a part of {@code whole}, or a part of a part. */
    boolean isWithin(int store, int whole) {
        for (int above = stores.get(store).parent();
                above >= 0;
                above = stores.get(above).parent()) {
            if (above == whole) {
                return true;
            }
        }
        return false;
    }

    boolean isRelated(int one, int other) {
        return one == other || isWithin(one, other) || isWithin(other, one);
    }

    Span span(Touch touch) {
        Span its = touch.span();
        return its == null ? stores.get(touch.store()).all() : its;
    }

    /** The touches, with those of the parts of stores that are touched as a whole. */
    List<Touch> expanded(List<Touch> touches) {
        List<Touch> all = new ArrayList<>();
        for (Touch touch : touches) {
            if (touch.how() == How.NONE) {
                continue;
            }
            all.add(touch);
            if (touch.isWhole()) {
                for (int part = touch.store() + 1; part < stores.size(); part++) {
                    if (isWithin(part, touch.store())) {
                        all.add(new Touch(part, touch.how(), null));
                    }
                }
            }
        }
        return all;
    }

    /** True if the two meet in some cell, or are of a whole and its part. */
    boolean meet(Touch one, Touch other) {
        return one.store() == other.store()
                ? span(one).intersects(span(other))
                : isWithin(one.store(), other.store()) || isWithin(other.store(), one.store());
    }

    /** True if an access that overwrites {@code much} leaves nothing of {@code little}. */
    boolean covers(Touch much, Touch little) {
        return much.store() == little.store()
                ? much.isWhole() || span(much).contains(span(little))
                : much.isWhole() && isWithin(little.store(), much.store());
    }

    /**
     * True if the engine may think otherwise: an area of a handle, of which it knows no bounds, counts for less than
     * the whole, even if it has all cells.
     */
    boolean coversInDoubt(Touch much, Touch little) {
        return !much.isWhole() && little.isWhole() && !stores.get(much.store()).isData();
    }

    String text() {
        return "seed " + seed + ": " + setting.text() + "\n"
                + stores.stream().map(store -> store.text() + "\n").collect(Collectors.joining())
                + jobs.stream().map(job -> job.text("")).collect(Collectors.joining())
                + (composition == null ? "" : composition.text());
    }
}
