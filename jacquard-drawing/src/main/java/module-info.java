/** Pictures of graphs and of runs. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.drawing {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;
    requires transitive dev.jacquard.insight;

    exports dev.jacquard.drawing;
}
