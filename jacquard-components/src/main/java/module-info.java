/** Components, and the program files that name them. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.components {
    requires static org.jspecify;
    requires transitive dev.jacquard.cluster;
    requires transitive dev.jacquard.core;
    requires dev.jacquard.drawing;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;

    exports dev.jacquard.components.component;
    exports dev.jacquard.components.program;
    exports dev.jacquard.components.run;

    uses dev.jacquard.components.component.Component;

    provides dev.jacquard.components.component.Component with
            dev.jacquard.components.kit.Kit.Delay,
            dev.jacquard.components.kit.Kit.Fail,
            dev.jacquard.components.kit.Kit.FixedNumber,
            dev.jacquard.components.kit.Kit.Show,
            dev.jacquard.components.kit.Kit.Sum,
            dev.jacquard.components.kit.Kit.Until;
}
