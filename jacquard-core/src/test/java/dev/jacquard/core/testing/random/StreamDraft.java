package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Composition.Ending;
import dev.jacquard.core.testing.random.Composition.Execution;
import dev.jacquard.core.testing.random.Composition.Rest;
import dev.jacquard.core.testing.random.Streams.Item;
import dev.jacquard.core.testing.random.Streams.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws the stream of a program: its items, which of the program's jobs each of them submits, and for which others each
 * waits, so that jobs of items side by side commute. Confined to one thread.
 */
final class StreamDraft {
    private static final int MOST_ITEMS = 12;

    private final Program program;
    private final Conflicts orders;
    private final Dice dice;
    private final List<List<Job>> jobs = new ArrayList<>();
    private final List<Item> items = new ArrayList<>();

    private StreamDraft(Program program, Dice dice) {
        this.program = program;
        this.orders = new Conflicts(program);
        this.dice = dice;
    }

    /**
     * Draws the stream around some of the jobs of the opener.
     *
     * @param how how it ends early
     * @return null when there is nothing to run in it
     */
    static @Nullable Composition draw(Program program, Dice dice, Ending.How how) {
        return new StreamDraft(program, dice).composition(how);
    }

    /** Draws how a stream ends early; no item has a limit of time. */
    static Ending.How ending(Dice dice) {
        Ending.How how = Composer.ending(dice);
        return how == Ending.How.LASTS ? Ending.How.FAILS : how;
    }

    private @Nullable Composition composition(Ending.How how) {
        List<Job> own = Composer.some(program, dice);
        if (own.isEmpty()) {
            return null;
        }
        int count = 1 + dice.at(5).below(MOST_ITEMS);
        distribute(own, count, dice.at(6));
        double share = dice.at(7).share() * 0.4;
        for (int i = 0; i < count; i++) {
            items.add(item(i, share, dice.at(100 + i)));
        }
        Ending ending = Composer.draw(how, jobs, dice);
        boolean takes = items.stream().anyMatch(Item::takes);
        Shape shape = new Shape(
                dice.at(12).next(),
                1 + dice.at(13).below(3),
                1 + dice.at(14).below(3),
                takes ? 1 + dice.at(15).below(3) : 0,
                dice.at(16).chance(0.3) ? 1 + dice.at(16).below(3) : 0,
                List.copyOf(items));
        return new Composition(shape, executions(), ending);
    }

    private void distribute(List<Job> own, int count, Dice its) {
        for (int i = 0; i < count; i++) {
            jobs.add(new ArrayList<>());
        }
        int[] which = own.stream().mapToInt(job -> its.below(count)).toArray();
        Arrays.sort(which);
        for (int i = 0; i < which.length; i++) {
            jobs.get(which[i]).add(own.get(i));
        }
    }

    private Item item(int number, double share, Dice its) {
        List<Integer> behind = new ArrayList<>();
        for (int earlier = 0; earlier < number; earlier++) {
            if (its.at(earlier).chance(share) || orders.conflict(jobs.get(earlier), jobs.get(number))) {
                behind.add(earlier);
            }
        }
        boolean waits = its.at(50).chance(0.3)
                || jobs.get(number).stream().anyMatch(job -> job.kind().waits());
        boolean owns = its.at(52).chance(0.5)
                && program.isCalm()
                && !program.setting().keeps()
                && jobs.get(number).stream().allMatch(StreamDraft::mayBeOwn);
        return new Item(waits, owns, its.at(51).chance(0.4), List.copyOf(behind));
    }

    /** True for a task without order but by its accesses; if it failed, the stream would. */
    private static boolean mayBeOwn(Job job) {
        return !job.kind().isOwn()
                && job.kind() != Job.Kind.LOOK
                && job.graph() == 0
                && job.ties().equals(Job.Ties.NONE)
                && !job.manner().grouped();
    }

    private List<Execution> executions() {
        List<Execution> all = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            Rest rest = item.waits() ? Composer.rest(program, dice.at(1_000 + i)) : Rest.NOTHING;
            all.add(new Execution(
                    item.waits() ? 1 : 0,
                    item.waits(),
                    jobs.get(i).stream().map(Job::id).toList(),
                    List.of(),
                    false,
                    rest,
                    false,
                    item.behind().stream().mapToInt(Integer::intValue).toArray()));
        }
        return List.copyOf(all);
    }
}
