package dev.jacquard.engine.model;

import dev.jacquard.base.machine.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times that earlier sessions have kept in a file, and the merge of this session's into it.
 *
 * <p>Threads: any. The file is read once, under the monitor of this object; the merge is done by the thread that closes
 * the session.
 */
final class KeptTimes {
    private static final System.Logger LOG = System.getLogger(TimeFile.class.getName());
    /** No file: nothing is known and nothing is kept. */
    static final KeptTimes NONE = new KeptTimes(null, Map.of());
    /** The replaced times that a report lists. */
    private static final int LISTED = 3;

    private final @Nullable TimeFile file;
    /** The models of the targets, by the number of the place. */
    private final Map<Integer, String> targets;
    /** By name; null before the file is read. Written once, under the monitor; volatile for readers without it. */
    private volatile @Nullable Map<String, List<TimeFile.Entry>> entries;

    KeptTimes(@Nullable TimeFile file, Map<Place, String> targets) {
        this.file = file;
        Map<Integer, String> all = new HashMap<>();
        targets.forEach((place, model) -> all.put(place.number(), model));
        this.targets = Map.copyOf(all);
        this.entries = file == null ? Map.of() : null;
    }

    boolean isKept() {
        return file != null;
    }

    /** Returns the model of the target with that number. */
    String target(int place) {
        return targets.getOrDefault(place, place < Place.FIRST_NUMBER ? TimeFile.HOST : "place " + place);
    }

    /** Returns new entries for all places that begin with the kept times of a name. */
    List<LearnedTime> of(String name) {
        Map<String, List<TimeFile.Entry>> all = entries;
        List<TimeFile.Entry> its = (all == null ? read() : all).getOrDefault(name, List.of());
        if (its.isEmpty()) {
            return List.of();
        }
        List<LearnedTime> made = new ArrayList<>();
        targets.forEach((place, target) -> {
            for (TimeFile.Entry entry : its) {
                if (entry.target().equals(target)) {
                    made.add(new LearnedTime(NameTimes.key(place, entry.sizeClass()), entry));
                }
            }
        });
        return made;
    }

    /** Reads the file, if it was not read. */
    void load() {
        if (entries == null) {
            read();
        }
    }

    private synchronized Map<String, List<TimeFile.Entry>> read() {
        Map<String, List<TimeFile.Entry>> all = entries;
        if (all == null) {
            Map<String, List<TimeFile.Entry>> found = new HashMap<>();
            try {
                for (TimeFile.Entry entry : file == null ? List.<TimeFile.Entry>of() : file.read()) {
                    found.computeIfAbsent(entry.name(), any -> new ArrayList<>())
                            .add(entry);
                }
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, () -> "learned times are ignored: " + e.getMessage());
            }
            all = found;
            entries = found;
        }
        return all;
    }

    /** Merges what a session has learned into the file; reports failures and replaced times. */
    void merge(Map<String, NameTimes> names) {
        Map<String, List<LearnedTime>> learned = new LinkedHashMap<>();
        List<String> stale = new ArrayList<>();
        names.forEach((name, times) -> {
            List<LearnedTime> its =
                    times.all().stream().filter(time -> time.counted() > 0).toList();
            if (!its.isEmpty()) {
                learned.put(name, its);
            }
            its.stream().filter(LearnedTime::isStale).forEach(time -> stale.add(text(name, time)));
        });
        if (file == null || learned.isEmpty()) {
            return;
        }
        try {
            file.update(names.keySet(), old -> merged(old, learned));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, () -> "learned times are not kept: " + e.getMessage());
            return;
        }
        if (!stale.isEmpty()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    () -> "kept times were stale, and are replaced by those measured now: "
                            + String.join("; ", stale.subList(0, Math.min(LISTED, stale.size())))
                            + (stale.size() > LISTED ? "; and " + (stale.size() - LISTED) + " more" : ""));
        }
    }

    private String text(String name, LearnedTime time) {
        double before = time.kept == null ? 0 : time.kept.meanNanos();
        return String.format(
                Locale.ROOT,
                "\"%s\" on %s took %.3g ms, and takes %.3g ms",
                name,
                target(NameTimes.place(time)),
                before / 1e6,
                time.nanos() / 1e6);
    }

    private Map<TimeFile.Key, TimeFile.Entry> merged(
            Map<TimeFile.Key, TimeFile.Entry> old, Map<String, List<LearnedTime>> learned) {
        Map<TimeFile.Key, TimeFile.Entry> all = new HashMap<>(old);
        learned.forEach((name, times) -> {
            for (LearnedTime time : times) {
                TimeFile.Entry its = time.entry(name, target(NameTimes.place(time)));
                all.merge(its.key(), its, (present, mine) -> merged(present, mine, time));
            }
        });
        return all;
    }

    /**
     * Returns the entry after a session.
     *
     * @param present the entry in the file now, which another session may have written since this one read it
     * @param mine the entry of this session, with the kept one
     */
    private static TimeFile.Entry merged(TimeFile.Entry present, TimeFile.Entry mine, LearnedTime time) {
        if (present.equals(time.kept)) {
            return mine;
        }
        long since = time.kept == null ? present.count() : Math.max(1, present.count() - time.kept.count());
        return present.with(
                mine.withCount(time.counted()),
                Math.min(since, LearnedTime.RECENT),
                Math.min(time.counted(), LearnedTime.RECENT));
    }
}
