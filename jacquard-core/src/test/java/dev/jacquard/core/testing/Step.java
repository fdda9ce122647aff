package dev.jacquard.core.testing;

import java.util.List;

/** What a body does besides its work, one after the other. */
public sealed interface Step {
    /** Gives up: the one access to the field becomes this one. */
    record Demote(Touch to) implements Step {}

    /** Submits sub-tasks in one block. */
    record Refine(List<Line> lines) implements Step {}

    /** Submits a task to the graph. */
    record Submit(Line line) implements Step {}

    /** Works once more when all sub-tasks are over. Only behind a refinement. */
    record Afterwards() implements Step {}
}
