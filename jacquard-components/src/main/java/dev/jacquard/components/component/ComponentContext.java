package dev.jacquard.components.component;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.session.Session;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The program as an instance sees it that is a part of it. Valid until the instance is closed.
 *
 * <p>Threads: any, unless a method says otherwise.
 */
public interface ComponentContext {
    /** Returns the name of this part in the program file. */
    String name();

    /** Returns the values of its settings. */
    Settings settings();

    /** Returns the program's one session: its workers, its data, its trace. */
    Session session();

    /**
     * Returns the communicator of the ranks that run this part: all ranks in a program that runs data parallel, else
     * this one alone. Its messages are this part's own. Closed at the end of the program.
     */
    Communicator comm();

    /**
     * Returns the folder for the files of this part: that of its name in the program's output folder, or the output
     * folder itself if the program has no other part.
     */
    OutputFolder output();

    /** Returns the means to report the component's progress to a waiting user. */
    Progress progress();

    /** Returns the requests to stop: from a user who interrupts, or another component that failed. */
    Cancellation cancellation();

    /**
     * Opens a sink.
     *
     * @throws IllegalArgumentException if the component has not declared it
     */
    <T> Input<T> input(Sink<T> sink);

    /**
     * Opens a source.
     *
     * @throws IllegalArgumentException if the component has not declared it
     */
    <T> Output<T> output(Source<T> source);

    /**
     * Declares a value of the instance's own that a checkpoint must keep, such as a count of passes. Within
     * {@code open}.
     *
     * @param name unique among the names of the component
     * @param type of the value, one that has a codec
     * @param get returns the value, between executions
     * @param set takes it again, before the first execution of a program that goes on
     * @throws IllegalArgumentException if the name is taken, or there is no codec for the type; the message names it
     * @throws IllegalStateException if the instance is open already: a checkpoint would not have the values that it
     *     keeps now
     */
    <T> void keep(String name, SocketType<T> type, Supplier<T> get, Consumer<T> set);

    /**
     * Tells a finding under the name of this part; the last one counts. Within {@code open} and executions.
     *
     * @param value a text, number, boolean, or a list or map of these, which does not change afterwards: a program that
     *     goes on has the value of the time when it was saved
     */
    void result(Object value);

    /** Tells findings with lines for a reader; the last ones count. Within {@code open} and executions. */
    void report(Report report);
}
