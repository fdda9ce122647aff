/** The engine: clock, trace, accesses, dependencies, task graphs and workers. Needs nothing but the Java platform. */
module dev.jacquard.core {
    requires static org.jspecify;

    exports dev.jacquard.core.access;
    exports dev.jacquard.core.analysis;
    exports dev.jacquard.core.cache;
    exports dev.jacquard.core.clock;
    exports dev.jacquard.core.coherence;
    exports dev.jacquard.core.compiled;
    exports dev.jacquard.core.data;
    exports dev.jacquard.core.device;
    exports dev.jacquard.core.device.emulated;
    exports dev.jacquard.core.device.link;
    exports dev.jacquard.core.drawing;
    exports dev.jacquard.core.engine;
    exports dev.jacquard.core.graph;
    exports dev.jacquard.core.machine;
    exports dev.jacquard.core.schedule;
    exports dev.jacquard.core.session;
    exports dev.jacquard.core.trace;

    uses dev.jacquard.core.device.DeviceProvider;
    uses dev.jacquard.core.machine.ThreadBinding;
    uses dev.jacquard.core.schedule.Policy;
}
