package dev.jacquard.cluster.testing;

import static dev.jacquard.cluster.testing.Check.require;
import static dev.jacquard.cluster.testing.Check.requireEqual;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.Request;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Collective operations. */
final class CollectiveChecks {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    /** The product of matrices of 2 rows and 2 columns, which depends on the order. */
    private static final Reduction MATRIX_PRODUCT = (left, right) -> {
        double[] a = left.memory().toArray(DOUBLE);
        double[] b = right.toArray(DOUBLE);
        double[] c = new double[a.length];
        for (int i = 0; i < a.length; i += 4) {
            c[i] = a[i] * b[i] + a[i + 1] * b[i + 2];
            c[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i + 3];
            c[i + 2] = a[i + 2] * b[i] + a[i + 3] * b[i + 2];
            c[i + 3] = a[i + 2] * b[i + 1] + a[i + 3] * b[i + 3];
        }
        for (int i = 0; i < c.length; i++) {
            left.memory().setAtIndex(DOUBLE, i, c[i]);
        }
    };

    private CollectiveChecks() {}

    static List<Check> all() {
        return List.of(
                new Check("a barrier", CollectiveChecks::barrier),
                new Check("broadcasts", CollectiveChecks::broadcast),
                new Check("sums have the bits of their tree", CollectiveChecks::sums),
                new Check("reductions of all types", CollectiveChecks::reductions),
                new Check("a reduction of the user's keeps the order", CollectiveChecks::product),
                new Check("blocks give the same bits on any ranks", CollectiveChecks::blockSums),
                new Check("scans", CollectiveChecks::scan),
                new Check("gathers of unequal parts", CollectiveChecks::gather),
                new Check("scatters of unequal parts", CollectiveChecks::scatter),
                new Check("all to all", CollectiveChecks::alltoall),
                new Check("values of all ranks", CollectiveChecks::values),
                new Check("several operations at once", CollectiveChecks::together),
                new Check("splits and copies keep messages apart", CollectiveChecks::split),
                new Check("large reductions and broadcasts", CollectiveChecks::large));
    }

    private static double[] draw(int rank, int length) {
        return new SplittableRandom(rank).doubles(length, -1e3, 1e3).toArray();
    }

