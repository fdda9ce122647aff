/** Helpers for the tests of all modules. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.testkit {
    requires static org.jspecify;
    requires org.junit.jupiter.api;

    exports dev.jacquard.testkit;
}
