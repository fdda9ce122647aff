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

    uses dev.jacquard.components.component.Component;

    provides dev.jacquard.components.component.Component with
            dev.jacquard.components.kit.Delay,
            dev.jacquard.components.kit.Fail,
            dev.jacquard.components.kit.FixedNumber,
            dev.jacquard.components.kit.Show,
            dev.jacquard.components.kit.Sum,
            dev.jacquard.components.kit.Until;
}
