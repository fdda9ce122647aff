package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.components.mesh.Plan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of ranks that each run some parts on when their states are saved, such that no message is under way:
 * the states of all ranks are the states of one program between passes of its outermost loops.
 *
 * <pre>
 *  rank of an exit   a pass is over, and the state is due ──▶ the message about the next pass says: wait before it
 *                    HELD loop ──▶ rank 0 ──▶ all: exits of other outermost loops do the same after their next pass
 *  each rank         all is over that does not wait for these loops ──▶ its part is saved, SAVED ──▶ rank 0
 *  rank 0            all have saved ──▶ the manifest is written, COMMITTED ──▶ all: loops go on
 *  each rank         the program is over ──▶ OVER ──▶ rank 0 ──▶ when all are over, FINISHED ──▶ all
 * </pre>
 *
 * <p>A rank with loops that wait has received all messages of their passes, and of all parts before them. A part that
 * waits for these loops on one rank can have run on no other one. So a rank saves its part as soon as it stands still,
 * and none goes on before all have. A rank that is over stays until all are, since its part belongs to each savepoint.
 *
 * <p>Messages to rank 0 and from rank 0 keep their orders; messages about loops carry the number of the savepoint,
 * since a rank may have saved its part before it hears of a loop that it takes no part in, and may run again, by
 * messages of ranks that have gone on, before it hears that a savepoint is complete.
 *
 * <p>Threads: the monitor of the program's {@link TopState} guards all mutable fields but {@code flags}, each of which
 * is written by an execution of its exit, and read by the run when the pass is over.
 */
final class RankSavepoints {
    /** The tag of messages. */
    static final int TAG = 3;

    private static final Codec<String> TEXT = Codecs.standard().of(String.class);

    private final Plan plan;
    private final Passes passes;
    private final TopState top;
    private final int every;
    private final boolean[] isOutermost;
    /** By loop: the last message about its next pass says that it waits. */
    private final boolean[] flags;

    private @Nullable Communicator comm;
    /** Loops that are held on any rank, for the next savepoint of this rank; empty while nothing is held. */
    private final BitSet held = new BitSet();
    /** The loops of this rank that are between two passes. */
    private final List<Integer> waiting = new ArrayList<>();
    /** The parts that this rank has saved, and the number of them that belong to a whole savepoint. */
    private long saved;

    private long committed;
    private boolean saidOver;
    private boolean finished;
    /** Rank 0: the parts that were saved for the next savepoint, and the ranks that are over. */
    private int parts;

    private int over;

    private enum Kind {
        HELD,
        SAVED,
        COMMITTED,
        OVER,
        FINISHED
    }

    /** Saves the part of a rank. */
    interface PartSaver {
        void save() throws Exception;
    }

    /**
     * Nothing is held yet.
     *
     * @param every the passes of an outermost loop between two savepoints
     */
    RankSavepoints(Plan plan, Passes passes, TopState top, int every) {
        this.plan = plan;
        this.passes = passes;
        this.top = top;
        this.every = every;
        this.flags = new boolean[plan.loops().size()];
        this.isOutermost = new boolean[flags.length];
        for (int loop = 0; loop < flags.length; loop++) {
            isOutermost[loop] = plan.loops().get(loop).parent() < 0;
        }
    }

    /** Takes the communicator for messages, before any is received. */
    void connect(Communicator its) {
        synchronized (top) {
            comm = its;
        }
    }

    // ---- loops

    /** Returns the outermost loop of an exit; -1 if the part is none. */
    private int loopOf(int part) {
        for (int loop = 0; loop < flags.length; loop++) {
            if (isOutermost[loop] && plan.loops().get(loop).exit() == part) {
                return loop;
            }
        }
        return -1;
    }

    /**
     * Returns true if the part is the exit of an outermost loop: then {@link #decide} decides on each of its passes.
     */
    boolean decides(int part) {
        return loopOf(part) >= 0;
    }

    /**
     * The exit of an outermost loop, on this rank, has said that another pass follows. Returns true if the loop waits
     * before it, on all ranks.
     */
    boolean decide(int part) {
        int loop = loopOf(part);
        boolean waits;
        synchronized (top) {
            waits = !held.isEmpty() || passes.current(loop) % every == 0;
            if (waits) {
                held.set(loop);
                send(Kind.HELD, loop, saved + 1, 0);
            }
        }
        flags[loop] = waits;
        return waits;
    }

