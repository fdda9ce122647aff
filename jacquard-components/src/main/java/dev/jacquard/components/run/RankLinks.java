package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.Source;
import dev.jacquard.core.session.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ends of wires to other ranks, on one rank: a part of this rank sends its values as soon as it was executed; an
 * execution of another rank's part waits for its message, and has no effect here if nothing of this rank needs it. The
 * number of a part is the tag of its messages, so passes of loops keep their order.
 *
 * <p>Threads: any number of parts at a time; the monitor guards the requests under way.
 */
final class RankLinks {
    private final Communicator comm;
    private final Placement placement;
    private final RemoteWires wires;
    /** Null if the run keeps no checkpoints. */
    private final @Nullable RankSavepoints savepoints;
    /** Sends under way. Guarded by this. */
    private final ArrayDeque<Request> sends = new ArrayDeque<>();

    /**
     * The wires of a rank.
     *
     * @param comm for values alone
     * @param savepoints decide which loops wait between passes; null if the run keeps no checkpoints
     */
    RankLinks(Communicator comm, Placement placement, RemoteWires wires, @Nullable RankSavepoints savepoints) {
        this.comm = comm;
        this.placement = placement;
        this.wires = wires;
        this.savepoints = savepoints;
    }

    /** Returns true if this rank executes a part. */
    boolean isHere(int part) {
        return placement.rankOf(part) == comm.rank();
    }

    /** Returns the rank that executes a part. */
    int rankOf(int part) {
        return placement.rankOf(part);
    }

    /** Returns true if other ranks get messages of a part. */
    boolean sends(int part) {
        return wires.receivers(part).iterator().hasNext();
    }

    /** Returns true if executions of a part of another rank wait for its messages. */
    boolean receives(int part) {
        return wires.receives(comm.rank(), part);
    }

    /**
     * Returns an instance of another rank's part.
     *
     * @param cells of its sources, by name
     * @param session that of this rank, for data in values
     */
    Instance remote(int part, Map<String, Cell<?>> cells, Session session) {
        if (!receives(part)) {
            return () -> true;
        }
        List<Source<?>> sources = wires.sources(part, comm.rank());
        Codec<PartMessage> codec = PartMessage.codec(sources, new SentData(session).codecs());
        List<Cell<?>> its = new ArrayList<>();
        for (Source<?> source : sources) {
            its.add(cells.get(source.name()));
        }
        return () -> {
            PartMessage message = comm.receiveValue(codec, placement.rankOf(part), part);
            for (int i = 0; i < its.size(); i++) {
                set(its.get(i), message.values().get(i));
            }
            if (savepoints != null) {
                savepoints.decided(part, message.waits());
            }
            return message.answer();
        };
    }

    @SuppressWarnings("unchecked") // the value was written by the codec of its type
    private static void set(Cell<?> cell, @Nullable Object value) {
        ((Cell<Object>) cell).value = value;
    }

    /**
     * Returns an instance that sends the values of each execution to the ranks that read them, and decides whether its
     * loop waits before the next pass.
     *
     * @param cells of its sources, by name
     * @param session that of this rank, for data in values
     */
    Instance sending(int part, Instance instance, Map<String, Cell<?>> cells, Session session) {
        Map<Integer, List<Cell<?>>> all = new LinkedHashMap<>();
        Map<Integer, Codec<PartMessage>> codecs = new LinkedHashMap<>();
        Set<Cell<?>> counted = new HashSet<>(); // a value counts once, to however many ranks it goes
        for (int rank : wires.receivers(part)) {
            List<Source<?>> sources = wires.sources(part, rank);
            List<Cell<?>> its = new ArrayList<>();
            sources.forEach(source -> its.add(cells.get(source.name())));
            all.put(rank, its);
            List<@Nullable Cell<?>> first = its.stream()
                    .<@Nullable Cell<?>>map(cell -> counted.add(cell) ? cell : null)
                    .toList();
            codecs.put(rank, PartMessage.codec(sources, new SentData(session).codecs(), (source, bytes) -> {
                Cell<?> cell = first.get(source);
                if (cell != null) {
                    cell.sent(bytes);
                }
            }));
        }
        RankSavepoints deciding = savepoints != null && savepoints.decides(part) ? savepoints : null;
        if (all.isEmpty() && deciding == null) {
            return instance;
        }
        return new Instance() {
            @Override
            public boolean execute() throws Exception {
                boolean answer = instance.execute();
                boolean waits = deciding != null && !answer && deciding.decide(part);
                for (Map.Entry<Integer, List<Cell<?>>> each : all.entrySet()) {
                    List<@Nullable Object> values = new ArrayList<>();
                    each.getValue().forEach(cell -> values.add(cell.value));
                    send(codecs.get(each.getKey()), new PartMessage(answer, waits, values), each.getKey(), part);
                }
                return answer;
            }

            @Override
            public void close() throws Exception {
                instance.close();
            }
        };
    }

    private void send(@Nullable Codec<PartMessage> codec, PartMessage message, int rank, int part) {
        Request request = comm.sendValueAsync(Objects.requireNonNull(codec), message, rank, part);
        synchronized (this) {
            for (Iterator<Request> each = sends.iterator();
                    each.hasNext() && each.next().isDone(); ) {
                each.remove();
            }
            sends.add(request);
        }
    }

    /** Waits until all that was sent has left. */
    void flush() throws InterruptedException {
        List<Request> all;
        synchronized (this) {
            all = new ArrayList<>(sends);
            sends.clear();
        }
        Request.awaitAll(all);
    }
}
