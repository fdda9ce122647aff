package dev.jacquard.core.macro;

import dev.jacquard.core.kernel.BodyContext;

/** The strands of a run on the host. Threads: any. */
record HostItems<T>(MacroRun<T> run, int items) implements ForkJoinDriver.Strands {
    @Override
    public boolean runNext() {
        return run.hostNext();
    }

    @Override
    public BodyContext context() {
        return run.context();
    }

    @Override
    public void runInBackground() {
        run.session().executor().background(this::runAll);
    }

    @Override
    public void runOnVirtualThread() {
        run.session().executor().virtualThread(this::runAll);
    }
}
