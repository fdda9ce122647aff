package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A publisher feeds a run, and a subscriber drains it. */
@Timeout(120)
class ReactiveEndsTest {
    private static FlowGraph<Integer, Integer> negating() {
        return FlowGraph.build(
                "negating",
                g -> g.input()
                        .to(g.<Integer, Integer>task("negate", 2, () -> (n, out) -> out.emit(-n)))
                        .to(g.output()));
    }

    private static Session session() {
        return Session.builder().workers(3).open();
    }

    private static String messageOf(Throwable problem) {
        return String.valueOf(problem.getMessage());
    }

    private static List<Integer> sorted(List<Integer> results) {
        List<Integer> sorted = new ArrayList<>(results);
        Collections.sort(sorted);
        return sorted;
    }

    private static List<Integer> negated(int count) {
        return IntStream.range(0, count).mapToObj(n -> n + 1 - count).toList();
    }

    /** Items 0 to count - 1, sent by the thread that requests them. */
    private static final class Numbers implements Flow.Publisher<Integer>, Flow.Subscription {
        final AtomicLong requested = new AtomicLong();
        final AtomicInteger sent = new AtomicInteger();
        final CountDownLatch cancelled = new CountDownLatch(1);
        final CountDownLatch done = new CountDownLatch(1);
        private final int count;
        private final AtomicReference<Flow.Subscriber<? super Integer>> to = new AtomicReference<>();

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super Integer> given) {
            to.set(given);
            given.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            assertTrue(n > 0);
            requested.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
            Flow.Subscriber<? super Integer> its = Objects.requireNonNull(to.get());
            for (long i = 0; i < n && sent.get() < count && cancelled.getCount() > 0; i++) {
                its.onNext(sent.getAndIncrement());
            }
            if (sent.get() == count && done.getCount() > 0) {
                done.countDown();
                its.onComplete();
            }
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }
    }

    /** Keeps its signals; requests as told. */
    private static class Collector implements Flow.Subscriber<Integer> {
        final List<Integer> results = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch subscribed = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(1);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final AtomicReference<Flow.Subscription> subscription = new AtomicReference<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final long first;
        private final long each;

        Collector(long first, long each) {
            this.first = first;
            this.each = each;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            inside.incrementAndGet();
            subscription.set(given);
            if (first > 0) {
                given.request(first);
            }
            inside.decrementAndGet();
            subscribed.countDown();
        }

        @Override
        public void onNext(Integer result) {
            assertEquals(1, inside.incrementAndGet(), "signals are serial");
            results.add(result);
            if (each > 0) {
                subscription().request(each);
            }
            inside.decrementAndGet();
        }

        @Override
        public void onError(Throwable problem) {
            failure.set(problem);
            over.countDown();
        }

        @Override
        public void onComplete() {
            assertEquals(1, inside.incrementAndGet(), "signals are serial");
            over.countDown();
        }

        Flow.Subscription subscription() {
            return Objects.requireNonNull(subscription.get());
        }

        @Nullable
        Throwable failure() throws InterruptedException {
            over.await();
            return failure.get();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 20_000})
    void whatAPublisherSendsIsDelivered(int count) throws InterruptedException {
        Collector collector = new Collector(1, 1);
        try (Session session = session();
                FlowRun<Integer, Integer> run = negating().start(session)) {
            run.publisher().subscribe(collector);
            run.feed(new Numbers(count));
            assertEquals(null, collector.failure());
            assertEquals(negated(count), sorted(collector.results));
            FlowReport report = run.await();
            assertEquals(count, report.sent());
            assertEquals(count, report.delivered());
            assertEquals(0, report.undelivered());
        }
    }

    @Test
    void publishersOfTheJdkAndOtherRunsFeed() throws InterruptedException {
        Collector collector = new Collector(Long.MAX_VALUE, 0);
        FlowRun.Options bounded = FlowRun.Options.defaults().withInputBound(4);
        SubmissionPublisher<Integer> numbers = new SubmissionPublisher<>();
        try (Session session = session();
                FlowRun<Integer, Integer> first = negating().start(session, bounded);
                FlowRun<Integer, Integer> second = negating().start(session, bounded)) {
            second.publisher().subscribe(collector);
            second.feed(first.publisher());
            first.feed(numbers);
            for (int n = 0; n < 2_000; n++) {
                numbers.submit(n);
            }
            numbers.close();
            assertEquals(null, collector.failure());
            assertEquals(IntStream.range(0, 2_000).boxed().toList(), sorted(collector.results));
        }
    }

    @Test
    void itemsAreSentAsThereIsRoom() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch four = new CountDownLatch(4);
        CountDownLatch gate = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "gate",
                g -> g.input()
                        .to(g.<Integer, Integer>task("hold", 1, () -> (n, out) -> {
                            gate.await();
                            out.emit(-n);
                        }))
                        .to(g.output()));
        FlowRun.Options bounded = FlowRun.Options.defaults().withInputBound(4);
        try (Session session = session();
                FlowRun<Integer, Integer> run = graph.start(session, bounded)) {
            run.feed(() -> IntStream.range(0, 1_000)
                    .peek(n -> {
                        made.incrementAndGet();
                        four.countDown();
                    })
                    .boxed()
                    .iterator());
            four.await();
            assertTrue(made.get() <= 4 + 256, made + " items were made before there was room for them");
            gate.countDown();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(negated(1_000), sorted(results));
        }
    }

    @Test
    void anIteratorThatThrowsFailsTheRun() {
        Iterator<Integer> broken = new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                if (next == 3) {
                    throw new IllegalStateException("no file 3");
                }
                return next++;
            }
        };
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.feed(() -> broken);
            FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run.forEach(n -> {}));
            assertTrue(String.valueOf(failed.getCause()).contains("no file 3"), messageOf(failed));
            run.close();
        }
    }

    @Test
    void itemsWithoutAnIteratorFailTheRun() {
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.feed(() -> {
                throw new IllegalStateException("no folder");
            });
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(String.valueOf(failed.getCause()).contains("no folder"), messageOf(failed));
            run.close();
        }
    }

    @Test
    void aCancelEndsAnIteratorWithoutEnd() {
        try (Session session = session()) {
            FlowRun<Integer, Integer> run =
                    negating().start(session, FlowRun.Options.unbounded().withResultBound(0));
            run.feed(() -> Stream.generate(() -> 1).iterator());
            assertEquals(-1, run.iterator().next());
            run.cancel();
            assertThrows(CancellationException.class, run::await);
            run.close();
        }
    }

    @Test
    void demandIsSlots() throws InterruptedException {
        Semaphore go = new Semaphore(0);
        AtomicInteger taken = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "slow",
                g -> g.input()
                        .to(g.<Integer, Integer>task("slow", 1, () -> (n, out) -> {
                                    taken.incrementAndGet();
                                    go.acquire();
                                    out.emit(n);
                                })
                                .dedicated()
                                .oneByOne())
                        .to(g.output()));
        Numbers numbers = new Numbers(100);
        Collector collector = new Collector(Long.MAX_VALUE, 0);
        try (Session session = session();
                FlowRun<Integer, Integer> run =
                        graph.start(session, FlowRun.Options.defaults().withInputBound(8))) {
            run.publisher().subscribe(collector);
            run.feed(numbers);
            for (int n = 1; n <= 100; n++) {
                while (taken.get() < n) {
                    Thread.onSpinWait();
                }
                assertTrue(numbers.requested.get() <= 8 + n, "requested " + numbers.requested + ", taken " + n);
                go.release();
            }
            assertEquals(null, collector.failure());
        }
    }

    @Test
    void aSubscriberThatAsksForNothingHoldsThePublisherBack() throws InterruptedException {
        Numbers numbers = new Numbers(10_000);
        Collector collector = new Collector(0, 0);
        FlowRun.Options bounded = FlowRun.Options.defaults().withInputBound(8).withResultBound(16);
        try (Session session = session();
                FlowRun<Integer, Integer> run = negating().start(session, bounded)) {
            run.publisher().subscribe(collector);
            run.feed(numbers);
            while (run.report().undelivered() < 16
                    || numbers.requested.get() > run.report().undelivered()) {
                Thread.onSpinWait();
            }
            // When the last items are requested, 15 results wait, and each of the two copies has a batch from the
            // input.
            assertTrue(numbers.requested.get() <= 15 + 2 * 8 + 8, "requested " + numbers.requested);
            assertEquals(List.of(), collector.results);
            assertTrue(
                    session.snapshot().toString().contains("a subscriber has requested none of the"),
                    session.snapshot().toString());
            collector.subscription().request(3);
            while (collector.results.size() < 3) {
                Thread.onSpinWait();
            }
            collector.subscription().request(Long.MAX_VALUE - 1);
            collector.subscription().request(Long.MAX_VALUE);
            assertEquals(null, collector.failure());
            assertEquals(negated(10_000), sorted(collector.results));
        }
    }

    @Test
    void anErrorOfThePublisherFailsTheRun() throws InterruptedException {
        IllegalStateException broken = new IllegalStateException("the line is cut");
        Collector collector = new Collector(1, 1);
        try (Session session = session();
                SubmissionPublisher<Integer> numbers = new SubmissionPublisher<>()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.publisher().subscribe(collector);
            run.feed(numbers);
            numbers.submit(1);
            numbers.closeExceptionally(broken);
            FlowFailedException failed = assertInstanceOf(FlowFailedException.class, collector.failure());
            assertSame(broken, failed.getCause());
            assertTrue(
                    messageOf(failed).startsWith("flow \"negating\": \"publisher of the input\" failed in onError: "),
                    failed.getMessage());
            assertThrows(FlowFailedException.class, run::await);
            run.close(); // the subscriber was notified
        }
    }

    @Test
    void aSubscriberThatCancelsCancelsTheRunAndThePublisher() throws InterruptedException {
        Numbers numbers = new Numbers(Integer.MAX_VALUE);
        Collector collector = new Collector(1, 1) {
            @Override
            public void onNext(Integer result) {
                super.onNext(result);
                if (results.size() == 10) {
                    subscription().cancel();
                    subscription().cancel();
                    subscription().request(-1);
                }
            }
        };
        try (Session session = session();
                FlowRun<Integer, Integer> run =
                        negating().start(session, FlowRun.Options.defaults().withInputBound(8))) {
            run.publisher().subscribe(collector);
            run.feed(numbers);
            numbers.cancelled.await();
            assertThrows(CancellationException.class, run::await);
            assertEquals(10, collector.results.size());
            assertEquals(1, collector.over.getCount(), "no signal follows");
        }
    }

    @Test
    void aSubscriberThatThrowsFailsTheRun() {
        UnsupportedOperationException broken = new UnsupportedOperationException("no more");
        Collector collector = new Collector(5, 0) {
            @Override
            public void onNext(Integer result) {
                throw broken;
            }
        };
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.publisher().subscribe(collector);
            run.send(7);
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertSame(broken, failed.getCause());
            assertEquals("subscriber of the results", failed.task());
            assertEquals("-7", failed.item());
            run.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aWrongRequestFailsTheRun(long count) throws InterruptedException {
        Collector collector = new Collector(0, 0);
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.publisher().subscribe(collector);
            collector.subscription().request(count);
            IllegalArgumentException refused = assertInstanceOf(IllegalArgumentException.class, collector.failure());
            assertTrue(messageOf(refused).contains("request(" + count + ")"), refused.getMessage());
            assertSame(
                    refused, assertThrows(FlowFailedException.class, run::await).getCause());
            run.close();
        }
    }

    @Test
    void aBodyThatThrowsEndsBothEnds() throws InterruptedException {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "failing",
                g -> g.input()
                        .to(g.<Integer, Integer>task("fails", 1, () -> (n, out) -> {
                            if (n == 500) {
                                throw new IllegalStateException("500");
                            }
                            out.emit(n);
                        }))
                        .to(g.output()));
        Numbers numbers = new Numbers(Integer.MAX_VALUE);
        Collector collector = new Collector(1, 1);
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.publisher().subscribe(collector);
            run.feed(numbers);
            FlowFailedException failed = assertInstanceOf(FlowFailedException.class, collector.failure());
            assertEquals("fails", failed.task());
            assertEquals(
                    1,
                    Objects.requireNonNull(failed.report()).tasks().getFirst().failed(),
                    "the counts are final");
            numbers.cancelled.await();
            run.close();
        }
    }

    @Test
    void aPublisherThatSendsMoreThanRequestedFailsTheRun() {
        Flow.Publisher<Integer> rude = to -> to.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                for (long i = 0; i <= n; i++) {
                    to.onNext(1);
                }
            }

            @Override
            public void cancel() {}
        });
        try (Session session = session()) {
            FlowRun<Integer, Integer> run =
                    negating().start(session, FlowRun.Options.defaults().withInputBound(4));
            Collector collector = new Collector(0, 0);
            run.publisher().subscribe(collector);
            run.feed(rude);
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(messageOf(failed).contains("more items came than were requested"), failed.getMessage());
            run.close();
        }
    }

    @Test
    void aPublisherWithABrokenSubscriptionFailsTheRun() {
        try (Session session = session()) {
            FlowRun<Integer, Integer> run = negating().start(session);
            run.feed(to -> to.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long n) {
                    throw new IllegalStateException("not today");
                }

                @Override
                public void cancel() {}
            }));
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(messageOf(failed).contains("failed in request: "), failed.getMessage());
            run.close();
        }
    }

    @Test
    void secondEndsAreRefused() throws InterruptedException {
        Collector first = new Collector(1, 1);
        Collector second = new Collector(1, 1);
        try (Session session = session();
                FlowRun<Integer, Integer> run = negating().start(session)) {
            run.publisher().subscribe(first);
            run.publisher().subscribe(second);
            assertInstanceOf(IllegalStateException.class, second.failure());
            Numbers numbers = new Numbers(3);
            run.feed(numbers);
            String again = messageOf(assertThrows(IllegalStateException.class, () -> run.feed(new Numbers(1))));
            assertTrue(again.contains("is fed by a publisher already") || again.contains("no item can come in"), again);
            assertEquals(null, first.failure());
            assertThrows(IllegalStateException.class, () -> run.feed(new Numbers(1)));
        }
    }

    @Test
    void finishEndsAFeed() throws InterruptedException {
        Numbers numbers = new Numbers(Integer.MAX_VALUE);
        Collector collector = new Collector(Long.MAX_VALUE, 0);
        try (Session session = session();
                FlowRun<Integer, Integer> run =
                        negating().start(session, FlowRun.Options.defaults().withInputBound(8))) {
            run.publisher().subscribe(collector);
            run.feed(numbers);
            while (collector.results.size() < 100) {
                Thread.onSpinWait();
            }
            run.finish();
            assertEquals(null, collector.failure());
            numbers.cancelled.await();
        }
    }

    @Test
    void anEarlyCloseNotifiesBothEnds() throws InterruptedException {
        Numbers numbers = new Numbers(Integer.MAX_VALUE);
        Collector collector = new Collector(5, 0);
        try (Session session = session()) {
            try (FlowRun<Integer, Integer> run =
                    negating().start(session, FlowRun.Options.defaults().withInputBound(8))) {
                run.publisher().subscribe(collector);
                run.feed(numbers);
            }
            assertInstanceOf(CancellationException.class, collector.failure());
            numbers.cancelled.await();
        }
    }

    @Test
    void aSessionThatIsClosedOverARunNotifiesBothEnds() throws InterruptedException {
        Numbers numbers = new Numbers(Integer.MAX_VALUE);
        Collector collector = new Collector(5, 0);
        Session session = session();
        FlowRun<Integer, Integer> run =
                negating().start(session, FlowRun.Options.defaults().withInputBound(8));
        run.publisher().subscribe(collector);
        run.feed(numbers);
        assertThrows(IllegalStateException.class, session::close);
        assertInstanceOf(CancellationException.class, collector.failure());
        numbers.cancelled.await();
    }

    @Test
    void resultsAreDeliveredAfterTheRunIsDoneAndClosed() throws InterruptedException {
        Collector collector = new Collector(0, 0);
        try (Session session = session();
                FlowRun<Integer, Integer> run = negating().start(session)) {
            run.publisher().subscribe(collector);
            run.sendAll(IntStream.range(0, 10).boxed().toList());
            run.finish();
            run.await();
        }
        collector.subscription().request(10);
        assertEquals(null, collector.failure());
        assertEquals(10, collector.results.size());
    }

    @Test
    void randomDemandsLoseNothing() throws InterruptedException {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int count = random.nextInt(500);
            int inputBound = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20);
            FlowRun.Options options = new FlowRun.Options(random.nextBoolean(), inputBound, random.nextInt(20));
            Collector collector = new Collector(0, 0);
            SessionBuilder builder = Session.builder().workers(2);
            try (Session session = (random.nextBoolean() ? builder.checking() : builder).open();
                    FlowRun<Integer, Integer> run = negating().start(session, options)) {
                run.publisher().subscribe(collector);
                run.feed(new Numbers(count));
                while (collector.over.getCount() > 0) {
                    collector.subscription().request(1 + random.nextInt(30));
                    Thread.onSpinWait();
                }
                assertEquals(null, collector.failure(), "seed " + seed);
                assertEquals(negated(count), sorted(collector.results), "seed " + seed);
            }
        }
    }
}
