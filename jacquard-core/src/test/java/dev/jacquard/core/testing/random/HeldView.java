package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.UserView;
import org.jspecify.annotations.Nullable;

/**
 * The view that a submitter holds while it submits, and waits for, what has nothing to do with it: then that must not
 * wait for the view, not even for its room. Other views are closed at once. Threads: submitters; where views are held
 * there is only one.
 */
final class HeldView {
    private final Program program;
    private final Bodies bodies;
    private @Nullable Seen its;
    private @Nullable UserView view;

    HeldView(Program program, Bodies bodies) {
        this.program = program;
        this.bodies = bodies;
    }

    /** Opens the view of {@code one}. */
    void open(Seen one, TaskBuilder builder) {
        if (!one.job.manner().held()) {
            one.byHand(() -> {
                try (UserView opened = builder.open()) {
                    bodies.enterView(one);
                    bodies.leaveView(one, opened);
                }
            });
            return;
        }
        close(); // one at a time
        one.byHand(() -> {
            view = builder.open();
            its = one;
            bodies.enterView(one);
        });
        if (its == one) {
            one.ended = null; // when it is closed
        }
    }

    /** Closes the view if {@code next} might wait for it. */
    void before(Job next) {
        Seen held = its;
        if (held != null && mayWait(next, held.job)) {
            close();
        }
    }

    private boolean mayWait(Job next, Job held) {
        Setting setting = program.setting();
        return next.isUnordered() // until nothing is live
                // what is done again needs more room than the limits leave beside the view
                || (setting.tight() && setting.hasFaults() && next.kind().waits())
                || next.all().anyMatch(job -> job.ties().barrier() || isRelated(job, held));
    }

    private boolean isRelated(Job one, Job other) {
        return one.touches().stream()
                .anyMatch(touch ->
                        other.touches().stream().anyMatch(held -> program.isRelated(touch.store(), held.store())));
    }

    /** Closes the view, if there is one. */
    void close() {
        Seen held = its;
        UserView open = view;
        if (held != null && open != null) {
            its = null;
            view = null;
            held.byHand(() -> {
                try (open) {
                    bodies.leaveView(held, open);
                }
            });
        }
    }
}
