package dev.jacquard.components.component;

import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
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
     * @throws dev.jacquard.components.program.InputException if what the user gave cannot be used
     * @throws java.util.concurrent.CancellationException if it stopped because of the job's {@code cancellation}
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
}