    /** The exit of a loop, on another rank, has decided. */
    void decided(int part, boolean waits) {
        int loop = loopOf(part);
        if (loop >= 0) {
            flags[loop] = waits;
        }
    }

    /** A pass of an outermost loop is over, and another one follows. Returns true if the loop waits before it. */
    boolean holds(int loop) {
        if (flags[loop]) {
            synchronized (top) {
                waiting.add(plan.parts().size() + loop);
            }
        }
        return flags[loop];
    }

    // ---- messages

    private void send(Kind kind, long number, long savepoint, int to) {
        Communicator its = Objects.requireNonNull(comm);
        try {
            its.sendValueAsync(TEXT, kind + " " + number + " " + savepoint, to, TAG);
        } catch (CommunicationException e) { // the ranks were ended, and this one is stopped
        }
    }

    private void sendAll(Kind kind, long number, long savepoint) {
        for (int rank = 0; rank < Objects.requireNonNull(comm).size(); rank++) {
            send(kind, number, savepoint, rank);
        }
    }

    /**
     * Takes a message of another rank, or of this one.
     *
     * @param message with the tag of these messages
     */
    void receive(Message message) throws InterruptedException {
        int from = message.status().source();
        String[] words = message.receiveValue(TEXT).split(" ", -1);
        Kind kind = Kind.valueOf(words[0]);
        long number = Long.parseLong(words[1]);
        long savepoint = Long.parseLong(words[2]);
        synchronized (top) {
            switch (kind) {
                case HELD -> hold(Math.toIntExact(number), savepoint, from);
                case SAVED -> parts++;
                case COMMITTED -> committed = savepoint;
                case OVER -> {
                    if (++over == Objects.requireNonNull(comm).size()) {
                        sendAll(Kind.FINISHED, 0, 0);
                    }
                }
                case FINISHED -> finished = true;
            }
            top.notifyAll();
        }
    }

    /** A loop is held: rank 0, which hears of it first, hands that on. */
    private void hold(int loop, long savepoint, int from) {
        Communicator its = Objects.requireNonNull(comm);
        if (savepoint == saved + 1) {
            held.set(loop);
        }
        if (its.rank() == 0) {
            for (int rank = 1; rank < its.size(); rank++) {
                if (rank != from) {
                    send(Kind.HELD, loop, savepoint, rank);
                }
            }
        }
    }

    // ---- saving

    /**
     * Saves the part of this rank whenever the ranks are held, until the program is over on all ranks, or is stopped.
     * To be called by a thread that executes no part.
     *
     * @param part saves the part of this rank
     * @param whole completes savepoints
     * @param release lets items of the program's block go on
     */
    void serve(Stops stops, PartSaver part, RankSaving whole, Consumer<List<Integer>> release) throws Exception {
        boolean isFirst = Objects.requireNonNull(comm).rank() == 0;
        while (await(stops, this::isStillOrFinished)) {
            List<Integer> its;
            long savepoint;
            synchronized (top) {
                if (held.isEmpty()) {
                    return; // all are over
                }
                its = List.copyOf(waiting);
                waiting.clear();
                held.clear();
                savepoint = ++saved;
            }
            part.save();
            send(Kind.SAVED, 0, savepoint, 0);
            if (isFirst) {
                if (!await(stops, () -> parts == Objects.requireNonNull(comm).size())) {
                    return;
                }
                whole.complete();
                synchronized (top) {
                    parts = 0;
                }
                sendAll(Kind.COMMITTED, 0, savepoint);
            }
            if (!await(stops, () -> committed == savepoint)) {
                return;
            }
            whole.completed();
            release.accept(its);
        }
    }

    private boolean isStillOrFinished() {
        if (!saidOver && top.isAllOver()) {
            saidOver = true;
            send(Kind.OVER, 0, 0, 0);
        }
        return finished || (!held.isEmpty() && top.isHeldBy(held));
    }

    /** Waits for a condition, which is guarded by the monitor. Returns false if the run is stopped. */
    private boolean await(Stops stops, BooleanSupplier condition) {
        stops.begin();
        try {
            synchronized (top) {
                while (!condition.getAsBoolean()) {
                    if (stops.isStopping()) {
                        return false;
                    }
                    top.wait();
                }
                return !stops.isStopping();
            }
        } catch (InterruptedException e) { // by the stop
            return false;
        } finally {
            stops.end();
        }
    }
}
