package dev.jacquard.drawing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Just enough of an XML parser for our pictures: the module has no other. Fails on anything that is not well-formed.
 */
final class Xml {
    private static final Pattern TAG = Pattern.compile("<(/?)([\\w]+)((?:\\s+[\\w-]+=\"[^\"<]*\")*)\\s*(/?)>");
    private static final Pattern TEXT = Pattern.compile(
            "(?:[\\t\\n\\x20-\\ud7ff\\ue000-\\ufffd&&[^<>&]]|[\\x{10000}-\\x{10ffff}]|&(?:lt|gt|amp|quot);)*");

    private record Element(String name, String attributes) {}

    private final List<Element> elements = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final List<String> titles = new ArrayList<>();

    static Xml parse(String document) {
        Xml xml = new Xml();
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(document);
        int from = 0;
        while (tag.find()) {
            xml.text(document.substring(from, tag.start()), open);
            from = tag.end();
            if (!TEXT.matcher(tag.group(3).replace("\"", "")).matches()) {
                throw new AssertionError("not an attribute: " + tag.group(3));
            }
            if (!tag.group(1).isEmpty()) {
                if (!tag.group(2).equals(open.pop())) {
                    throw new AssertionError("closes what is not open: " + tag.group());
                }
            } else {
                xml.elements.add(new Element(tag.group(2), tag.group(3)));
                if (tag.group(4).isEmpty()) {
                    open.push(tag.group(2));
                }
            }
        }
        if (!open.isEmpty() || !document.substring(from).isBlank()) {
            throw new AssertionError("open at the end: " + open + ", rest: " + document.substring(from));
        }
        return xml;
    }

    private void text(String text, Deque<String> open) {
        if (!TEXT.matcher(text).matches()) {
            throw new AssertionError("not the text of an element: " + text);
        }
        String plain = text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
        if ("text".equals(open.peek())) {
            texts.add(plain);
        } else if ("title".equals(open.peek())) {
            titles.add(plain);
        }
    }

    List<String> texts() {
        return texts;
    }

    List<String> titles() {
        return titles;
    }

    long count(String name, String attribute) {
        return elements.stream()
                .filter(element ->
                        element.name().equals(name) && element.attributes().contains(" " + attribute + "="))
                .count();
    }

    /** Place and size of each task's box. */
    List<String> boxes() {
        Pattern place = Pattern.compile("x=\"[^\"]*\" y=\"[^\"]*\" width=\"[^\"]*\" height=\"[^\"]*\" rx=\"6\"");
        return elements.stream()
                .map(element -> place.matcher(element.attributes()))
                .filter(Matcher::find)
                .map(Matcher::group)
                .toList();
    }
}
