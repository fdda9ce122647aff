package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The needs of one task, and the memory that they share on the host: accesses to one data that overlap are one memory,
 * so that the task sees by one its output by another. Immutable.
 */
final class DataNeeds implements Footprint {
    final List<DataNeed> all;
    /** True if one of the needs writes something that another one accesses. */
    final boolean overlap;
    /** The boxes that replicas on the host must have, need by need; null when these are the boxes of the needs. */
    private final @Nullable List<Box> rooms;
    /** The needs for data only as far as it was written, need by need; null when there is none. */
    private final @Nullable List<Boolean> lenient;
    /** The bytes of all needs, each for itself. */
    private final long bytes;

    private DataNeeds(List<DataNeed> all, boolean overlap, @Nullable List<Box> rooms, @Nullable List<Boolean> lenient) {
        this.all = all;
        this.overlap = overlap;
        this.rooms = rooms;
        this.lenient = lenient;
        this.bytes = DataNeed.bytes(all);
    }

    /** Returns needs of which no two overlap. */
    static DataNeeds apart(List<DataNeed> needs) {
        return new DataNeeds(List.copyOf(needs), false, null, null);
    }

    static DataNeeds of(List<DataNeed> needs) {
        return of(needs, null);
    }

    private static DataNeeds of(List<DataNeed> needs, @Nullable List<Boolean> lenient) {
        List<DataNeed> all = List.copyOf(needs);
        boolean overlap = false;
        boolean shared = false;
        for (int i = 1; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                DataNeed one = all.get(i);
                DataNeed other = all.get(j);
                if (meet(one, one.box(), other, other.box())) {
                    overlap |= one.writes() || other.writes();
                    shared |= one.data().home() == null && !one.box().equals(other.box());
                }
            }
        }
        return new DataNeeds(all, overlap, shared ? rooms(all) : null, lenient);
    }

    private static boolean meet(DataNeed one, Box its, DataNeed other, Box others) {
        return one.data() == other.data() && !one.isNone() && !other.isNone() && its.intersects(others);
    }

    /** The hulls of needs that overlap, until no hull overlaps another one. */
    private static List<Box> rooms(List<DataNeed> all) {
        List<Box> rooms = new ArrayList<>();
        all.forEach(need -> rooms.add(need.box()));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < rooms.size(); i++) {
                for (int j = 0; j < i; j++) {
                    boolean apart = !meet(all.get(i), rooms.get(i), all.get(j), rooms.get(j));
                    if (!apart && !rooms.get(i).equals(rooms.get(j))) {
                        Box hull = rooms.get(i).hull(rooms.get(j));
                        rooms.set(i, hull);
                        rooms.set(j, hull);
                        changed = true;
                    }
                }
            }
        }
        return List.copyOf(rooms);
    }

    /** Returns true if the need of that number does without data that was not written. */
    boolean isLenient(int index) {
        return lenient != null && lenient.get(index);
    }

    /** Returns the part that a replica for the need of that number must have in {@code space}. */
    Box room(int index, Space space) {
        return rooms == null || !space.usesParts ? all.get(index).box() : rooms.get(index);
    }

    /** Returns true if an earlier need is for the same replica. */
    boolean isSame(int index, Space space) {
        DataNeed need = all.get(index);
        for (int i = 0; i < index; i++) {
            DataNeed other = all.get(i);
            boolean both = other.data() == need.data() && !other.isNone() && !need.isNone();
            if (both && room(i, space).equals(room(index, space))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bytes of a replica for the need of that number in {@code space}; 0 for a need that is given up. */
    long bytes(int index, Space space) {
        return space.bytes(all.get(index).within(room(index, space)));
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public DataNeeds behindOthers() {
        List<DataNeed> reading = all.stream().map(DataNeed::reading).toList();
        return of(reading, all.stream().map(need -> !need.reads()).toList());
    }

    @Override
    public void requireDeclared(String task, Data data, Box part) {
        for (DataNeed need : all) {
            if (need.data() == data && !need.isNone() && need.box().contains(part)) {
                return;
            }
        }
        throw undeclared(task, all, data, part);
    }

    /** Returns the exception that names the parts that {@code needs} have of {@code data}. */
    static IllegalArgumentException undeclared(String task, List<DataNeed> needs, Data data, Box part) {
        return new IllegalArgumentException("task \"" + task + "\" touches " + data.name() + part + ", and declared "
                + needs.stream()
                        .filter(need -> need.data() == data && !need.isNone())
                        .map(need -> need.box().toString())
                        .toList()
                + " of it: declare what it touches");
    }
}
