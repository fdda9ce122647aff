package dev.jacquard.memory.depend;

import java.util.ArrayList;
import java.util.List;

/** A task as a tracker sees it. */
final class ModelTask {
    private final int number;
    boolean over;
    boolean failed;

    ModelTask(int number) {
        this.number = number;
    }

    boolean isForgotten(boolean wrote) {
        return over && !(wrote && failed);
    }

    @Override
    public String toString() {
        return "t" + number + (failed ? " failed" : over ? " over" : "");
    }

    /** A link that says something: one behind a task that is over, and did not fail, changes nothing. */
    private record Link(ModelTask earlier, boolean carriesFailure) {
        boolean matters() {
            return !earlier.over || (earlier.failed && carriesFailure);
        }
    }

    /** Notes links. */
    static final class Links implements AccessTracker.Dependents<ModelTask> {
        private final List<Link> links = new ArrayList<>();

        @Override
        public void link(ModelTask earlier, ModelTask later, boolean carriesFailure) {
            if (earlier == later) {
                throw new AssertionError(later + " was linked behind itself");
            }
            links.add(new Link(earlier, carriesFailure));
        }

        @Override
        public boolean isForgotten(ModelTask earlier, boolean wrote) {
            return earlier.isForgotten(wrote);
        }

        /** Those that matter, in the order of their tasks, since the last call. */
        List<String> take() {
            List<String> taken = links.stream()
                    .filter(Link::matters)
                    .map(link -> link.earlier + (link.carriesFailure ? " carrying" : ""))
                    .sorted()
                    .toList();
            links.clear();
            return taken;
        }
    }
}