    /** The sum in a binary tree over the numbers of the blocks, which is the definition. */
    private static double[] treeSum(List<double[]> blocks, int from, int to) {
        if (to - from == 1) {
            return blocks.get(from).clone();
        }
        int half = Integer.highestOneBit(to - from);
        if (half == to - from) {
            half /= 2;
        }
        // Full trees from the left: 7 blocks are 4, 2 and 1, which are combined from the left.
        double[] sum = treeSum(blocks, from, from + half);
        int at = from + half;
        while (at < to) {
            int length = Integer.highestOneBit(to - at);
            double[] next = treeSum(blocks, at, at + length);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += next[i];
            }
            at += length;
        }
        return sum;
    }

    private static Object barrier(Communicator comm) throws Exception {
        for (int i = 0; i < 20; i++) {
            comm.barrier();
        }
        Request request = comm.barrierAsync();
        request.await();
        return 0;
    }

    private static Object broadcast(Communicator comm) throws Exception {
        for (int root = 0; root < comm.size(); root++) {
            double[] values = comm.rank() == root ? draw(root, 100) : new double[100];
            comm.broadcast(Elements.of(values), root);
            require(Arrays.equals(draw(root, 100), values), "content of root " + root);
            String text = comm.broadcastValue(TEXT, comm.rank() == root ? "of " + root : null, root);
            requireEqual("of " + root, text, "value of root " + root);
        }
        return 0;
    }

    private static Object sums(Communicator comm) throws Exception {
        List<double[]> all = new ArrayList<>();
        for (int rank = 0; rank < comm.size(); rank++) {
            all.add(draw(rank, 50));
        }
        double[] expected = treeSum(all, 0, comm.size());
        double[] sum = draw(comm.rank(), 50);
        comm.allreduce(Elements.of(sum), Reduction.sum());
        require(Arrays.equals(expected, sum), "allreduce");
        for (int root = 0; root < comm.size(); root++) {
            double[] mine = draw(comm.rank(), 50);
            comm.reduce(Elements.of(mine), Reduction.sum(), root);
            require(Arrays.equals(comm.rank() == root ? expected : draw(comm.rank(), 50), mine), "reduce to " + root);
        }
        double[] strided = new double[100];
        double[] its = draw(comm.rank(), 50);
        for (int i = 0; i < 50; i++) {
            strided[2 * i] = its[i];
        }
        comm.allreduce(Elements.of(strided).slice(0, 99).blocks(50, 1, 2), Reduction.sum());
        require(strided[98] == expected[49] && strided[97] == 0, "allreduce of blocks with a stride");
        return sum;
    }

    private static Object reductions(Communicator comm) throws Exception {
        int last = comm.size() - 1;
        int[] ints = {comm.rank(), -comm.rank(), 1 << comm.rank()};
        comm.allreduce(Elements.of(ints).slice(0, 1), Reduction.max());
        comm.allreduce(Elements.of(ints).slice(1, 1), Reduction.min());
        comm.allreduce(Elements.of(ints).slice(2, 1), Reduction.or());
        require(Arrays.equals(new int[] {last, -last, (1 << comm.size()) - 1}, ints), Arrays.toString(ints));
        byte[] bytes = {(byte) (comm.rank() == 0 ? 3 : 5)};
        comm.allreduce(Elements.of(bytes), Reduction.and());
        requireEqual((byte) (comm.size() == 1 ? 3 : 1), bytes[0], "and");
        long[] longs = {comm.rank() + 2L};
        comm.allreduce(Elements.of(longs), Reduction.product());
        long expected = 1;
        for (int rank = 0; rank < comm.size(); rank++) {
            expected *= rank + 2L;
        }
        requireEqual(expected, longs[0], "product");
        float[] floats = {comm.rank() * 0.1f, comm.rank() == last ? Float.NaN : 1};
        comm.allreduce(Elements.of(floats).slice(0, 1), Reduction.sum());
        comm.allreduce(Elements.of(floats).slice(1, 1), Reduction.max());
        require(Float.isNaN(floats[1]), "NaN wins");
        short[] shorts = {(short) comm.rank()};
        comm.allreduce(Elements.of(shorts), Reduction.sum());
        requireEqual((short) (comm.size() * last / 2), shorts[0], "sum of shorts");
        return floats[0];
    }

    private static Object product(Communicator comm) throws Exception {
        double[] expected = {1, 0, 0, 1};
        for (int rank = 0; rank < comm.size(); rank++) {
            MATRIX_PRODUCT.combine(Elements.of(expected), java.lang.foreign.MemorySegment.ofArray(matrix(rank)));
        }
        double[] its = matrix(comm.rank());
        comm.allreduce(Elements.of(its), MATRIX_PRODUCT);
        require(Arrays.equals(expected, its), Arrays.toString(its));
        String all = comm.allreduceValue(TEXT, String.valueOf(comm.rank()), (a, b) -> a + "," + b);
        require(all.startsWith("0") && all.endsWith(String.valueOf(comm.size() - 1)), all);
        return its;
    }

    /** Small integers: the products are exact. */
    private static double[] matrix(int rank) {
        return new double[] {1, rank + 1, 2, rank};
    }

    /** 23 blocks, of which ranks have unequal numbers: the same bits on any number of ranks. */
    private static Object blockSums(Communicator comm) throws Exception {
        int blocks = 23;
        List<double[]> all = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            all.add(draw(100 + block, 3));
        }
        int from = blocks * comm.rank() * comm.rank() / (comm.size() * comm.size());
        int next = comm.rank() + 1;
        int to = blocks * next * next / (comm.size() * comm.size());
        double[] its = new double[(to - from) * 3];
        for (int block = from; block < to; block++) {
            System.arraycopy(all.get(block), 0, its, (block - from) * 3, 3);
        }
        double[] sum = new double[3];
        comm.allreduceBlocks(Elements.of(its), Elements.of(sum), Reduction.sum());
        require(Arrays.equals(treeSum(all, 0, blocks), sum), "the sum of the blocks");
        return sum;
    }

    private static Object scan(Communicator comm) throws Exception {
        double[] expected = draw(0, 20);
        for (int rank = 1; rank <= comm.rank(); rank++) {
            double[] its = draw(rank, 20);
            for (int i = 0; i < 20; i++) {
                expected[i] += its[i];
            }
        }
        double[] sum = draw(comm.rank(), 20);
        comm.scan(Elements.of(sum), Reduction.sum());
        require(Arrays.equals(expected, sum), "prefix sums");
        return comm.rank() == 0 ? sum : 0;
    }

    /** Rank r has r + 1 elements. */
    private static Object gather(Communicator comm) throws Exception {
        int total = comm.size() * (comm.size() + 1) / 2;
        double[] expected = new double[total];
        int at = 0;
        for (int rank = 0; rank < comm.size(); rank++) {
            System.arraycopy(draw(rank, rank + 1), 0, expected, at, rank + 1);
            at += rank + 1;
        }
        for (int root = 0; root < comm.size(); root++) {
            double[] all = new double[comm.rank() == root ? total : 0];
            comm.gather(Elements.of(draw(comm.rank(), comm.rank() + 1)), Elements.of(all), root);
            require(comm.rank() != root || Arrays.equals(expected, all), "gathered on " + root);
        }
        double[] all = new double[total];
        comm.allgather(Elements.of(draw(comm.rank(), comm.rank() + 1)), Elements.of(all));
        require(Arrays.equals(expected, all), "gathered on all");
        return all;
    }

    private static Object scatter(Communicator comm) throws Exception {
        int root = comm.size() - 1;
        long[] counts = new long[comm.size()];
        Arrays.setAll(counts, rank -> rank + 1L);
        int total = comm.size() * (comm.size() + 1) / 2;
        double[] part = new double[comm.rank() + 1];
        List<Elements> parts = comm.rank() == root ? Elements.of(draw(7, total)).split(counts) : List.of();
        comm.scatter(parts, Elements.of(part), root);
        int from = comm.rank() * (comm.rank() + 1) / 2;
        require(Arrays.equals(Arrays.copyOfRange(draw(7, total), from, from + part.length), part), "part");
        return comm.rank() == 0 ? part : 0;
    }

    private static Object alltoall(Communicator comm) throws Exception {
        List<Elements> send = new ArrayList<>();
        List<Elements> receive = new ArrayList<>();
        int[][] got = new int[comm.size()][];
        for (int rank = 0; rank < comm.size(); rank++) {
            int[] part = new int[comm.rank() + rank + 1];
            Arrays.fill(part, comm.rank() * 100 + rank);
            send.add(Elements.of(part));
            got[rank] = new int[part.length];
            receive.add(Elements.of(got[rank]));
        }
        comm.alltoall(send, receive);
        for (int rank = 0; rank < comm.size(); rank++) {
            int its = rank * 100 + comm.rank();
            require(Arrays.stream(got[rank]).allMatch(each -> each == its), "part of " + rank);
        }
        return 0;
    }

    private static Object values(Communicator comm) throws Exception {
        List<String> all = comm.allgatherValues(TEXT, "x".repeat(comm.rank() * 100));
        for (int rank = 0; rank < comm.size(); rank++) {
            requireEqual(rank * 100, all.get(rank).length(), "value of " + rank);
        }
        return all.size();
    }

    private static Object together(Communicator comm) throws Exception {
        List<Request> requests = new ArrayList<>();
        double[][] sums = new double[8][];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = draw(comm.rank() + i, 2000);
            requests.add(comm.allreduceAsync(Elements.of(sums[i]), Reduction.sum()));
        }
        int[] flag = {comm.rank() == 0 ? 5 : 0};
        requests.add(comm.broadcastAsync(Elements.of(flag), 0));
        requests.add(comm.barrierAsync());
        while (!requests.isEmpty()) {
            requests.remove(comm.awaitAny(requests)).await();
        }
        requireEqual(5, flag[0], "broadcast");
        for (int i = 0; i < sums.length; i++) {
            double[] again = draw(comm.rank() + i, 2000);
            comm.allreduce(Elements.of(again), Reduction.sum());
            require(Arrays.equals(again, sums[i]), "sum " + i);
        }
        return sums[7][1999];
    }

    private static Object split(Communicator comm) throws Exception {
        Object result;
        try (Communicator copy = comm.duplicate()) {
            int to = (comm.rank() + 1) % comm.size();
            int from = (comm.rank() + comm.size() - 1) % comm.size();
            Request first = comm.sendAsync(Elements.of(1), to, 0);
            Request second = copy.sendAsync(Elements.of(2), to, 0);
            int[] got = {0};
            copy.receive(Elements.of(got), from, 0);
            requireEqual(2, got[0], "a message of the copy");
            comm.receive(Elements.of(got), from, 0);
            requireEqual(1, got[0], "a message of the communicator");
            first.await();
            second.await();
        }
        Communicator half = comm.split(comm.rank() % 2, -comm.rank());
        require(half != null, "a communicator for each color");
        try (Communicator its = half) {
            int members = (comm.size() + 1 - comm.rank() % 2) / 2;
            requireEqual(members, its.size(), "size");
            int[] world = {comm.rank()};
            int[] all = new int[its.size()];
            its.allgather(Elements.of(world), Elements.of(all));
            for (int i = 1; i < all.length; i++) {
                require(all[i - 1] == all[i] + 2, "ordered by their keys: " + Arrays.toString(all));
            }
            double[] sum = draw(its.rank(), 10);
            its.allreduce(Elements.of(sum), Reduction.sum());
            result = comm.rank() == 0 ? sum : 0;
        }
        Communicator alone = comm.split(comm.rank() == 0 ? 3 : -1, 0);
        require((alone == null) == (comm.rank() != 0), "no communicator with the color -1");
        if (alone != null) {
            requireEqual(1, alone.size(), "size");
            alone.close();
        }
        return result;
    }

    private static Object large(Communicator comm) throws Exception {
        double[] sum = draw(comm.rank(), 300_000);
        comm.allreduce(Elements.of(sum), Reduction.sum());
        double[] copy = comm.rank() == 0 ? sum.clone() : new double[sum.length];
        comm.broadcast(Elements.of(copy), 0);
        require(Arrays.equals(sum, copy), "the sum on all ranks");
        return sum[299_999];
    }
}
