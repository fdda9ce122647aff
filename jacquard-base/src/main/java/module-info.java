/** The ground that all of Jacquard stands on: time, traces, the machine. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the modules above are built later
module dev.jacquard.base {
    requires static org.jspecify;

    exports dev.jacquard.base.clock;
    exports dev.jacquard.base.codec;
    exports dev.jacquard.base.concurrent to
            dev.jacquard.bench,
            dev.jacquard.cluster,
            dev.jacquard.components,
            dev.jacquard.core,
            dev.jacquard.devices,
            dev.jacquard.engine,
            dev.jacquard.flow,
            dev.jacquard.memory,
            dev.jacquard.mpi,
            dev.jacquard.sim;
    exports dev.jacquard.base.failure to
            dev.jacquard.apps,
            dev.jacquard.components,
            dev.jacquard.core,
            dev.jacquard.devices,
            dev.jacquard.engine,
            dev.jacquard.flow,
            dev.jacquard.memory;
    exports dev.jacquard.base.foreign to
            dev.jacquard.devices,
            dev.jacquard.libraries,
            dev.jacquard.mpi,
            dev.jacquard.numerics;
    exports dev.jacquard.base.machine;
    exports dev.jacquard.base.service to
            dev.jacquard.cluster,
            dev.jacquard.components,
            dev.jacquard.core,
            dev.jacquard.engine,
            dev.jacquard.memory,
            dev.jacquard.numerics;
    exports dev.jacquard.base.text;
    exports dev.jacquard.base.trace;

    uses dev.jacquard.base.codec.Codec;
    uses dev.jacquard.base.machine.Machine.Source;
}
