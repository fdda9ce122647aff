package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.libraries.hwloc.GuardedInput.RefusedException;
import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.function.Function;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an XML file, one after the other, and their attributes as numbers and sets. A DOCTYPE is accepted,
 * and not fetched; {@link GuardedInput} refuses one that declares anything. Failures have the file and the line.
 *
 * <p>Threads: confined.
 */
final class XmlElements {
    /** The memory that the contents of a file may take, in bytes, as {@link #take} estimates it. */
    private static final long MOST_MEMORY = 24 << 20;

    /** Less than the 100 of the JDK's parser, so that there is one message. */
    private static final int MOST_LEVELS = 90;

    private static final int LONGEST = 400;

    private final String file;
    private final XMLStreamReader xml;
    private int level;
    private int line = 1;
    private long memory;

    XmlElements(InputStream in, String file) throws MalformedException {
        this.file = file;
        // The JDK's, whatever the class path has: its properties are known.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("the file refers to " + systemId + ", which is not fetched");
        });
        try {
            xml = factory.createXMLStreamReader(new GuardedInput(in));
        } catch (XMLStreamException | RuntimeException e) {
            throw parserFailure(e, 1);
        }
    }

    /** Goes to the next beginning or end of an element. Returns false at the end of the file. */
    boolean next() throws IOException {
        while (advance()) {
            switch (xml.getEventType()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++level > MOST_LEVELS) {
                        throw malformed("elements are nested more than " + MOST_LEVELS + " deep");
                    }
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    level--;
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }

    private boolean advance() throws IOException {
        try {
            if (!xml.hasNext()) {
                return false;
            }
            xml.next();
            line();
            return true;
        } catch (XMLStreamException | RuntimeException e) {
            throw parserFailure(e, line());
        }
    }

    private MalformedException parserFailure(Exception e, int line) {
        for (Throwable cause = e; cause != null; cause = nested(cause)) {
            if (cause instanceof RefusedException refused) {
                return new MalformedException(file, refused.line, String.valueOf(refused.getMessage()), e);
            }
            if (cause instanceof CharacterCodingException) {
                return new MalformedException(
                        file, line, "bytes that are not encoded in UTF-8; expected XML in UTF-8", e);
            }
        }
        String message = String.valueOf(e.getMessage());
        int text = message.indexOf("Message: ");
        int at = e instanceof XMLStreamException its && its.getLocation() != null
                ? its.getLocation().getLineNumber()
                : line;
        return new MalformedException(
                file, at, "no XML: " + shown(text < 0 ? message : message.substring(text + "Message: ".length())), e);
    }

    private static @Nullable Throwable nested(Throwable cause) {
        Throwable below = cause instanceof XMLStreamException its ? its.getNestedException() : null;
        return below == null ? cause.getCause() : below;
    }

    /** Returns true if an element begins here, false if it ends. */
    boolean begins() {
        return xml.isStartElement();
    }

    String name() {
        return xml.getLocalName();
    }

    /** Returns the line of the last event; the parser knows none at the end of the file. */
    int line() {
        line = Math.max(line, xml.getLocation().getLineNumber());
        return line;
    }

    /** Skips the rest of the element that begins here. */
    void skip() throws IOException {
        for (int open = 1; open > 0 && next(); ) {
            open += begins() ? 1 : -1;
        }
    }

    /** Reads the text of the element that begins here, up to its end. */
    String text() throws IOException {
        StringBuilder text = new StringBuilder();
        while (advance() && !xml.isEndElement()) {
            if (xml.isStartElement()) {
                throw malformed("an element <" + xml.getLocalName() + "> within numbers; expected text");
            }
            if (xml.isCharacters()) {
                text.append(take(xml.getText()));
            }
        }
        level--;
        return text.toString();
    }

    /** Counts the memory of a text that is kept. */
    private String take(String text) throws MalformedException {
        take(2L * text.length());
        return text;
    }

    /** Counts memory that the contents take. */
    void take(long bytes) throws MalformedException {
        memory += bytes;
        if (memory > MOST_MEMORY) {
            throw malformed("the machine takes more than " + (MOST_MEMORY >> 20) + " MiB of memory; expected less");
        }
    }

    /** Returns an attribute; null if there is none. */
    @Nullable
    String find(String attribute) throws MalformedException {
        String value = xml.getAttributeValue(null, attribute);
        return value == null ? null : take(value);
    }

    String get(String attribute) throws MalformedException {
        String value = find(attribute);
        if (value == null) {
            throw malformed("<" + name() + "> has no " + attribute);
        }
        return value;
    }

    String get(String attribute, String otherwise) throws MalformedException {
        String value = find(attribute);
        return value == null ? otherwise : value;
    }

    long number(String attribute, long otherwise) throws MalformedException {
        String value = find(attribute);
        return value == null ? otherwise : parse(attribute, value, Long::parseLong, "a whole number");
    }

    /** Returns an attribute that is a number of the kernel in hexadecimal digits, as {@code 0x1f}. */
    long hexadecimal(String attribute) throws MalformedException {
        return parse(attribute, get(attribute), Long::decode, "a number such as 0x1f");
    }

    double decimal(String attribute, String value) throws MalformedException {
        return parse(attribute, value, Double::parseDouble, "a number");
    }

    @Nullable
    IndexSet set(String attribute) throws MalformedException {
        String value = find(attribute);
        if (value == null) {
            return null;
        }
        IndexSet set = parse(attribute, value, IndexSet::ofMask, "a mask such as 0x0000000f");
        take(set.isEmpty() ? 0 : (value.chars().filter(c -> c == ',').count() + 1) * Integer.BYTES);
        return set;
    }

    IndexSet requiredSet(String attribute) throws MalformedException {
        get(attribute);
        IndexSet set = set(attribute);
        return set == null ? IndexSet.EMPTY : set;
    }

    <T> T parse(String what, String value, Function<String, T> parser, String expected) throws MalformedException {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            String reason = e instanceof NumberFormatException ? "" : " (" + e.getMessage() + ")";
            throw malformed(what + "=\"" + shown(value) + "\"" + shown(reason) + "; expected " + expected);
        }
    }

    /** Returns the failure of the file at this line. */
    MalformedException malformed(String what) {
        return malformed(what, line());
    }

    /** Returns the failure of the file at a line that was read before. */
    MalformedException malformed(String what, int at) {
        return new MalformedException(file, at, shown(what), null);
    }

    private static String shown(String text) {
        String line = text.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST
                ? line
                : line.substring(0, LONGEST / 2) + "…" + line.substring(line.length() - LONGEST / 2);
    }
}
