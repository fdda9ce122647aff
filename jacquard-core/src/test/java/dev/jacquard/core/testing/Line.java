package dev.jacquard.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One task of a program.
 *
 * @param id unique in its program; decides what the task writes
 * @param touches in the order of their declaration
 * @param order what else orders it
 * @param pending what its submitter does to it right after its submission, if it is still pending
 * @param body what its body does behind its work
 */
public record Line(int id, List<Touch> touches, Order order, Pending pending, Body body) {
    /**
     * What orders a task besides its accesses.
     *
     * @param after ids of lines that the same thread submitted before; those that are not there do not matter
     * @param tags numbers of tags
     * @param afterTags numbers of tags
     * @param synchronizing whether it is a barrier
     * @param main whether the main thread runs it
     */
    public record Order(
            List<Integer> after, List<Integer> tags, List<Integer> afterTags, boolean synchronizing, boolean main) {
        /** Nothing. */
        public static final Order NONE = new Order(List.of(), List.of(), List.of(), false, false);
    }

    /**
     * What is done to a task while it is pending.
     *
     * @param demotions each of the only access to its field
     * @param inside sub-tasks that start with it
     */
    public record Pending(List<Touch> demotions, List<Line> inside) {
        /** Nothing. */
        public static final Pending NONE = new Pending(List.of(), List.of());
    }

    /**
     * What a body does.
     *
     * @param steps behind its work, one after the other
     * @param fails whether it throws when all is done
     * @param spins how long its work takes, in turns of an idle loop
     */
    public record Body(List<Step> steps, boolean fails, int spins) {
        /** Its work. */
        public static final Body NONE = new Body(List.of(), false, 0);
    }

    /** Whether its body returns a stage, which completes, or fails, later. */
    boolean isAsynchronous() {
        return id % 7 == 4;
    }

    /** Whether it is built as adjustable. */
    boolean isAdjustable() {
        return !pending.equals(Pending.NONE);
    }

    /** Whether its body touches cells: it leaves them to sub-tasks that run beside it. */
    boolean works() {
        return pending.inside.isEmpty();
    }

    /** Sub-tasks in the order in which they are submitted when the task runs. */
    List<Line> subLines() {
        List<Line> all = new ArrayList<>(pending.inside);
        for (Step step : body.steps) {
            if (step instanceof Step.Refine refine) {
                all.addAll(refine.lines());
            }
        }
        return all;
    }

    /** What the body submits to the graph. */
    List<Line> submissions() {
        return body.steps.stream()
                .flatMap(step -> step instanceof Step.Submit submit ? Stream.of(submit.line()) : Stream.of())
                .toList();
    }

    /** The demotions of the body, in their order. */
    List<Touch> demotions() {
        return body.steps.stream()
                .flatMap(step -> step instanceof Step.Demote demote ? Stream.of(demote.to()) : Stream.of())
                .toList();
    }

    boolean hasAfterwards() {
        return body.steps.contains(new Step.Afterwards());
    }

    /** This and all lines inside, and those that they submit. */
    Stream<Line> all() {
        return Stream.concat(
                Stream.of(this),
                Stream.concat(subLines().stream(), submissions().stream()).flatMap(Line::all));
    }

    // ---- smaller ones

    Line with(List<Touch> fewer) {
        return new Line(id, fewer, order, pending, body);
    }

    Line with(Order other) {
        return new Line(id, touches, other, pending, body);
    }

    Line with(Pending other) {
        return new Line(id, touches, order, other, body);
    }

    Line with(Body other) {
        return new Line(id, touches, order, pending, other);
    }

    /** Simpler lines, the simplest first. */
    Stream<Line> simpler() {
        List<Line> all = new ArrayList<>();
        all.add(with(Body.NONE));
        all.add(with(Pending.NONE));
        all.add(with(Order.NONE));
        all.add(with(new Body(body.steps, false, body.spins)));
        all.add(with(new Body(body.steps, body.fails, 0)));
        all.add(with(new Order(List.of(), order.tags, order.afterTags, order.synchronizing, order.main)));
        all.add(with(new Order(order.after, List.of(), List.of(), order.synchronizing, order.main)));
        all.add(with(new Order(order.after, order.tags, order.afterTags, false, order.main)));
        all.add(with(new Order(order.after, order.tags, order.afterTags, order.synchronizing, false)));
        fewer(touches).forEach(left -> all.add(with(left)));
        fewer(pending.demotions).forEach(left -> all.add(with(new Pending(left, pending.inside))));
        fewerLines(pending.inside).forEach(left -> all.add(with(new Pending(pending.demotions, left))));
        fewer(body.steps).forEach(left -> all.add(with(new Body(left, body.fails, body.spins))));
        for (int i = 0; i < body.steps.size(); i++) {
            int at = i;
            simplerStep(body.steps.get(i))
                    .map(step -> replaced(body.steps, at, step))
                    .forEach(left -> all.add(with(new Body(left, body.fails, body.spins))));
        }
        return all.stream().filter(line -> !line.equals(this));
    }

    private static Stream<Step> simplerStep(Step step) {
        return switch (step) {
            case Step.Refine refine -> fewerLines(refine.lines()).map(Step.Refine::new);
            case Step.Submit submit -> submit.line().simpler().map(Step.Submit::new);
            case Step.Demote _, Step.Afterwards _ -> Stream.of();
        };
    }

    /** Lists without one line, or with a simpler one. */
    static Stream<List<Line>> fewerLines(List<Line> lines) {
        Stream<List<Line>> simpler = Stream.of();
        for (int i = 0; i < lines.size(); i++) {
            int at = i;
            simpler = Stream.concat(simpler, lines.get(i).simpler().map(line -> replaced(lines, at, line)));
        }
        return Stream.concat(fewer(lines), simpler);
    }

    private static <T> Stream<List<T>> fewer(List<T> all) {
        return Stream.iterate(0, i -> i < all.size(), i -> i + 1).map(i -> {
            List<T> left = new ArrayList<>(all);
            left.remove((int) i);
            return List.copyOf(left);
        });
    }

    static <T> List<T> replaced(List<T> all, int at, T by) {
        List<T> other = new ArrayList<>(all);
        other.set(at, by);
        return List.copyOf(other);
    }
}
