package dev.jacquard.cluster.message;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of a communicator, by messages.
 *
 * <p>Each has a number, the same on all ranks, which is the tag of its messages. A message of another operation with
 * that number, or of an earlier one that was not received, shows that ranks have called different operations.
 *
 * <p>Threads: any; operations are numbered in the order of the calls.
 */
final class Collectives {
    private final RankCommunicator communicator;
    private final Channel channel;
    private final OpenCollectives open = new OpenCollectives();

    Collectives(RankCommunicator communicator, Channel channel) {
        this.communicator = communicator;
        this.channel = channel;
    }

    private Collective operation(byte code, Collective.Action action) {
        return new Collective(communicator, channel, open, code, action);
    }

    /** Returns the number of the operation that comes next. */
    int next() {
        return open.next();
    }

    private int rank() {
        return communicator.rank();
    }

    private int size() {
        return communicator.size();
    }

    Collective barrier() {
        return operation(Collective.BARRIER, its -> {
            for (int distance = 1; distance < size(); distance *= 2) {
                Operation sent = its.send((rank() + distance) % size(), Elements.none());
                its.receive((rank() + size() - distance) % size(), Elements.none());
                sent.await();
            }
        });
    }

    Collective broadcast(Elements elements, int root) {
        return operation(Collective.BROADCAST, its -> broadcast(its, elements, root));
    }

    /** Down a binomial tree: a rank receives from the one without its lowest bit, counted from the root. */
    private void broadcast(Collective its, Elements elements, int root) throws InterruptedException {
        int here = (rank() + size() - root) % size();
        int bit = 1;
        while (bit < size() && (here & bit) == 0) {
            bit *= 2;
        }
        if (here != 0) {
            its.receive((here - bit + root) % size(), elements);
        }
        List<Operation> sent = new ArrayList<>();
        for (int below = bit / 2; below > 0; below /= 2) {
            if (here + below < size()) {
                sent.add(its.send((here + below + root) % size(), elements));
            }
        }
        Collective.awaitAll(sent);
    }

    <T> T broadcastValue(Codec<T> codec, @Nullable T value, int root) throws InterruptedException {
        boolean isRoot = rank() == root;
        if (isRoot && value == null) {
            throw new IllegalArgumentException("the value of the root of a broadcast is null");
        }
        MemorySegment[] bytes = {
            isRoot ? Values.write(codec, Objects.requireNonNull(value)).memory() : MemorySegment.NULL
        };
        operation(Collective.BROADCAST_VALUE, its -> {
                    long[] length = {bytes[0].byteSize()};
                    broadcast(its, Elements.of(length), root);
                    if (!isRoot) {
                        bytes[0] = Buffers.allocate(length[0]);
                    }
                    broadcast(its, bytesOf(bytes[0]), root);
                })
                .run();
        return isRoot ? Objects.requireNonNull(value) : read(codec, root, bytes[0]);
    }

    private static Elements bytesOf(MemorySegment memory) {
        return Elements.of(memory, ValueLayout.JAVA_BYTE);
    }

    private <T> T read(Codec<T> codec, int source, MemorySegment bytes) {
        WholeReceive whole = new WholeReceive(source, 0, communicator.operation("a value", source, 0));
        whole.envelope = new Envelope(0, source, 0, Envelope.VALUE, (byte) 0, bytes.byteSize());
        whole.bytes = bytes;
        return Values.read(communicator, codec, whole);
    }

    Collective reduce(Elements elements, Reduction with, int root) {
        return operation(Collective.REDUCE, its -> {
            BlockTree tree = oneBlock(elements, with);
            reduce(its, tree, elements);
            if (rank() == 0 && root == 0) {
                tree.finish(elements);
            } else if (rank() == 0) {
                Elements result = bytesLike(elements);
                tree.finish(result);
                its.send(root, result).await();
            } else if (rank() == root) {
                its.receive(0, elements);
            }
        });
    }

