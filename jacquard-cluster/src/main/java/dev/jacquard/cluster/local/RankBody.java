package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.Communicator;

/**
 * The program of a rank.
 *
 * @param <T> its result
 */
@FunctionalInterface
public interface RankBody<T> {
    /** Runs on a thread of this rank. */
    T run(Communicator world) throws Exception;
}
