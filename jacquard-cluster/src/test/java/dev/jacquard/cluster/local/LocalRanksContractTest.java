package dev.jacquard.cluster.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.cluster.testing.Check;
import dev.jacquard.cluster.testing.CommunicatorContract;
import dev.jacquard.cluster.testing.ContractMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The contract of communicators on ranks inside this process. */
@Timeout(120)
class LocalRanksContractTest {
    private static Stream<DynamicTest> contract(LocalRanks ranks, String name) {
        return CommunicatorContract.all().stream()
                .map(check -> DynamicTest.dynamicTest(
                        check.name() + ", " + name,
                        () -> ranks.run(comm -> {
                            check.body().run(comm);
                            return 0;
                        })));
    }

    @TestFactory
    Stream<DynamicTest> onThreadsOfThePlatform() {
        return Stream.of(1, 2, 3, 4, 7).flatMap(size -> contract(LocalRanks.of(size), size + " ranks"));
    }

    @TestFactory
    Stream<DynamicTest> onVirtualThreads() {
        return Stream.of(4, 16)
                .flatMap(size -> contract(LocalRanks.of(size).onVirtualThreads(), size + " virtual ranks"));
    }

    @TestFactory
    Stream<DynamicTest> inDrawnOrders() {
        return Stream.of(1L, 2L, 3L, 4L, 5L)
                .flatMap(seed -> contract(LocalRanks.of(4).inOrderOf(seed), "order of " + seed));
    }

    @TestFactory
    Stream<DynamicTest> overLinks() {
        return contract(LocalRanks.of(3).over(new LocalRanks.Link(Duration.ofNanos(50_000), 1e9)), "over links");
    }

    /** The results are the same on each transport; those of blocks also on each number of ranks. */
    @TestFactory
    Stream<DynamicTest> resultsAreTheSameToTheBit() {
        return CommunicatorContract.all().stream()
                .map(check -> DynamicTest.dynamicTest(check.name(), () -> {
                    for (int size = 1; size <= 5; size++) {
                        String first = result(LocalRanks.of(size), check);
                        assertEquals(first, result(LocalRanks.of(size).onVirtualThreads(), check));
                        assertEquals(first, result(LocalRanks.of(size).inOrderOf(size), check));
                    }
                }));
    }

    private static String result(LocalRanks ranks, Check check) throws InterruptedException {
        List<String> all =
                new ArrayList<>(ranks.run(comm -> ContractMain.text(check.body().run(comm))));
        return all.getFirst();
    }
}
