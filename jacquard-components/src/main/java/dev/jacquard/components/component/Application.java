package dev.jacquard.components.component;

import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import java.util.List;

/**
 * A component that can run alone: a program file may name it, and nothing else, under {@code component:}. Where it
 * takes part in a larger program, all of its sinks may be empty. To add one, see {@link Component}.
 */
public interface Application extends Component {
    @Override
    List<Setting<?>> settings();

    /** Returns true if it can go on from where an earlier run was stopped. */
    default boolean resumes() {
        return false;
    }

    /**
     * Does the work. Everything that can be checked is checked before the work starts. When the job is cancelled, the
     * calling thread is interrupted, unless a task runs on it: then as soon as that is over.
     *
     * @throws dev.jacquard.components.program.InputException if the user's input cannot be used
     * @throws java.util.concurrent.CancellationException if it stopped because of the job's {@code cancellation}
     * @throws Exception if the work failed
     */
    Report run(Job run) throws Exception;

    /**
     * Opens an instance that runs the whole application in each execution, from the beginning. An application with
     * sockets, or with tasks, overrides it: to read and set them, and to use the program's session.
     */
    @Override
    default Instance open(ComponentContext context) throws Exception {
        Job job = Job.of(context);
        return () -> {
            context.report(run(job));
            return true;
        };
    }
}
