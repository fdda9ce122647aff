package dev.jacquard.apps.program;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Something a program file can run. To add one: a class with a public constructor without parameters, named in the
 * module's {@code provides} and in {@code META-INF/services}.
 */
public interface Application {
    /** The name behind {@code component:} in a program file: lower case, with hyphens. */
    String name();

    /** A description of the work, in one line. */
    String description();

    /** All settings that it takes, in the order in which they are listed for users. */
    List<Setting<?>> settings();

    /** The part of the data folders in which it looks for its inputs. */
    default String dataFolder() {
        return name();
    }

    /** Returns true if its loops run in lanes where the JVM has the Vector API: the launcher then asks for it. */
    default boolean computesInLanes() {
        return false;
    }

    /** Returns true if it can go on from where an earlier run was stopped. */
    default boolean resumes() {
        return false;
    }

    /**
     * Does the work. Everything that can be checked is checked before the work starts.
     *
     * @throws InputException if what the user gave cannot be used
     * @throws java.util.concurrent.CancellationException if it stopped because of {@link Cancellation}
     * @throws Exception if the work failed
     */
    Report run(Job run) throws Exception;

    /** Returns all components on the class path or module path, by name. */
    static List<Application> all() {
        return ServiceLoader.load(Application.class, Application.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Application::name))
                .toList();
    }

    /**
     * One run of a component.
     *
     * @param settings the values of its settings
     * @param output where its files go
     * @param progress what it tells a waiting user
     * @param cancellation asks it to stop
     * @param resumes true to go on from what an earlier run has left in the output folder
     */
    record Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation, boolean resumes) {
        /** A run from the beginning. */
        public Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation) {
            this(settings, output, progress, cancellation, false);
        }
    }

    /** Tells a user how far a component is. Any thread may call it; calls are cheap. */
    interface Progress {
        /** Ignores all calls. */
        Progress NONE = new Progress() {
            @Override
            public void start(String stage, long steps) {}

            @Override
            public void advance(long steps) {}
        };

        /** Begins a stage of {@code steps} steps, and ends the one before, if any. */
        void start(String stage, long steps);

        /** Counts {@code steps} more steps of the stage as done. */
        void advance(long steps);
    }
}
