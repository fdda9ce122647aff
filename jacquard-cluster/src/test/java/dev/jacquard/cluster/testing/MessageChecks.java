package dev.jacquard.cluster.testing;

import static dev.jacquard.cluster.testing.Check.require;
import static dev.jacquard.cluster.testing.Check.requireEqual;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.cluster.communicator.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Messages between two ranks. */
final class MessageChecks {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);

    private MessageChecks() {}

    static List<Check> all() {
        return List.of(
                new Check("a ring passes elements", MessageChecks::ring),
                new Check("messages of one sender come in their order", MessageChecks::order),
                new Check("tags choose messages", MessageChecks::tags),
                new Check("any source", MessageChecks::anySource),
                new Check("large messages cross", MessageChecks::large),
                new Check("all types of elements", MessageChecks::types),
                new Check("blocks with a stride", MessageChecks::blocks),
                new Check("large blocks become blocks of another length", MessageChecks::largeBlocks),
                new Check("memory outside of the heap", MessageChecks::segments),
                new Check("values", MessageChecks::values),
                new Check("a message to oneself", MessageChecks::self),
                new Check("empty messages", MessageChecks::empty),
                new Check("a longer place is filled from its begin", MessageChecks::longerPlace),
                new Check("probes set messages aside", MessageChecks::probes),
                new Check("the first of several requests", MessageChecks::any),
                new Check("many requests at once", MessageChecks::many));
    }

    private static int right(Communicator comm) {
        return (comm.rank() + 1) % comm.size();
    }

    private static int left(Communicator comm) {
        return (comm.rank() + comm.size() - 1) % comm.size();
    }

    private static Object ring(Communicator comm) throws Exception {
        long[] token = {comm.rank()};
        for (int i = 0; i < comm.size(); i++) {
            long[] next = {0};
            Status status = comm.exchange(Elements.of(token), right(comm), 3, Elements.of(next), left(comm), 3);
            requireEqual(new Status(left(comm), 3, 1, "long"), status, "status");
            token = next;
        }
        requireEqual((long) comm.rank(), token[0], "a token is back after a round");
        return token[0];
    }

    private static Object order(Communicator comm) throws Exception {
        List<Request> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(comm.sendAsync(Elements.of(i, comm.rank()), right(comm), 1));
        }
        int[] got = new int[2];
        for (int i = 0; i < 200; i++) {
            comm.receive(Elements.of(got), left(comm), 1);
            requireEqual(List.of(i, left(comm)), List.of(got[0], got[1]), "message " + i);
        }
        Request.awaitAll(sent);
        return got;
    }

    private static Object tags(Communicator comm) throws Exception {
        List<Request> sent = new ArrayList<>();
        for (int tag = 0; tag < 20; tag++) {
            sent.add(comm.sendAsync(Elements.of(tag * 10L), right(comm), tag == 0 ? Integer.MAX_VALUE : tag));
        }
        long[] got = {0};
        for (int tag = 19; tag >= 0; tag--) {
            comm.receive(Elements.of(got), left(comm), tag == 0 ? Integer.MAX_VALUE : tag);
            requireEqual(tag * 10L, got[0], "message with tag " + tag);
        }
        Request.awaitAll(sent);
        return got;
    }

    private static Object anySource(Communicator comm) throws Exception {
        if (comm.rank() > 0) {
            comm.send(Elements.of((double) comm.rank()), 0, comm.rank());
            return 0;
        }
        Set<Integer> sources = new HashSet<>();
        for (int i = 1; i < comm.size(); i++) {
            double[] got = {0};
            Status status = comm.receive(Elements.of(got), Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            requireEqual(status.source(), status.tag(), "tag");
            requireEqual((double) status.source(), got[0], "content");
            require(sources.add(status.source()), "a message came twice");
        }
        return sources.size();
    }

    private static Object large(Communicator comm) throws Exception {
        double[] sent = new double[1 << 19];
        Arrays.setAll(sent, i -> comm.rank() * 1e6 + i);
        double[] got = new double[sent.length];
        comm.exchange(Elements.of(sent), right(comm), 0, Elements.of(got), left(comm), 0);
        double[] expected = new double[sent.length];
        Arrays.setAll(expected, i -> left(comm) * 1e6 + i);
        require(Arrays.equals(expected, got), "content of 4 MiB");
        return got[got.length - 1];
    }

    private static Object types(Communicator comm) throws Exception {
        int from = left(comm);
        int to = right(comm);
        byte[] bytes = {1, -2};
        short[] shorts = {3, -4};
        char[] chars = {5, 65535};
        int[] ints = {6, Integer.MIN_VALUE};
        float[] floats = {0.5f, Float.NaN};
        List<Elements> sent = List.of(
                Elements.of(bytes), Elements.of(shorts), Elements.of(chars), Elements.of(ints), Elements.of(floats));
        byte[] gotBytes = new byte[2];
        short[] gotShorts = new short[2];
        char[] gotChars = new char[2];
        int[] gotInts = new int[2];
        float[] gotFloats = new float[2];
        List<Elements> got = List.of(
                Elements.of(gotBytes),
                Elements.of(gotShorts),
                Elements.of(gotChars),
                Elements.of(gotInts),
                Elements.of(gotFloats));
        for (int i = 0; i < sent.size(); i++) {
            comm.exchange(sent.get(i), to, 0, got.get(i), from, 0);
        }
        require(
                Arrays.equals(bytes, gotBytes)
                        && Arrays.equals(shorts, gotShorts)
                        && Arrays.equals(chars, gotChars)
                        && Arrays.equals(ints, gotInts)
                        && Arrays.equals(floats, gotFloats),
                "contents");
        return gotInts;
    }

    /** The columns of a matrix become the rows of another. */
    private static Object blocks(Communicator comm) throws Exception {
        int rows = 300;
        int columns = 40;
        double[] matrix = new double[rows * columns];
        Arrays.setAll(matrix, i -> i + comm.rank());
        double[] transposed = new double[rows * columns];
        List<Request> all = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            Elements its = Elements.of(matrix).slice(column, matrix.length - column);
            all.add(comm.sendAsync(its.blocks(rows, 1, columns), right(comm), column));
            all.add(comm.receiveAsync(Elements.of(transposed).slice((long) column * rows, rows), left(comm), column));
        }
        Request.awaitAll(all);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                requireEqual(
                        (double) row * columns + column + left(comm),
                        transposed[column * rows + row],
                        "row " + row + ", column " + column);
            }
        }
        double[] back = new double[2 * 3 * 5];
        comm.exchange(
                Elements.of(1, 2, 3, 4, 5, 6.0),
                right(comm),
                0,
                Elements.of(back).blocks(3, 2, 10),
                left(comm),
                0);
        require(
                back[0] == 1 && back[1] == 2 && back[10] == 3 && back[11] == 4 && back[20] == 5 && back[2] == 0,
                "received into blocks: " + Arrays.toString(back));
        return transposed[1] - left(comm);
    }

    /** Pieces of large contents end within blocks. */
    private static Object largeBlocks(Communicator comm) throws Exception {
        int count = 3 * 7 * 20_000;
        long[] sent = new long[count / 7 * 10];
        Arrays.setAll(sent, i -> i / 10 * 7 + i % 10 + comm.rank());
        long[] got = new long[count / 3 * 5];
        comm.exchange(
                Elements.of(sent).blocks(count / 7, 7, 10),
                right(comm),
                0,
                Elements.of(got).blocks(count / 3, 3, 5),
                left(comm),
                0);
        for (int i = 0; i < got.length; i++) {
            requireEqual(i % 5 < 3 ? i / 5 * 3L + i % 5 + left(comm) : 0L, got[i], "element " + i);
        }
        return got[got.length - 3];
    }

    private static Object segments(Communicator comm) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment sent = arena.allocate(ValueLayout.JAVA_LONG, 100_000);
            MemorySegment got = arena.allocate(ValueLayout.JAVA_LONG, 100_000);
            for (int i = 0; i < 100_000; i++) {
                sent.setAtIndex(ValueLayout.JAVA_LONG, i, i * 3L);
            }
            comm.exchange(
                    Elements.of(sent, ValueLayout.JAVA_LONG),
                    right(comm),
                    0,
                    Elements.of(got, ValueLayout.JAVA_LONG),
                    left(comm),
                    0);
            requireEqual(-1L, sent.mismatch(got), "content");
            return got.getAtIndex(ValueLayout.JAVA_LONG, 99_999);
        }
    }

    private static Object values(Communicator comm) throws Exception {
        Request sent = comm.sendValueAsync(TEXT, "rank " + comm.rank(), right(comm), 0);
        requireEqual("rank " + left(comm), comm.receiveValue(TEXT, left(comm), 0), "text");
        sent.await();
        Codec<double[][]> matrix = Codecs.standard().of(double[][].class);
        double[][] value = new double[100][200];
        value[99][199] = comm.rank();
        sent = comm.sendValueAsync(matrix, value, right(comm), 0);
        double[][] got = comm.receiveValue(matrix, left(comm), Communicator.ANY_TAG);
        sent.await();
        requireEqual((double) left(comm), got[99][199], "element");
        return got.length;
    }

    private static Object self(Communicator comm) throws Exception {
        int[] got = {0};
        Request receive = comm.receiveAsync(Elements.of(got), comm.rank(), 9);
        comm.send(Elements.of(7), comm.rank(), 9);
        receive.await();
        requireEqual(7, got[0], "content");
        return got;
    }

    private static Object empty(Communicator comm) throws Exception {
        Status status =
                comm.exchange(Elements.of(new double[0]), right(comm), 0, Elements.of(new double[4]), left(comm), 0);
        requireEqual(new Status(left(comm), 0, 0, "double"), status, "status");
        return status.count();
    }

    private static Object longerPlace(Communicator comm) throws Exception {
        double[] got = {9, 9, 9};
        Status status = comm.exchange(Elements.of(1.0, 2.0), right(comm), 0, Elements.of(got), left(comm), 0);
        requireEqual(2L, status.count(), "count");
        require(Arrays.equals(new double[] {1, 2, 9}, got), "content");
        return got;
    }

    private static Object probes(Communicator comm) throws Exception {
        int length = 10 + comm.rank();
        Request sent = comm.sendAsync(Elements.of(new double[length]), right(comm), 5);
        Message message = comm.probe(Communicator.ANY_SOURCE, 5);
        require(comm.poll(left(comm), 5) == null, "a message that was set aside is not found again");
        requireEqual(left(comm), message.status().source(), "source");
        double[] got = new double[(int) message.status().count()];
        requireEqual(10 + left(comm), got.length, "length");
        message.receive(Elements.of(got));
        sent.await();
        Check.failure(IllegalStateException.class, () -> message.receive(Elements.of(got)));
        Request text = comm.sendValueAsync(TEXT, "x", right(comm), 6);
        Message polled = null;
        while (polled == null) {
            polled = comm.poll(left(comm), 6);
        }
        requireEqual("x", polled.receiveValue(TEXT), "value");
        text.await();
        return 0;
    }

    private static Object any(Communicator comm) throws Exception {
        int[][] got = new int[3][1];
        List<Request> receives = new ArrayList<>();
        for (int tag = 0; tag < 3; tag++) {
            receives.add(comm.receiveAsync(Elements.of(got[tag]), left(comm), tag));
        }
        comm.send(Elements.of(11), right(comm), 1);
        requireEqual(1, comm.awaitAny(receives), "the first that ended");
        comm.barrier();
        comm.send(Elements.of(10), right(comm), 0);
        comm.send(Elements.of(12), right(comm), 2);
        Request.awaitAll(receives);
        require(receives.stream().allMatch(Request::isDone), "all have ended");
        return IntStream.range(0, 3).map(tag -> got[tag][0]).toArray();
    }

    private static Object many(Communicator comm) throws Exception {
        int count = 300;
        double[][] got = new double[comm.size() * count][1 + 1000];
        List<Request> all = new ArrayList<>();
        for (int rank = 0; rank < comm.size(); rank++) {
            for (int tag = 0; tag < count; tag++) {
                all.add(comm.receiveAsync(Elements.of(got[rank * count + tag]), rank, tag));
            }
        }
        for (int tag = count - 1; tag >= 0; tag--) {
            for (int rank = 0; rank < comm.size(); rank++) {
                double[] sent = new double[1 + tag % 1000];
                sent[sent.length - 1] = tag + 1000.0 * comm.rank();
                all.add(comm.sendAsync(Elements.of(sent), rank, tag));
            }
        }
        Request.awaitAll(all);
        double sum = 0;
        for (int rank = 0; rank < comm.size(); rank++) {
            for (int tag = 0; tag < count; tag++) {
                requireEqual(tag + 1000.0 * rank, got[rank * count + tag][tag], "message");
                sum += got[rank * count + tag][tag];
            }
        }
        return sum;
    }
}
