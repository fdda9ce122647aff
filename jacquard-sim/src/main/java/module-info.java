/** Runs graphs of tasks under virtual time, with the policies of the engine and without its threads. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.sim {
    requires static org.jspecify;
    requires transitive dev.jacquard.engine;

    exports dev.jacquard.sim;
}
