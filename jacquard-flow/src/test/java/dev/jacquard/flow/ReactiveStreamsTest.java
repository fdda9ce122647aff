package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;

/** The rules of Reactive Streams, by its own test kit: each of its tests is one here. */
class ReactiveStreamsTest {
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final long QUIET_MILLIS = 50;
    /** The time between two looks for an expected error, the first of which is after that time. */
    private static final long POLL_MILLIS = 20;

    private static final int MOST = 5_000;

    private final ConcurrentLinkedQueue<AutoCloseable> open = new ConcurrentLinkedQueue<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one = open.poll(); one != null; one = open.poll()) {
            one.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> publishersOfResultsKeepTheRules() {
        return tests(Results::new);
    }

    @TestFactory
    Stream<DynamicTest> subscribersOfInputsKeepTheRules() {
        return tests(Inputs::new);
    }

    private Stream<DynamicTest> tests(Supplier<?> kit) {
        List<Method> tests = Arrays.stream(kit.get().getClass().getMethods())
                .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        assertTrue(tests.size() > 20, "the tests of the kit are found: " + tests);
        return tests.stream()
                .map(test -> DynamicTest.dynamicTest(test.getName(), () -> {
                    try {
                        run(kit.get(), test);
                    } finally {
                        closeAll();
                    }
                }));
    }

    private static void run(Object kit, Method test) throws Throwable {
        call(kit, BeforeClass.class);
        call(kit, BeforeMethod.class);
        try {
            test.invoke(kit);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SkipException skipped
                    ? new TestAbortedException(skipped.getMessage(), skipped)
                    : e.getCause();
        } finally {
            call(kit, AfterClass.class);
        }
    }

    private static void call(Object kit, Class<? extends Annotation> when) throws ReflectiveOperationException {
        for (Method method : kit.getClass().getMethods()) {
            if (method.isAnnotationPresent(when)) {
                method.invoke(kit);
            }
        }
    }

    private FlowRun<Integer, Integer> start(boolean fails) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "kit",
                g -> g.input()
                        .to(g.<Integer, Integer>task("pass", 1, () -> (n, out) -> {
                            if (fails) {
                                throw new IllegalStateException("as told");
                            }
                            out.emit(n);
                        }))
                        .to(g.output()));
        Session session = Session.builder().workers(2).open();
        FlowRun<Integer, Integer> run = graph.start(session);
        open.add(() -> {
            try (session) {
                run.close();
            } catch (RuntimeException e) { // tests of failures
                assertTrue(!(e instanceof NullPointerException), e::toString);
            }
        });
        return run;
    }

    /** Tests of the publisher of results. */
    public final class Results extends FlowPublisherVerification<Integer> {
        Results() {
            super(new TestEnvironment(TIMEOUT_MILLIS, QUIET_MILLIS, POLL_MILLIS));
        }

        @Override
        public Flow.Publisher<Integer> createFlowPublisher(long elements) {
            FlowRun<Integer, Integer> run = start(false);
            run.sendAll(IntStream.range(0, (int) elements).boxed().toList());
            run.finish();
            return run.publisher();
        }

        @Override
        public Flow.Publisher<Integer> createFailedFlowPublisher() {
            FlowRun<Integer, Integer> run = start(true);
            run.send(1);
            assertThrows(FlowFailedException.class, run::await);
            return run.publisher();
        }

        @Override
        public long maxElementsFromPublisher() {
            return MOST;
        }
    }

    /** Tests of the subscriber that feeds a run. */
    public final class Inputs extends FlowSubscriberBlackboxVerification<Integer> {
        Inputs() {
            super(new TestEnvironment(TIMEOUT_MILLIS, QUIET_MILLIS, POLL_MILLIS));
        }

        @Override
        public Flow.Subscriber<Integer> createFlowSubscriber() {
            AtomicReference<Flow.Subscriber<? super Integer>> subscriber = new AtomicReference<>();
            start(false).feed(subscriber::set);
            @SuppressWarnings("unchecked") // it takes integers
            Flow.Subscriber<Integer> its = (Flow.Subscriber<Integer>) Objects.requireNonNull(subscriber.get());
            return its;
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }
    }
}
