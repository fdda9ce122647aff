package dev.jacquard.flow.runtime;

/** A thread that waits for a buffer: of a dedicated task that did not declare it, or outside of the graph. */
final class Waiter extends Request {
    /** Written once, by whoever grants or stops; read by the thread that waits. */
    private volatile Answer answer = Answer.NONE;

    Waiter(Pool pool) {
        super(new Need[] {new Need(pool, 1)});
    }

    Answer answer() {
        return answer;
    }

    boolean answered() {
        return answer != Answer.NONE;
    }

    void answer(Answer given) {
        answer = given;
    }

    enum Answer {
        NONE,
        GRANTED,
        STOPPED
    }
}
