package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * The place at which a resumed program went on.
 *
 * @param plan of the program
 * @param loops the outermost loops that had run some of their passes, by their numbers: the next pass, from 1 on
 * @param over the numbers of the parts that are not executed again
 */
record ResumePoint(Plan plan, NavigableMap<Integer, Long> loops, NavigableSet<Integer> over) {
    /** The most components that a line names. */
    private static final int MOST_NAMED = 5;

    /**
     * Returns the place that a restored state stands for.
     *
     * @param isHere true for the number of a part that is executed here, not on another rank
     */
    static ResumePoint of(Plan plan, TopState top, Passes passes, IntPredicate isHere) {
        NavigableMap<Integer, Long> loops = new TreeMap<>();
        NavigableSet<Integer> over = new TreeSet<>();
        Block block = plan.top();
        for (int place = 0; place < block.size(); place++) {
            int item = block.item(place);
            int loop = plan.loop(item);
            if (top.isOver(place)) {
                List<Integer> its =
                        loop < 0 ? List.of(item) : plan.loops().get(loop).parts();
                its.stream().filter(isHere::test).forEach(over::add);
            } else if (top.isBetween(place)
                    && isHere.test(plan.loops().get(loop).exit())) {
                loops.put(loop, passes.current(loop) + 1);
            }
        }
        return new ResumePoint(plan, loops, over);
    }

    /** Returns the place of a program over ranks from the texts of all of them. */
    static ResumePoint ofTexts(Plan plan, Collection<String> texts) {
        NavigableMap<Integer, Long> loops = new TreeMap<>();
        NavigableSet<Integer> over = new TreeSet<>();
        for (String text : texts) {
            for (String word : text.split(" ", -1)) {
                int colon = word.indexOf(':');
                if (colon >= 0) {
                    loops.put(Integer.valueOf(word.substring(0, colon)), Long.valueOf(word.substring(colon + 1)));
                } else if (!word.isEmpty()) {
                    over.add(Integer.valueOf(word));
                }
            }
        }
        return new ResumePoint(plan, loops, over);
    }

    /** Returns it as a text for {@link #ofTexts}. */
    String text() {
        List<String> words = new ArrayList<>();
        over.forEach(part -> words.add(String.valueOf(part)));
        loops.forEach((loop, pass) -> words.add(loop + ":" + pass));
        return String.join(" ", words);
    }

    private String name(int part) {
        return plan.parts().get(part).name();
    }

    /** Returns it as a line for a reader. */
    String line() {
        String begun = loops.entrySet().stream()
                .map(each -> "pass " + each.getValue() + " of " + plan.described(each.getKey()))
                .collect(Collectors.joining(", "));
        String names = over.stream()
                .limit(MOST_NAMED)
                .map(part -> "'" + name(part) + "'")
                .collect(Collectors.joining(", "));
        int others = over.size() - MOST_NAMED;
        return "resumed at " + begun
                + (over.isEmpty()
                        ? ""
                        : "; not executed again: " + names + (others > 0 ? " and " + others + " more" : ""));
    }

    /** Returns it as values of a report. */
    Map<String, Object> toReport() {
        List<Map<String, Object>> all = new ArrayList<>();
        loops.forEach((loop, pass) -> {
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("entry", name(plan.loops().get(loop).entry()));
            its.put("exit", name(plan.loops().get(loop).exit()));
            its.put("pass", pass);
            all.add(its);
        });
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("loops", all);
        values.put("over", over.stream().map(this::name).toList());
        return values;
    }
}