    private static Elements bytesLike(Elements elements) {
        return Elements.of(Buffers.allocate(elements.byteSize()), elements.type());
    }

    private BlockTree oneBlock(Elements elements, Reduction with) {
        BlockTree tree = new BlockTree(elements.type(), elements.byteSize(), with);
        MemorySegment values = elements.memory();
        if (!elements.isContiguous()) {
            values = Buffers.allocate(elements.byteSize());
            elements.copyTo(values);
        }
        tree.add(rank(), values);
        return tree;
    }

    /** Up a tree in which each rank joins its range with the next one; at its end rank 0 has all. */
    private void reduce(Collective its, BlockTree tree, Elements block) throws InterruptedException {
        for (int distance = 1; distance < size(); distance *= 2) {
            if ((rank() & distance) != 0) {
                its.sendAs(rank() - distance, bytesOf(tree.toMessage()), block.type())
                        .await();
                return;
            }
            if (rank() + distance < size()) {
                MemorySegment message = its.receiveAll(rank() + distance, block.type(), tree::takes, block);
                tree.addMessage(message);
            }
        }
    }

    Collective allreduce(Elements elements, Reduction with) {
        return operation(Collective.ALLREDUCE, its -> {
            BlockTree tree = oneBlock(elements, with);
            reduce(its, tree, elements);
            if (rank() == 0) {
                tree.finish(elements);
            }
            broadcast(its, elements, 0);
        });
    }

    Collective allreduceBlocks(Elements blocks, Elements into, Reduction with) {
        if (!blocks.isContiguous()
                || (blocks.type() != into.type() && blocks.count() > 0)
                || into.count() == 0
                || blocks.count() % into.count() != 0) {
            throw new IllegalArgumentException("blocks of " + blocks + " reduced into " + into
                    + ": expected contiguous blocks of the same type, each with as many elements as the result");
        }
        return operation(Collective.ALLREDUCE_BLOCKS, its -> {
            long[] counts = new long[size()];
            long here = blocks.count() / into.count();
            gather(its, Elements.of(here), Elements.of(counts), 0);
            broadcast(its, Elements.of(counts), 0);
            if (Arrays.stream(counts).sum() == 0) {
                throw new CommunicationException("no rank has a block to reduce" + communicator.where());
            }
            BlockTree tree = new BlockTree(into.type(), into.byteSize(), with);
            long first = Arrays.stream(counts, 0, rank()).sum();
            for (long i = 0; i < here; i++) {
                tree.add(first + i, blocks.memory().asSlice(i * into.byteSize(), into.byteSize()));
            }
            reduce(its, tree, into);
            if (rank() == 0) {
                tree.finish(into);
            }
            broadcast(its, into, 0);
        });
    }

    Collective scan(Elements elements, Reduction with) {
        return operation(Collective.SCAN, its -> {
            Elements mine = bytesLike(elements);
            elements.copyTo(mine.memory());
            if (rank() > 0) {
                Elements before = bytesLike(elements);
                its.receive(rank() - 1, before);
                with.combine(before, mine.memory());
                elements.fill(before.memory());
            }
            if (rank() + 1 < size()) {
                its.send(rank() + 1, elements).await();
            }
        });
    }

    Collective gather(Elements part, Elements all, int root) {
        return operation(Collective.GATHER, its -> gather(its, part, all, root));
    }

    private void gather(Collective its, Elements part, Elements all, int root) throws InterruptedException {
        if (rank() != root) {
            its.send(root, part).await();
            return;
        }
        long size = all.type().byteSize();
        long from = 0;
        for (int source = 0; source < size(); source++) {
            long rest = all.count() - from;
            if (source == root) {
                its.requireFit(part, all, rest);
                part.copyTo(all.slice(from, part.count()));
                from += part.count();
            } else {
                MemorySegment bytes = its.receiveAll(source, all.type(), got -> got <= rest * size, all);
                all.slice(from, bytes.byteSize() / size).fill(bytes);
                from += bytes.byteSize() / size;
            }
        }
        if (from != all.count()) {
            throw its.failure(
                    "all ranks together gather " + from + " elements, and rank " + root + " has room for " + all);
        }
    }

