package dev.jacquard.apps.linear;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The rows of a square symmetric matrix that one rank has: whole blocks of {@link #BLOCK} rows, which do not depend on
 * the number of ranks. A product of vectors is summed within each block from the first row to the last one, and over
 * the blocks in a fixed tree, and a row of a product with the matrix from its first column to its last one; so results
 * have the same bits on any number of ranks.
 *
 * <p>Vectors have all elements, of which the ones of this rank's rows count; before a product with the matrix the
 * elements that its rows need are received from their ranks.
 *
 * <p>Threads: confined to the thread of this rank.
 */
final class RowBlocks {
    /** The rows of a block: the same on all machines, since sums are rounded by blocks. */
    static final int BLOCK = 256;

    private static final int TAG = 1;

    private final Communicator comm;
    private final int size;
    private final int begin;
    private final int end;
    /** The entries of the rows of this rank: where each row begins, their columns and values. */
    private final int[] starts;

    private final int[] columns;
    private final double[] values;
    /** By rank: the elements of this rank that it needs, and the other rank's elements that this rank needs. */
    private final List<int[]> sent = new ArrayList<>();

    private final List<int[]> received = new ArrayList<>();

    RowBlocks(Communicator comm, SparseMatrix matrix) {
        this.comm = comm;
        this.size = matrix.rows();
        this.begin = first(comm.rank());
        this.end = first(comm.rank() + 1);
        this.starts = new int[end - begin + 1];
        matrix.forEach((row, _, _) -> {
            if (row >= begin && row < end) {
                starts[row - begin + 1]++;
            }
        });
        Arrays.parallelPrefix(starts, Integer::sum);
        columns = new int[starts[end - begin]];
        values = new double[columns.length];
        List<TreeSet<Integer>> out = new ArrayList<>();
        List<TreeSet<Integer>> in = new ArrayList<>();
        for (int rank = 0; rank < comm.size(); rank++) {
            out.add(new TreeSet<>());
            in.add(new TreeSet<>());
        }
        int[] next = {0};
        matrix.forEach((row, column, value) -> {
            boolean isHere = row >= begin && row < end;
            boolean needsHere = column >= begin && column < end;
            if (isHere) {
                columns[next[0]] = column;
                values[next[0]++] = value;
                if (!needsHere) {
                    in.get(rankOf(column)).add(column);
                }
            } else if (needsHere) {
                out.get(rankOf(row)).add(column);
            }
        });
        for (int rank = 0; rank < comm.size(); rank++) {
            sent.add(out.get(rank).stream().mapToInt(Integer::intValue).toArray());
            received.add(in.get(rank).stream().mapToInt(Integer::intValue).toArray());
        }
    }

    private int blocks() {
        return (size + BLOCK - 1) / BLOCK;
    }

    /** Returns the first row of a rank; for the number of ranks, that of all rows. */
    private int first(int rank) {
        long block = (long) blocks() * rank / comm.size();
        return (int) Math.min(size, block * BLOCK);
    }

    private int rankOf(int row) {
        int rank = (int) ((long) row / BLOCK * comm.size() / blocks());
        while (row >= first(rank + 1)) {
            rank++;
        }
        while (row < first(rank)) {
            rank--;
        }
        return rank;
    }

    /** Returns the first row of this rank. */
    int begin() {
        return begin;
    }

    /** Returns the row after the last one of this rank. */
    int end() {
        return end;
    }

    /** Returns the diagonal, in the rows of this rank; 0 where there is no entry. */
    double[] diagonal() {
        double[] diagonal = new double[size];
        for (int row = begin; row < end; row++) {
            for (int i = starts[row - begin]; i < starts[row - begin + 1]; i++) {
                diagonal[row] += columns[i] == row ? values[i] : 0;
            }
        }
        return diagonal;
    }

    /** Collective: sets the rows of {@code y} to the rows of A x. Elements of {@code x} of other ranks are received. */
    void multiply(double[] x, double[] y) throws InterruptedException {
        List<Request> requests = new ArrayList<>();
        double[][] buffers = new double[comm.size()][];
        for (int rank = 0; rank < comm.size(); rank++) {
            if (received.get(rank).length > 0) {
                buffers[rank] = new double[received.get(rank).length];
                requests.add(comm.receiveAsync(Elements.of(buffers[rank]), rank, TAG));
            }
        }
        for (int rank = 0; rank < comm.size(); rank++) {
            if (sent.get(rank).length > 0) {
                double[] elements =
                        Arrays.stream(sent.get(rank)).mapToDouble(i -> x[i]).toArray();
                requests.add(comm.sendAsync(Elements.of(elements), rank, TAG));
            }
        }
        Request.awaitAll(requests);
        for (int rank = 0; rank < comm.size(); rank++) {
            int[] places = received.get(rank);
            for (int i = 0; i < places.length; i++) {
                x[places[i]] = buffers[rank][i];
            }
        }
        for (int row = begin; row < end; row++) {
            double sum = 0;
            for (int i = starts[row - begin]; i < starts[row - begin + 1]; i++) {
                sum += values[i] * x[columns[i]];
            }
            y[row] = sum;
        }
    }

    /** Collective: returns the product of two vectors. */
    double dot(double[] x, double[] y) throws InterruptedException {
        double[] sums = new double[(end - begin + BLOCK - 1) / BLOCK];
        for (int row = begin; row < end; row++) {
            sums[(row - begin) / BLOCK] += x[row] * y[row];
        }
        double[] sum = {0};
        comm.allreduceBlocks(Elements.of(sums), Elements.of(sum), Reduction.sum());
        return sum[0];
    }

    /** Collective: receives the elements of all ranks. */
    void complete(double[] x) throws InterruptedException {
        double[] all = new double[size];
        comm.allgather(Elements.of(x).slice(begin, end - begin), Elements.of(all));
        System.arraycopy(all, 0, x, 0, size);
    }
}
