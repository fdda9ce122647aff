/** The command line. */
module dev.jacquard.tools {
    requires static org.jspecify;
    requires dev.jacquard.apps;
    requires dev.jacquard.bench;
    requires dev.jacquard.cluster;
    requires dev.jacquard.components;
    requires dev.jacquard.core;
    requires dev.jacquard.drawing;
    requires dev.jacquard.flow;
    requires dev.jacquard.libraries;
    requires dev.jacquard.numerics;
    requires dev.jacquard.sim;
    requires info.picocli;
    requires java.compiler;
    requires java.management;
    requires jdk.compiler;
    requires jdk.management;
    requires jdk.unsupported;

    opens dev.jacquard.tools to
            info.picocli;
}
