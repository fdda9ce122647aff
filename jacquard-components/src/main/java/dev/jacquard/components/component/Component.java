package dev.jacquard.components.component;

import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A part of programs that are put together in a file: its sinks and settings, its sources, and the method that opens
 * it. To add one: a class with a public constructor without parameters, named in the module's {@code provides} and in
 * {@code META-INF/services}.
 *
 * <p>One component may stand in a program several times, under different names; each time is a separate
 * {@link Instance}. The component itself has no state.
 *
 * <p>Source: seed of the component front, sections 5.3.2 and 5.3.5.
 */
public interface Component {
    /** The name after {@code component:} in a program file: lower case, with hyphens. */
    String name();

    /** A description of the work, in one line. */
    String description();

    /** All settings that it takes, in the order in which they are listed for users. */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * Checks settings that are right one by one, before anything runs.
     *
     * @throws dev.jacquard.components.program.InputException if they do not go together
     */
    default void check(Settings settings) {}

    /**
     * Checks the same settings for a program in which this is one of several components, after {@link #check}.
     *
     * @throws dev.jacquard.components.program.InputException if they are for a component that runs alone
     */
    default void checkPart(Settings settings) {}

    /**
     * All sinks and sources, in the order in which they are listed for users. They may depend on the settings, and on
     * nothing else: the same settings give the same sockets.
     */
    default List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of();
    }

    /**
     * Returns the ways of running a program in which it may take part: all but {@link RunMode#DATA_PARALLEL}, which
     * needs a component that shares its data over {@link ComponentContext#comm}.
     */
    default Set<RunMode> modes() {
        return Set.of(RunMode.SERIAL, RunMode.PARALLEL, RunMode.TASK_PARALLEL);
    }

    /**
     * Returns the work of an execution, relative to that of other components: the shares of ranks are balanced by it.
     */
    default double weight(Settings settings) {
        return 1;
    }

    /**
     * Returns true if an execution never waits: not for tasks, files, locks or time. Such a component runs as a node of
     * the engine in a parallel program; any other is executed on a platform thread that no other execution has at that
     * time.
     */
    default boolean neverWaits() {
        return false;
    }

    /**
     * Returns the setting that limits the passes of a loop which the component ends: a resumed program may change it,
     * and progress shows it. One of {@link #settings}; empty if there is none.
     */
    default Optional<Setting<Integer>> passLimit() {
        return Optional.empty();
    }

    /** The part of the data folders in which it looks for its inputs. */
    default String dataFolder() {
        return name();
    }

    /** Returns true if its loops run in lanes where the JVM has the Vector API: the launcher then asks for it. */
    default boolean computesInLanes() {
        return false;
    }

    /**
     * Opens an instance, before any component of the program is executed.
     *
     * @throws dev.jacquard.components.program.InputException if the user's input cannot be used
     * @throws Exception if it cannot be opened for another reason
     */
    Instance open(ComponentContext context) throws Exception;

    /**
     * An opened component of a running program.
     *
     * <p>Threads: {@code execute} and {@code close} are called one at a time, by any thread; the writes of one call are
     * seen by the next one.
     */
    interface Instance {
        /**
         * Does its work once: reads its sinks and sets its sources. In a loop it is called in each pass.
         *
         * @return of a loop's exit: false for another pass, true to leave the loop. Ignored of others
         * @throws dev.jacquard.components.program.InputException if the user's input cannot be used
         * @throws Exception if the work failed, which ends the program
         */
        boolean execute() throws Exception;

        /** Releases its resources. Always called once at the end, also of a program that failed. */
        default void close() throws Exception {}
    }
}
