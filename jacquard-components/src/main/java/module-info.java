/** Components, and the program files that name them. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.components {
    requires static org.jspecify;
    requires transitive dev.jacquard.core;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;

    exports dev.jacquard.components.component;
    exports dev.jacquard.components.program;
    exports dev.jacquard.components.run;

    uses dev.jacquard.components.component.Application;
}
