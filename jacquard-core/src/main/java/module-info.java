/** The tasks: their graphs, live and compiled, and the sessions that run them. Brings all that it stands on. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those above are built later
module dev.jacquard.core {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;
    requires transitive dev.jacquard.engine;
    requires transitive dev.jacquard.insight;
    requires transitive dev.jacquard.memory;

    exports dev.jacquard.core.compiled;
    exports dev.jacquard.core.execution to
            dev.jacquard.flow;
    exports dev.jacquard.core.graph;
    exports dev.jacquard.core.kernel;
    exports dev.jacquard.core.macro;
    exports dev.jacquard.core.session;

    uses dev.jacquard.core.compiled.Scheduler;
}
