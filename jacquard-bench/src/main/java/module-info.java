/** Benchmarks, each with its rivals. Runs on the class path: it measures packages that are not exported. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.bench {
    requires static org.jspecify;
    requires com.lmax.disruptor;
    requires dev.jacquard.apps;
    requires dev.jacquard.cluster;
    requires dev.jacquard.core;
    requires dev.jacquard.expressions;
    requires dev.jacquard.flow;
    requires dev.jacquard.numerics;
    requires dev.jacquard.sim;
    requires jdk.incubator.vector;

    exports dev.jacquard.bench;
    exports dev.jacquard.bench.workload;
}
