package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program whose session and graphs other programs use as well, which run inside its tasks or beside them.
 *
 * @param program the program around
 * @param graphs its two graphs
 * @param devices those of the session
 * @param folder for files
 */
record Around(
        Program program, Session session, TaskGraph[] graphs, List<ExecutionTarget> devices, Pace pace, Path folder) {
    /** Returns those of {@code features} that the session has. */
    Set<Feature> available(Set<Feature> features) {
        Set<Feature> left = EnumSet.copyOf(features);
        if (program.setting().others() == 0) {
            left.remove(Feature.TARGETS);
        }
        if (program.setting().emulated() == 0) {
            left.remove(Feature.DEVICES);
        }
        left.addAll(required());
        return left;
    }

    /** Returns {@code its}, and the features that another program must have since this one has them. */
    Set<Feature> required(Feature... its) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        all.addAll(List.of(its));
        if (program.setting().small() > 0) {
            all.add(Feature.SMALL_DEVICES);
        }
        return all;
    }

    /** Makes the trial of another program; null if its tasks need more room than those of the one around. */
    @Nullable
    Trial trial(Program other) {
        boolean fits = !program.setting().tight()
                || (other.room() <= program.room() && other.roomOnHost() <= program.roomOnHost());
        return fits ? new Trial(other, session, graphs, devices, new Log(), pace, Fronts.NONE, folder) : null;
    }

    /** True if tasks may end badly, or be refused, through no fault of theirs. */
    boolean mayFail() {
        return !program.isCalm() || program.setting().closes();
    }

    /** Judges {@code trial}, if all of it is {@code done}, and tells {@code bodies} what was wrong. All is over. */
    static void judge(Trial trial, boolean done, String where, Bodies bodies) {
        trial.bodies().closed();
        if (done) {
            new Judge(trial.program(), trial).judgeInside();
        }
        trial.bodies()
                .violations()
                .forEach(each -> bodies.violation(
                        each.kind(),
                        where + ": " + each.text() + "\n" + trial.program().text()));
    }
}
