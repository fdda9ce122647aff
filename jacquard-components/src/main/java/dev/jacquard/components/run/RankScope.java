package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.local.LocalRanks;
import dev.jacquard.components.program.InputException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a run, as one of them sees it. A run without ranks has one, alone.
 *
 * <p>Threads: confined to the thread that runs the program on this rank, except as {@link RankLinks} states.
 */
final class RankScope implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.jacquard.components");

    private final @Nullable Communicator world;
    private final @Nullable RankLinks links;
    private final List<Communicator> opened = new ArrayList<>();

    /** Made when a part asks for it. */
    private @Nullable Communicator alone;

    private RankScope(@Nullable Communicator world, @Nullable RankLinks links) {
        this.world = world;
        this.links = links;
    }

    /** A run without ranks. */
    static RankScope none() {
        return new RankScope(null, null);
    }

    /** Collective: a run in which each part runs on all ranks. */
    static RankScope ofData(Communicator world) {
        return new RankScope(world, null);
    }

    /**
     * Collective: a run in which each part runs on one rank.
     *
     * @param savepoints null if the run keeps no checkpoints
     */
    static RankScope ofTasks(
            Communicator world, Placement placement, RemoteWires wires, @Nullable RankSavepoints savepoints)
            throws InterruptedException {
        Communicator values = world.duplicate("values");
        RankScope scope = new RankScope(world, new RankLinks(values, placement, wires, savepoints));
        scope.opened.add(values);
        return scope;
    }

    /** Returns the ends of wires to other ranks; null if there are none. */
    @Nullable
    RankLinks links() {
        return links;
    }

    /** Returns the number of ranks of each part. */
    int size() {
        return world == null ? 1 : world.size();
    }

    /** Returns the begin of messages of this rank; empty if it is alone. */
    String prefix() {
        return world == null ? "" : "rank " + world.rank() + ": ";
    }

    /** Returns the words between a part that is executed, here or on another rank, and the time that takes. */
    String begun(int part) {
        return links == null || links.isHere(part)
                ? " has run for "
                : " of rank " + links.rankOf(part) + " has sent nothing for ";
    }

    /** Returns the words for a rank on which nothing runs: others may run still. */
    String idle() {
        return links == null ? "" : ", and it waits for other ranks";
    }

    /** Returns true for the rank that reports. */
    boolean isFirst() {
        return world == null || world.rank() == 0;
    }

    /** Returns the communicator of a part: of all ranks if it runs on all, else of this rank alone. */
    Communicator communicator(String part) throws InterruptedException {
        if (world != null && links == null) {
            Communicator its = world.duplicate(part);
            opened.add(its);
            return its;
        }
        Communicator its = alone;
        if (its == null) {
            its = LocalRanks.alone();
            alone = its;
        }
        return its;
    }

    /**
     * Collective: requires that all ranks run the same program.
     *
     * @param lines values that must be the same, with the name of each
     */
    static void requireSame(Communicator world, List<String> lines) throws InterruptedException {
        List<String> all = world.allgatherValues(Codecs.standard().of(String.class), String.join("\u0000", lines));
        for (int rank = 1; rank < all.size(); rank++) {
            if (!all.get(rank).equals(all.getFirst())) {
                throw new InputException(difference(all.getFirst(), all.get(rank), rank));
            }
        }
    }

    private static String difference(String first, String other, int rank) {
        String[] left = first.split("\u0000", -1);
        String[] right = other.split("\u0000", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            if (!left[i].equals(right[i])) {
                return "rank 0 has " + left[i] + ", and rank " + rank + " has " + right[i]
                        + ": expected the same program, with the same jars and Java, on all ranks";
            }
        }
        return "rank 0 and rank " + rank + " have programs with different numbers of components";
    }

    /** Reports messages that the parts have not received; at the end of a run that ended well. */
    void reportUnreceived() {
        if (links != null) {
            return;
        }
        for (Communicator each : opened) {
            for (String message : each.unreceived()) {
                LOG.log(
                        Logger.Level.WARNING,
                        "rank " + each.rank() + ", component '" + each.name() + "': no rank has received " + message);
            }
        }
    }

    @Override
    public void close() {
        opened.forEach(Communicator::close);
    }
}
