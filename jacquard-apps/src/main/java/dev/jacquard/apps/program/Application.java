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
}
