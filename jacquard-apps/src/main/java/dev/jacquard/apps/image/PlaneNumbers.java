package dev.jacquard.apps.image;

import java.io.StringReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the pages of a TIFF: which channel, which plane of a stack (z), which time. ImageJ and OME say so in
 * the description of the first page; the pages of other files are the planes of a stack.
 *
 * @param channels the number of channels
 * @param planes the number of planes in z
 * @param times the number of times
 * @param pages the page of each, the channel fastest, then z, then the time; -1 where it is in another file
 */
record PlaneNumbers(int channels, int planes, int times, int[] pages) {
    private static final int MOST = 1_000_000;

    /** Returns the number of pages of a stack that has only one directory, as ImageJ says it; else 1. */
    static int contiguousPages(String description) {
        Map<String, String> imagej = imagej(description);
        return imagej == null ? 1 : number(imagej, "images");
    }

    /** Reads what {@code pages} pages show. */
    static PlaneNumbers of(String description, int pages) {
        Map<String, String> imagej = imagej(description);
        if (imagej != null) {
            return ordered(
                    "XYCZT", number(imagej, "channels"), number(imagej, "slices"), number(imagej, "frames"), pages);
        }
        if (description.contains("<OME") || description.contains(":OME")) {
            try {
                return ome(description, pages);
            } catch (XMLStreamException | IllegalArgumentException e) {
                return stack(pages); // damaged: the pages are there all the same
            }
        }
        return stack(pages);
    }

    private static PlaneNumbers stack(int pages) {
        int[] numbers = new int[pages];
        Arrays.setAll(numbers, i -> i);
        return new PlaneNumbers(1, pages, 1, numbers);
    }

    /** Returns the number of pages that are there. */
    int count() {
        return channels * planes * times;
    }

    /** Returns true if there is nothing but a stack. */
    boolean isPlain() {
        return channels == 1 && times == 1;
    }

    /** Returns the page of a channel, a plane and a time, each from 0. */
    int page(int channel, int plane, int time) {
        return pages[(time * planes + plane) * channels + channel];
    }

    // ---- ImageJ

    private static @Nullable Map<String, String> imagej(String description) {
        if (!description.startsWith("ImageJ=")) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        description.lines().forEach(line -> {
            int equal = line.indexOf('=');
            if (equal > 0) {
                values.putIfAbsent(
                        line.substring(0, equal), line.substring(equal + 1).trim());
            }
        });
        return values;
    }

    private static int number(Map<String, String> values, String key) {
        String value = values.getOrDefault(key, "1");
        return value.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(value) : 1;
    }

    // ---- OME

    private static PlaneNumbers ome(String xml, int pages) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml.strip()));
        PlaneNumbers known = null;
        String order = "XYCZT";
        boolean states = false;
        int at = -1;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "Pixels" -> {
                        order = text(reader, "DimensionOrder", order);
                        known = ordered(
                                order,
                                attribute(reader, "SizeC", 1),
                                attribute(reader, "SizeZ", 1),
                                attribute(reader, "SizeT", 1),
                                pages);
                    }
                    case "TiffData" -> {
                        if (known != null) {
                            if (!states) {
                                Arrays.fill(known.pages, -1);
                            }
                            states = true;
                            at = attribute(reader, "IFD", -1);
                            known.state(reader, order, at, pages);
                        }
                    }
                    default -> {}
                }
            } else if (event == XMLStreamConstants.END_ELEMENT
                    && reader.getLocalName().equals("Pixels")) {
                break; // the first image
            }
        }
        return known == null ? stack(pages) : known;
    }

    /** Notes the planes of one element TiffData, which follow each other in the order of the dimensions. */
    private void state(XMLStreamReader reader, String order, int ifd, int all) {
        int first = Math.max(0, ifd);
        int number = attribute(reader, "PlaneCount", ifd < 0 ? count() : 1);
        int[] place = {attribute(reader, "FirstC", 0), attribute(reader, "FirstZ", 0), attribute(reader, "FirstT", 0)};
        int[] sizes = {channels, planes, times};
        for (int i = 0; i < number && first + i < all; i++) {
            if (place[0] < channels && place[1] < planes && place[2] < times) {
                pages[(place[2] * planes + place[1]) * channels + place[0]] = first + i;
            }
            for (char dimension : order.substring(2).toCharArray()) { // the next one
                int which = "CZT".indexOf(dimension);
                if (++place[which] < sizes[which]) {
                    break;
                }
                place[which] = 0;
            }
        }
    }

    private static int attribute(XMLStreamReader reader, String name, int otherwise) {
        String value = reader.getAttributeValue(null, name);
        return value == null ? otherwise : Integer.parseInt(value.strip());
    }

    private static String text(XMLStreamReader reader, String name, String otherwise) {
        String value = reader.getAttributeValue(null, name);
        return value != null && value.matches("XY(CZT|CTZ|ZCT|ZTC|TCZ|TZC)") ? value : otherwise;
    }

    /** Pages in the order of {@code order}, whose first letters change fastest. */
    private static PlaneNumbers ordered(String order, int channels, int planes, int times, int pages) {
        long count = (long) channels * planes * times;
        if (channels < 1 || planes < 1 || times < 1 || count > MOST || count != pages) {
            return stack(pages);
        }
        int[] numbers = new int[(int) count];
        int[] steps = new int[3];
        int step = 1;
        for (char dimension : order.substring(2).toCharArray()) {
            int which = "CZT".indexOf(dimension);
            steps[which] = step;
            step *= new int[] {channels, planes, times}[which];
        }
        for (int time = 0, i = 0; time < times; time++) {
            for (int plane = 0; plane < planes; plane++) {
                for (int channel = 0; channel < channels; channel++) {
                    numbers[i++] = channel * steps[0] + plane * steps[1] + time * steps[2];
                }
            }
        }
        return new PlaneNumbers(channels, planes, times, numbers);
    }
}
