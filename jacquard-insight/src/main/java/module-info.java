/** Analysis of graphs of tasks. Needs the platform only. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.insight {
    requires static org.jspecify;

    exports dev.jacquard.insight.analysis;
}
