package dev.jacquard.testkit;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The memory of all reachable objects of this JVM, which a full collection counts: exact, but for objects that other
 * threads make at the same time.
 *
 * <p>Threads: any.
 */
public final class LiveObjects {
    /** A line of a histogram: rank, number of objects, their bytes, their class. */
    private static final Pattern ENTRY = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(?<bytes>\\d+)\\s+(?<type>\\S+)");

    private LiveObjects() {}

    /**
     * Returns the bytes that stay reachable after {@code work}, and were not before: the least of three runs, after one
     * to warm up, since caches and queues grow now and then.
     */
    public static long bytesKeptBy(Runnable work) {
        work.run();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 3; run++) {
            long before = bytes();
            work.run();
            least = Math.min(least, bytes() - before);
        }
        return least;
    }

    /** Returns the bytes of all reachable objects. */
    public static long bytes() {
        long bytes = count();
        for (long next = count(); next < bytes; next = count()) { // a collection frees referents of references
            bytes = next;
        }
        return bytes;
    }

    private static long count() {
        long bytes = 0;
        for (String line : histogram().lines().toList()) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.lookingAt() && !entry.group("type").contains("jdk.internal.vm.Filler")) { // a gap in the heap
                bytes += Long.parseLong(entry.group("bytes"));
            }
        }
        if (bytes == 0) {
            throw new IllegalStateException("this JVM writes histograms in a form that is not known: " + histogram());
        }
        return bytes;
    }

    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("this JVM counts no objects", e);
        }
    }
}
