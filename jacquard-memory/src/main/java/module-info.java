/**
 * Accesses and the dependences that follow from them, data and its replicas, devices. Knows no task, and of the engine
 * its places and times alone.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the core is built later
module dev.jacquard.memory {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;
    requires transitive dev.jacquard.engine;

    exports dev.jacquard.memory.access;
    exports dev.jacquard.memory.cache;
    exports dev.jacquard.memory.coherence;
    exports dev.jacquard.memory.data;
    exports dev.jacquard.memory.depend to
            dev.jacquard.core;
    exports dev.jacquard.memory.device;
    exports dev.jacquard.memory.device.emulated;
    exports dev.jacquard.memory.device.link;
    exports dev.jacquard.memory.residency;

    uses dev.jacquard.memory.device.DeviceProvider;
}
