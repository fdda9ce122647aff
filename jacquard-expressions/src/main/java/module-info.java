/** Expressions on spatial fields, which put together the loops and the graph that compute them. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.expressions {
    requires static jdk.incubator.vector;
    requires static org.jspecify;
    requires transitive dev.jacquard.core;
    requires dev.jacquard.drawing;

    exports dev.jacquard.expressions.codegen;
    exports dev.jacquard.expressions.field;
    exports dev.jacquard.expressions.files;
    exports dev.jacquard.expressions.language;
    exports dev.jacquard.expressions.loop;
    exports dev.jacquard.expressions.targets;
    exports dev.jacquard.expressions.text;
    exports dev.jacquard.expressions.time;
    exports dev.jacquard.expressions.tree;
}
