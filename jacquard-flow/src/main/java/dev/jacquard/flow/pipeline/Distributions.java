package dev.jacquard.flow.pipeline;

/** The distributions that a proof before the run recognizes. */
final class Distributions {
    /** One item after the other to the copies in turn. */
    static final Distribution<Object> IN_TURN = (item, loads) -> (int) (loads.before() % loads.copies());
    /** Each item to all copies. */
    static final Distribution<Object> TO_ALL = Distribution.matching((item, copy) -> true);

    private Distributions() {}
}
