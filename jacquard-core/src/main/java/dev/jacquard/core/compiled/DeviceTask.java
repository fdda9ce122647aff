package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.WorkerContext;

/**
 * A task that runs on a device: the worker of that device begins, launches and ends it, so that the next kernel need
 * not wait until another thread is woken.
 */
final class DeviceTask extends CompiledTask {
    private final StagedStep step;

    DeviceTask(RunState run, KernelBody body, TaskTraits traits, StagedStep step) {
        super(run, body, traits);
        this.step = step;
    }

    StagedStep step() {
        return step;
    }

    @Override
    void counted(WorkerContext context) {
        context.readyAtEnd(step.node());
    }

    @Override
    void countedBeside(WorkerContext context) {
        context.ready(step.node());
    }

    /** {@inheritDoc} The limit of tasks at a time is the host's. */
    @Override
    boolean perform(WorkerContext context) {
        reset();
        return performWhereAllowed(context);
    }

    /** {@inheritDoc} Sends the task to its device, unless it comes from there. */
    @Override
    boolean performWhereAllowed(WorkerContext context) {
        if (step.phase() == StagedStep.Phase.OVER) {
            return super.performWhereAllowed(context);
        }
        context.ready(step.node());
        return false;
    }

    /** Begins the task, or goes on with it. By the worker of the device. */
    void performThere(WorkerContext context) {
        reset();
        if (super.performWhereAllowed(context)) {
            releaseAll(context, run.alone);
        }
        step.ahead().tellPutOff();
    }
}
