/** Flow graphs: long-lived typed tasks joined by queues through which items stream. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.flow {
    requires static org.jspecify;
    requires transitive dev.jacquard.core;
    requires dev.jacquard.drawing;
    requires tools.jackson.core;

    exports dev.jacquard.flow;
    exports dev.jacquard.flow.memory;
    exports dev.jacquard.flow.pipeline;
    exports dev.jacquard.flow.proof;
    exports dev.jacquard.flow.report;
    exports dev.jacquard.flow.task;
}
