/** Programs to copy from. */
module example {
    requires dev.jacquard.components;
    requires dev.jacquard.core;
    requires dev.jacquard.drawing;
    requires dev.jacquard.expressions;
    requires dev.jacquard.flow;

    exports example;

    provides dev.jacquard.components.component.Component with
            example.Root;
}
