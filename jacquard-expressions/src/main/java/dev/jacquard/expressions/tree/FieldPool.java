package dev.jacquard.expressions.tree;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.memory.data.Data;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The memory of the fields of a store: fields of their own, fields that are lent and taken back, and memory that the
 * temporaries of trees share.
 *
 * <p>Threads: any, one at a time.
 */
final class FieldPool {
    private final Session session;
    private final Grid grid;
    private final Map<Centring, Deque<Field>> free = new EnumMap<>(Centring.class);
    /** The memory of all fields made so far: each begins at another place of a page. */
    private final List<Data> made = new ArrayList<>();

    /** The memory that the temporaries of trees share, by the centrings that it has room for. */
    private final Map<Set<Centring>, List<Data>> shared = new HashMap<>();

    /** The fields that are lent: what is taken back twice would be lent to two. */
    private final Set<Field> lent = new HashSet<>();

    private boolean closed;

    FieldPool(Session session, Grid grid) {
        this.session = session;
        this.grid = grid;
    }

    /** Returns a new field. */
    Field make(String name, Centring centring) {
        return new Field(name, grid, centring, memory(name, EnumSet.of(centring)));
    }

    /**
     * Returns a field in memory that other fields use at other times.
     *
     * @param number which of these memories
     * @param centrings those that the memory has room for
     */
    Field shared(String name, Centring centring, int number, Set<Centring> centrings) {
        List<Data> all = shared.computeIfAbsent(Set.copyOf(centrings), any -> new ArrayList<>());
        while (all.size() <= number) {
            all.add(memory("temporary " + made.size(), centrings));
        }
        return new Field(name, grid, centring, all.get(number));
    }

    Field lend(Centring centring) {
        Field field = free.computeIfAbsent(centring, any -> new ArrayDeque<>()).poll();
        Field its = field == null ? make("temporary " + made.size(), centring) : field;
        lent.add(its);
        return its;
    }

    void takeBack(Field field) {
        Objects.requireNonNull(field, "field");
        if (!lent.remove(field)) {
            throw new IllegalArgumentException("field \"" + field.name() + "\" is not lent by this store now");
        }
        free.computeIfAbsent(field.centring(), any -> new ArrayDeque<>()).push(field);
    }

    private Data memory(String name, Set<Centring> centrings) {
        requireOpen(name);
        return add(session.data().of(name, grid.layout(centrings, made.size())));
    }

    /** Takes data whose memory is given back with the rest. */
    Data add(Data data) {
        made.add(data);
        return data;
    }

    void requireOpen(String name) {
        if (closed) {
            throw new IllegalStateException("field \"" + name + "\" was asked for after its store was closed");
        }
    }

    /** Gives back all memory. */
    void close() {
        closed = true;
        made.forEach(session.data()::free);
        made.clear();
        shared.clear();
        free.clear();
        lent.clear();
    }
}
