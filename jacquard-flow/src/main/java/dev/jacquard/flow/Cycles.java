package dev.jacquard.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The strongly connected parts of an unfolded graph, by Tarjan's algorithm ("Depth-first search and linear graph
 * algorithms", 1972), without recursion, so that a long chain does not exhaust the stack.
 */
final class Cycles {
    private final List<PlannedPart> items;
    private final Predicate<PlannedPart> included;
    /** Of each item; null until it is asked for. */
    private final int[] @Nullable [] successors;

    private final int[] index;
    private final int[] low;
    private final boolean[] onStack;
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final List<List<Integer>> circles = new ArrayList<>();
    private int next = 1;

    /** Creates a search among the items that {@code included} accepts and the edges between them. */
    Cycles(List<PlannedPart> items, Predicate<PlannedPart> included) {
        this.items = items;
        this.included = included;
        this.successors = new int[items.size()][];
        this.index = new int[items.size()];
        this.low = new int[items.size()];
        this.onStack = new boolean[items.size()];
    }

    /** Returns every set of items that reach each other, including sets of one item that sends to itself. */
    List<List<Integer>> all() {
        for (int i = 0; i < items.size(); i++) {
            if (index[i] == 0 && included.test(items.get(i))) {
                visit(i);
            }
        }
        return circles;
    }

    private void visit(int root) {
        Deque<int[]> path = new ArrayDeque<>(); // an item, and the index of its next successor
        path.push(new int[] {root, 0});
        enter(root);
        while (!path.isEmpty()) {
            int[] frame = path.element();
            int item = frame[0];
            int[] consumers = successors(item);
            if (frame[1] < consumers.length) {
                int successor = consumers[frame[1]++];
                if (index[successor] == 0) {
                    enter(successor);
                    path.push(new int[] {successor, 0});
                } else if (onStack[successor]) {
                    low[item] = Math.min(low[item], index[successor]);
                }
            } else {
                path.pop();
                if (low[item] == index[item]) {
                    leave(item);
                }
                if (!path.isEmpty()) {
                    int parent = path.element()[0];
                    low[parent] = Math.min(low[parent], low[item]);
                }
            }
        }
    }

    private void enter(int item) {
        index[item] = next;
        low[item] = next++;
        stack.push(item);
        onStack[item] = true;
    }

    private void leave(int root) {
        List<Integer> members = new ArrayList<>();
        int member;
        do {
            member = stack.pop();
            onStack[member] = false;
            members.add(member);
        } while (member != root);
        if (members.size() > 1 || sendsToItself(root)) {
            members.sort(null);
            circles.add(members);
        }
    }

    private boolean sendsToItself(int item) {
        for (int to : successors(item)) {
            if (to == item) {
                return true;
            }
        }
        return false;
    }

    private int[] successors(int item) {
        int[] known = successors[item];
        if (known == null) {
            int[] all = items.get(item).consumers;
            known = new int[all.length];
            int count = 0;
            for (int to : all) {
                if (to >= 0 && included.test(items.get(to))) {
                    known[count++] = to;
                }
            }
            known = Arrays.copyOf(known, count);
            successors[item] = known;
        }
        return known;
    }

    /** Returns one path around {@code circle}, as names: "a -> b -> a". */
    String path(List<Integer> circle) {
        int start = circle.getFirst();
        int[] from = new int[items.size()];
        Arrays.fill(from, -1);
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int item = queue.remove();
            for (int to : successors(item)) {
                if (to == start) {
                    return names(from, item, start);
                }
                if (from[to] < 0 && circle.contains(to)) {
                    from[to] = item;
                    queue.add(to);
                }
            }
        }
        throw new AssertionError("not a circle: " + circle);
    }

    private String names(int[] from, int last, int start) {
        StringBuilder names = new StringBuilder(items.get(start).name);
        for (int item = last; item != start; item = from[item]) {
            names.insert(0, items.get(item).name + " -> ");
        }
        return names.insert(0, items.get(start).name + " -> ").toString();
    }
}
