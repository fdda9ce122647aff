package dev.jacquard.cluster.testing;

import static dev.jacquard.cluster.testing.Check.failure;
import static dev.jacquard.cluster.testing.Check.requireContains;
import static dev.jacquard.cluster.testing.Check.requireEqual;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.Request;
import java.util.List;

/** Errors that name both sides, after which communication goes on. */
final class MisuseChecks {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);

    private MisuseChecks() {}

    static List<Check> all() {
        return List.of(
                new Check("a wrong type names both sides", MisuseChecks::wrongType),
                new Check("too small a place names both sides", MisuseChecks::tooSmall),
                new Check("a wrong value names both classes", MisuseChecks::wrongValue),
                new Check("wrong arguments are refused", MisuseChecks::arguments),
                new Check("unequal collective operations name both ranks", MisuseChecks::unequalOperations),
                new Check("unequal numbers of elements name both ranks", MisuseChecks::unequalElements),
                new Check("a reduction that does not fit fails on all ranks", MisuseChecks::wrongReduction),
                new Check("messages that nobody received are listed", MisuseChecks::unreceived));
    }

    private static Object wrongType(Communicator comm) throws Exception {
        Request sent = comm.sendAsync(Elements.of(1, 2, 3), comm.rank(), 4);
        String text = failure(
                CommunicationException.class,
                () -> comm.receive(Elements.of(new double[3]), Communicator.ANY_SOURCE, 4));
        requireContains(text, "rank " + comm.rank(), "3 int elements", "3 double elements", "tag 4");
        sent.await();
        return text.replace("rank " + comm.rank(), "rank r");
    }

    private static Object tooSmall(Communicator comm) throws Exception {
        for (int length : new int[] {4, 400_000}) {
            int to = (comm.rank() + 1) % comm.size();
            int from = (comm.rank() + comm.size() - 1) % comm.size();
            Request sent = comm.sendAsync(Elements.of(new double[length]), to, 4);
            String text =
                    failure(CommunicationException.class, () -> comm.receive(Elements.of(new double[3]), from, 4));
            requireContains(text, "rank " + from + " sent " + length + " double elements", "3 double elements");
            sent.await();
            Request next = comm.sendAsync(Elements.of(5.0), to, 4);
            double[] got = {0};
            comm.receive(Elements.of(got), from, 4);
            requireEqual(5.0, got[0], "the next message");
            next.await();
        }
        return 0;
    }

    private static Object wrongValue(Communicator comm) throws Exception {
        Request sent = comm.sendValueAsync(TEXT, "text", comm.rank(), 0);
        String text = failure(
                CommunicationException.class,
                () -> comm.receiveValue(Codecs.standard().of(double[].class), comm.rank(), 0));
        requireContains(text, "java.lang.String", "double[]");
        sent.await();
        Request elements = comm.sendAsync(Elements.of(1.5), comm.rank(), 0);
        requireContains(
                failure(CommunicationException.class, () -> comm.receiveValue(TEXT, comm.rank(), 0)),
                "1 double element",
                "java.lang.String");
        elements.await();
        return 0;
    }

    private static Object arguments(Communicator comm) throws Exception {
        Elements one = Elements.of(1);
        requireContains(
                failure(IllegalArgumentException.class, () -> comm.send(one, comm.size(), 0)),
                "rank " + comm.size(),
                "from 0 to " + (comm.size() - 1));
        failure(IllegalArgumentException.class, () -> comm.send(one, -1, 0));
        failure(IllegalArgumentException.class, () -> comm.receive(one, -2, 0));
        requireContains(failure(IllegalArgumentException.class, () -> comm.send(one, 0, -1)), "tag -1");
        failure(IllegalArgumentException.class, () -> comm.receive(one, 0, -2));
        failure(IllegalArgumentException.class, () -> comm.broadcast(one, comm.size()));
        failure(IllegalArgumentException.class, () -> comm.split(-2, 0));
        failure(IllegalArgumentException.class, () -> comm.alltoall(List.of(), List.of()));
        failure(IllegalArgumentException.class, () -> comm.awaitAny(List.of()));
        return 0;
    }

    private static Object unequalOperations(Communicator comm) throws Exception {
        if (comm.size() == 1) {
            return 0;
        }
        try (Communicator copy = comm.duplicate()) {
            boolean isLast = comm.rank() == comm.size() - 1;
            String text = failure(CommunicationException.class, () -> {
                if (isLast) {
                    copy.allreduce(Elements.of(1.0), Reduction.sum());
                } else {
                    copy.allgather(Elements.of(1), Elements.of(new int[copy.size()]));
                }
                copy.barrier();
                copy.barrier();
            });
            requireContains(text, "allreduce", "allgather", "rank " + (comm.size() - 1));
        }
        return 0;
    }

    private static Object unequalElements(Communicator comm) throws Exception {
        if (comm.size() == 1) {
            return 0;
        }
        try (Communicator copy = comm.duplicate()) {
            String text = failure(CommunicationException.class, () -> {
                copy.broadcast(Elements.of(new double[comm.rank() == 0 ? 5 : 4]), 0);
                copy.barrier();
            });
            requireContains(text, "rank 0", "5 double elements", "4 double elements", "broadcast");
        }
        return 0;
    }

    private static Object wrongReduction(Communicator comm) throws Exception {
        if (comm.size() == 1) {
            return 0;
        }
        try (Communicator copy = comm.duplicate()) {
            String text = failure(CommunicationException.class, () -> {
                copy.allreduce(Elements.of(1.0), Reduction.and());
                copy.barrier();
            });
            requireContains(text, "AND", "integers");
        }
        return 0;
    }

    private static Object unreceived(Communicator comm) throws Exception {
        int to = (comm.rank() + 1) % comm.size();
        int from = (comm.rank() + comm.size() - 1) % comm.size();
        comm.send(Elements.of(1, 2), to, 77);
        comm.barrier();
        while (comm.unreceived().isEmpty()) {
            comm.poll(from, 78); // moves messages on
        }
        String left = comm.unreceived().getFirst();
        requireContains(left, "2 int elements of rank " + from + " with tag 77");
        comm.receive(Elements.of(new int[2]), from, 77);
        requireEqual(List.of(), comm.unreceived(), "messages that are left");
        return 0;
    }
}
