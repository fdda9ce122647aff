/** Workers that run nodes, and the policies that say which and where. Knows no task and no data. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.engine {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;

    exports dev.jacquard.engine;
    exports dev.jacquard.engine.model;
    exports dev.jacquard.engine.plan;
    exports dev.jacquard.engine.schedule;
    exports dev.jacquard.engine.work;

    uses dev.jacquard.base.machine.ThreadBinding;
    uses dev.jacquard.engine.schedule.Policy;
}