    Collective allgather(Elements part, Elements all) {
        return operation(Collective.ALLGATHER, its -> {
            gather(its, part, all, 0);
            broadcast(its, all, 0);
        });
    }

    <T> List<T> allgatherValues(Codec<T> codec, T value) throws InterruptedException {
        MemorySegment mine = Values.write(codec, value).memory();
        long[] lengths = new long[size()];
        MemorySegment[] all = {MemorySegment.NULL};
        operation(Collective.ALLGATHER_VALUES, its -> {
                    gather(its, Elements.of(mine.byteSize()), Elements.of(lengths), 0);
                    broadcast(its, Elements.of(lengths), 0);
                    all[0] = Buffers.allocate(Arrays.stream(lengths).sum());
                    gather(its, bytesOf(mine), bytesOf(all[0]), 0);
                    broadcast(its, bytesOf(all[0]), 0);
                })
                .run();
        List<T> values = new ArrayList<>(size());
        long from = 0;
        for (int source = 0; source < size(); source++) {
            values.add(source == rank() ? value : read(codec, source, all[0].asSlice(from, lengths[source])));
            from += lengths[source];
        }
        return values;
    }

    Collective scatter(List<Elements> parts, Elements into, int root) {
        if (rank() == root) {
            requireParts("parts to scatter", parts);
        }
        return operation(Collective.SCATTER, its -> {
            if (rank() != root) {
                its.receive(root, into);
                return;
            }
            List<Operation> sent = new ArrayList<>();
            for (int to = 0; to < size(); to++) {
                if (to != root) {
                    sent.add(its.send(to, parts.get(to)));
                }
            }
            its.requireSame(parts.get(root), into);
            parts.get(root).copyTo(into);
            Collective.awaitAll(sent);
        });
    }

    private void requireParts(String what, List<Elements> parts) {
        if (parts.size() != size()) {
            throw new IllegalArgumentException(parts.size() + " " + what + " on rank " + rank() + ", and " + size()
                    + " ranks" + communicator.where() + ": expected one for each");
        }
    }

    Collective alltoall(List<Elements> send, List<Elements> receive) {
        requireParts("parts to send", send);
        requireParts("parts to receive", receive);
        return operation(Collective.ALLTOALL, its -> {
            List<Operation> sent = new ArrayList<>();
            for (int distance = 1; distance < size(); distance++) {
                int to = (rank() + distance) % size();
                sent.add(its.send(to, send.get(to)));
            }
            its.requireSame(send.get(rank()), receive.get(rank()));
            send.get(rank()).copyTo(receive.get(rank()));
            for (int distance = 1; distance < size(); distance++) {
                int from = (rank() + size() - distance) % size();
                its.receive(from, receive.get(from));
            }
            Collective.awaitAll(sent);
        });
    }

    /** Returns the group of the ranks with this color; null for the color -1. */
    @Nullable
    Group split(Group group, int color, int key) throws InterruptedException {
        long[] all = new long[2 * size()];
        operation(Collective.SPLIT, its -> {
                    gather(its, Elements.of((long) color, (long) key), Elements.of(all), 0);
                    broadcast(its, Elements.of(all), 0);
                })
                .run();
        if (color < 0) {
            return null;
        }
        int[] members = IntStream.range(0, size())
                .filter(rank -> all[2 * rank] == color)
                .boxed()
                .sorted(Comparator.comparingLong(rank -> all[2 * rank + 1]))
                .mapToInt(Integer::intValue)
                .toArray();
        int here = 0;
        int[] world = new int[members.length];
        for (int i = 0; i < members.length; i++) {
            here = members[i] == rank() ? i : here;
            world[i] = group.world(members[i]);
        }
        return new Group(here, members.length, world);
    }
}
