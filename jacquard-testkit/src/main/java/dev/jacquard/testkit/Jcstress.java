package dev.jacquard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.VMSupport;

/**
 * Runs every jcstress test on the class path for a short while, longer with {@code -Djacquard.stress=true}: all in one
 * JVM of their own, since the start of a JVM takes longer than a short test. The log is below {@code target/jcstress}.
 * To run still longer, and in all compilers, start {@code org.openjdk.jcstress.Main} on the test class path.
 */
public final class Jcstress {
    /**
     * The options of all tests. One stride of an epoch: jcstress first estimates the memory of a test with growing
     * arrays, of up to one epoch, on threads that hardly meet; with its own 40 strides of 256 that takes ten times as
     * long as the test. A thread that waits for the others at the end of a stride yields, since tests run concurrently
     * with others.
     */
    private static final List<String> OPTIONS =
            List.of("-time", "150", "-strideCount", "1", "-strideSize", "128", "-spinStyle", "THREAD_YIELD", "-iters");

    private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();

    private Jcstress() {}

    /** Fails when a forbidden outcome was seen, or when not all of {@code tests} ran. */
    public static void assertNoForbiddenOutcome(int tests) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("log.txt");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx1g",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Jcstress.class.getName(),
                        String.valueOf(tests),
                        String.valueOf(Rounds.some(3)))
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertEquals(0, run.waitFor(), () -> "jcstress found a forbidden outcome, or did not run all; see " + log);
        } finally {
            run.destroyForcibly();
        }
    }

    /**
     * Runs all tests, one after the other, and exits with 0 when all have passed.
     *
     * @param arguments the number of the tests; how often each is to run, for 150 ms at a time
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Field processors = VMSupport.class.getDeclaredField("HOT_CPUS"); // else a second of full load counts them
        processors.setAccessible(true);
        processors.setInt(null, Runtime.getRuntime().availableProcessors());
        List<String> all = new ArrayList<>(OPTIONS);
        all.add(arguments[1]);
        Options options = new Options(all.toArray(String[]::new));
        int passed = 0;
        for (String test : options.parse() ? TestList.tests() : List.<String>of()) {
            TestResult result = run(options, TestList.getInfo(test));
            passed += result.status() == Status.NORMAL && result.grading().isPassed ? 1 : 0;
            System.out.println(test + ": " + result.getTotalCount() + " samples, " + result.status() + " "
                    + result.getMessages() + " " + result.grading().failureMessages);
        }
        System.out.println(passed + " of " + arguments[0] + " passed");
        System.exit(passed == Integer.parseInt(arguments[0]) ? 0 : 1); // a test that hangs has left threads
    }

    private static TestResult run(Options options, TestInfo test) throws ReflectiveOperationException {
        SchedulingClass anywhere = new SchedulingClass(AffinityMode.NONE, test.threads(), NodeType.PACKAGE);
        TestConfig config = new TestConfig(options, test, 0, List.of(), 0, anywhere);
        Runner<?> runner = Class.forName(test.generatedRunner())
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        return result;
    }
}
