package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that are to be done again, in their order, so that one write is there again; and the replicas with which
 * they begin: replicas that have exactly the versions which the tasks read, also versions that are the newest no more.
 *
 * <p>A write's number is larger than the number of any write that it depends on. So the newest missing write is
 * examined first, each write that it needs and no replica has becomes missing too, and each is examined once.
 *
 * <p>Made under the lock of the {@link Coherence}; constant from then on.
 */
final class RecomputationPlan {
    /** More steps would take longer than a program can wait. */
    private static final int MOST_STEPS = 10_000;

    /** A piece that no replica has, and the name of its data. */
    private record Absent(String data, Piece piece) {}

    /** A part of a replica that is to be read. */
    record Source(Replica replica, Box box) {}

    /**
     * A task that is to be done again.
     *
     * @param sources of each of its accesses, the parts that replicas have
     * @param earlier of each of its accesses, the pieces that earlier tasks of the plan make
     */
    record Doing(Lineage.Step step, List<Directory> data, List<List<Source>> sources, List<List<Piece>> earlier) {}

    /** The tasks by the numbers of their writes, oldest first. */
    final NavigableMap<Long, Doing> steps = new TreeMap<>();
    /** The reason why there is no plan; null when there is one. */
    final @Nullable String impossible;

    private final Lineage lineage;

    RecomputationPlan(Lineage lineage, Piece lost, Directory directory) {
        this.lineage = lineage;
        this.impossible = plan(lost, directory);
    }

    private @Nullable String plan(Piece lost, Directory directory) {
        TreeMap<Long, Absent> missing = new TreeMap<>();
        missing.put(lost.version(), new Absent(directory.data.name(), lost));
        while (!missing.isEmpty()) {
            Absent next = missing.pollLastEntry().getValue();
            Piece piece = next.piece();
            Lineage.Step step = lineage.of(piece.version());
            if (step == null) {
                return next.data() + piece.box() + ", as " + piece.by() + " wrote it, is nowhere any more, and "
                        + whyUnknown(piece);
            }
            if (steps.size() == MOST_STEPS) {
                return "more than " + MOST_STEPS + " tasks would have to run again";
            }
            Doing doing = new Doing(step, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (Lineage.Used used : step.used()) {
                Directory its = used.directory().get();
                if (its == null) {
                    return used.name() + ", which task \"" + step.task() + "\" accessed, was forgotten by the program";
                }
                doing.data.add(its);
                List<Source> sources = new ArrayList<>();
                List<Piece> earlier = new ArrayList<>();
                for (Piece read : used.pieces()) {
                    for (Box rest : find(its, read, sources)) {
                        Piece absent = new Piece(rest, read.version(), read.writer());
                        earlier.add(absent);
                        if (!steps.containsKey(read.version())) {
                            missing.put(read.version(), new Absent(used.name(), absent));
                        }
                    }
                }
                doing.sources.add(sources);
                doing.earlier.add(earlier);
            }
            steps.put(piece.version(), doing);
        }
        return null;
    }

    private static String whyUnknown(Piece piece) {
        if (piece.writer() == null) {
            return "the user's array was written over";
        }
        return "that task cannot run again: it is no kernel that accesses only data,"
                + " or it adds, or shares or gave up its output, or its accesses overlap,"
                + " or it is one of a compiled graph on the host, or too many have written since";
    }

    /** Adds the replicas that have {@code piece} to {@code sources}. Returns the parts that none has. */
    private static List<Box> find(Directory directory, Piece piece, List<Source> sources) {
        List<Box> rest = new ArrayList<>(List.of(piece.box()));
        for (Atom atom : directory.meeting(piece.box())) {
            if (atom.version == piece.version()) {
                for (Replica replica : atom.valid) {
                    take(replica, atom.box, rest, sources);
                }
            }
        }
        for (Replica replica : directory.all()) {
            for (Piece older : replica.older) {
                if (older.version() == piece.version()) {
                    take(replica, older.box(), rest, sources);
                }
            }
        }
        return rest;
    }

    /** Adds the part of {@code box} that {@code rest} lacks and {@code replica} has. */
    private static void take(Replica replica, Box box, List<Box> rest, List<Source> sources) {
        if (replica.space.lost != null) {
            return;
        }
        for (Box open : List.copyOf(rest)) {
            if (open.intersects(box)) {
                Box common = open.intersection(box);
                if (replica.isStable(common)) {
                    sources.add(new Source(replica, common));
                    rest.remove(open);
                    rest.addAll(open.without(common));
                }
            }
        }
    }

    /** Returns the replicas that are read: they must stay as they are until all is done. */
    List<Replica> read() {
        List<Replica> read = new ArrayList<>();
        steps.values().forEach(doing -> doing.sources.forEach(of -> of.forEach(source -> read.add(source.replica()))));
        return read;
    }
}
