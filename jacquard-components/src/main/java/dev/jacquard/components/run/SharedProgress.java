package dev.jacquard.components.run;

import dev.jacquard.components.program.Progress;

/** One user's progress for all parts of a program, which may tell theirs at the same time. Thread-safe. */
final class SharedProgress implements Progress {
    private final Progress users;

    SharedProgress(Progress users) {
        this.users = users;
    }

    @Override
    public synchronized void start(String stage, long steps) {
        users.start(stage, steps);
    }

    @Override
    public synchronized void advance(long steps) {
        users.advance(steps);
    }
}
