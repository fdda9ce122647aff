package dev.jacquard.tools.walls;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often comments use words that hide a subject or a noun, per 10,000 words of comment.
 *
 * <p>Counted are comments of all forms, without inline tags of Javadoc and of HTML.
 */
final class WordRates {
    /** Texts and characters are matched so that what looks like a comment inside of them is none. */
    private static final Pattern COMMENT = Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\n]++|\\\\.)*+\""
            + "|'(?:[^'\\\\\n]++|\\\\.)*+'|//(.*)|/\\*((?s:.*?))\\*/");

    private static final Pattern TAG = Pattern.compile("\\{@\\w+[^}]*}|<[^>]+>");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");

    private static final List<String> GROUPS =
            List.of("behind, told, beside, of its own, meanwhile, anew", "what", "whose, those");

    private WordRates() {}

    /** The groups of words, and their rates in {@code files}. */
    static Map<String, Double> of(Collection<SourceFile> files) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        int words = 0;
        for (SourceFile file : files) {
            String text = comments(String.join("\n", file.lines()));
            words += count(WORD, text);
            for (String group : GROUPS) {
                Pattern any = Pattern.compile("\\b(?:" + group.replace(", ", "|") + ")\\b", Pattern.CASE_INSENSITIVE);
                counts.merge(group, count(any, text), Integer::sum);
            }
        }
        Map<String, Double> rates = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> group : counts.entrySet()) {
            rates.put(group.getKey(), 10_000.0 * group.getValue() / Math.max(1, words));
        }
        return rates;
    }

    /** The text of the comments in {@code source}, on one line. */
    static String comments(String source) {
        StringBuilder text = new StringBuilder();
        Matcher next = COMMENT.matcher(source);
        while (next.find()) {
            String line = next.group(1);
            String block = next.group(2);
            if (line != null || block != null) {
                text.append(line != null ? line : block.replaceAll("(?m)^\\s*\\*", " "))
                        .append(' ');
            }
        }
        return TAG.matcher(text).replaceAll(" ").replaceAll("\\s+", " ");
    }

    private static int count(Pattern pattern, String text) {
        return (int) pattern.matcher(text).results().count();
    }
}
