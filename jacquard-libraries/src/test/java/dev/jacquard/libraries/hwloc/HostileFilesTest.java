package dev.jacquard.libraries.hwloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are no machine, by mistake or to do harm: each is refused by one error that says what and where. */
class HostileFilesTest {
    private static final String START = "<topology version=\"3.0\">\n<object type=\"Machine\" cpuset=\"0x3\">\n";
    private static final String PU = "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/>\n";
    private static final String END = "</object>\n</topology>\n";

    private static String refusal(String text) {
        return refusal(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String refusal(InputStream in) {
        return String.valueOf(assertThrows(MalformedException.class, () -> HwlocFile.read(in, "bad.xml"))
                .getMessage());
    }

    private static void assertStarts(String expected, String actual) {
        assertTrue(actual.startsWith(expected), actual);
    }

    @Test
    void aSmallFileIsRead() throws IOException {
        String text = "<!DOCTYPE topology SYSTEM \"http://127.0.0.1:9/none.dtd\">" + START + PU + END;
        HwlocFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "good.xml");
    }

    /** A small one of the kind that grows to gigabytes where entities are expanded. */
    @Test
    void declarationsOfEntitiesAreRefused() {
        String nested = "<!DOCTYPE topology [\n<!ENTITY a \"aa\">\n<!ENTITY b \"&a;&a;\">\n]>\n";
        assertEquals(
                "bad.xml, line 1: the DOCTYPE has declarations; expected one that names a file, as hwloc2.dtd",
                refusal(nested + START + PU + END));
        String quoted = "<!DOCTYPE topology SYSTEM \"a>'[\"\n[<!ENTITY a \"aa\">]>";
        assertStarts("bad.xml, line 2: the DOCTYPE has declarations", refusal(quoted + START + PU + END));
        String external = "<!DOCTYPE topology [<!ENTITY % p SYSTEM \"file:///dev/null\"> %p;]>";
        assertStarts("bad.xml, line 1: the DOCTYPE has declarations", refusal(external + START + PU + END));
    }

    /** The JDK's parser alone would read an empty name here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<info name=\"&secret;\" value=\"\"/>",
                "<info name=\"x\" value=\"a &secret; b\"/>",
                "&secret;",
                "<!-- & --><info name=\"&secret;\" value=\"\"/>",
                "<![CDATA[&]]><info name=\"&secret;\" value=\"\"/>"
            })
    void undeclaredEntitiesAreRefused(String element) {
        String text = "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n" + START + element + PU + END;
        assertEquals(
                "bad.xml, line 4: the entity &secret; is not declared; expected &lt; &gt; &amp; &quot; &apos; or the number of a character",
                refusal(text));
    }

    @Test
    void ampersandsInCommentsAreCharacters() throws IOException {
        String text = START + "<!-- R&D, <a&b; --><?note &x;?>" + PU + END;
        HwlocFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "good.xml");
    }

    @Test
    void depthHasALimit() {
        String group = "<object type=\"Group\" cpuset=\"0x1\">";
        String message = "bad.xml, line 3: elements are nested more than 90 deep";
        assertEquals(message, refusal(START + group.repeat(200) + PU + "</object>".repeat(200) + END));
        assertEquals(message, refusal(START + "<x>".repeat(100_000) + PU + END));
    }

    @Test
    void sizeHasALimit() {
        byte[] spaces = new byte[1 << 20];
        Arrays.fill(spaces, (byte) ' ');
        List<InputStream> parts = IntStream.range(0, 17)
                .<InputStream>mapToObj(_ -> new ByteArrayInputStream(spaces))
                .toList();
        InputStream start = new ByteArrayInputStream(START.getBytes(StandardCharsets.UTF_8));
        InputStream all = new SequenceInputStream(start, new SequenceInputStream(Collections.enumeration(parts)));
        assertEquals("bad.xml, line 3: the file has more than 16777216 characters", refusal(all));
    }

    /** Of objects, masks, infos and numbers. */
    @Test
    void memoryHasALimit() {
        String objects = "<object type=\"Misc\"/>".repeat(300_000);
        String masks = ("<object type=\"Misc\" cpuset=\"0x1" + ",".repeat(2047) + "\"/>").repeat(2_500);
        String numbers = "<distances2 type=\"PU\" nbobjs=\"1\" kind=\"1\"><indexes>0</indexes><u64values>"
                + "1 ".repeat(2_000_000) + "</u64values></distances2>";
        for (String contents : List.of(objects, masks, "</object>" + numbers + "<object>")) {
            assertEquals(
                    "bad.xml, line 4: the machine takes more than 24 MiB of memory; expected less",
                    refusal(START + PU + contents + END));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<object type=\"Foo\"/> | an object of type \"Foo\"; expected one of [",
                "<object/> | <object> has no type",
                "<object type=\"Machine\" cpuset=\"0x1\"/> | an object Machine within Machine; expected one Machine, around all others",
                "<object type=\"PU\" os_index=\"0\"/> | <object type=\"PU\"> has no cpuset",
                "<object type=\"PU\" cpuset=\"0x1\"/> | PU with os_index=\"-1\"; expected 0 to 65535",
                "<object type=\"PU\" os_index=\"x\" cpuset=\"0x1\"/> | os_index=\"x\"; expected a whole number",
                "<object type=\"PU\" os_index=\"70000\" cpuset=\"0x1\"/> | PU with os_index=\"70000\"; expected 0 to 65535",
                "<object type=\"Core\" cpuset=\"0x4\"/> | Core with the processors 2 within 0-1, those of the object around it; expected some of these",
                "<object type=\"Core\" cpuset=\"0xz\"/> | cpuset=\"0xz\" (\"0xz\" in a mask; expected up to 8 hexadecimal digits after 0x, or nothing, between commas); expected a mask such as 0x0000000f",
                "<object type=\"Core\" cpuset=\"0xf...f\"/> | cpuset=\"0xf...f\" (",
                "<object type=\"Core\" cpuset=\"0x1\" gp_index=\"-3\"/> | an object with the number -3; expected one from 0 on",
                "<object type=\"L2Cache\" cpuset=\"0x1\" cache_size=\"-1\"/> | cache_size=\"-1\"; expected a number from 0 on",
                "<object type=\"L2Cache\" cpuset=\"0x1\" cache_size=\"1e3\"/> | cache_size=\"1e3\"; expected a whole number",
                "<object type=\"PCIDev\" pci_link_speed=\"NaN\"/> | pci_link_speed=\"NaN\"; expected a number from 0 on, in GB/s",
            })
    void wrongObjectsAreNamed(String element, String message) {
        assertStarts("bad.xml, line 3: " + message, refusal(START + element + "\n" + PU + END));
    }

    @Test
    void objectsAreThereOnce() {
        String core = "<object type=\"Core\" cpuset=\"0x1\" gp_index=\"5\"/>\n";
        assertEquals(
                "bad.xml, line 4: a second object with the number 5 (gp_index or id); expected another",
                refusal(START + core + core + END));
        assertEquals(
                "bad.xml, line 4: a second PU with os_index=\"0\"; expected another number",
                refusal(START + PU + PU + END));
        assertStarts("bad.xml, line 3: a second object at the top", refusal(START + "</object>" + PU + END));
    }

    @Test
    void referencesToNothingAreNamed() {
        String before = START + PU + "</object>\n";
        assertEquals(
                "bad.xml, line 5: an object \"PU os 7\" is referred to, which is not there",
                refusal(before + "<distances2 type=\"PU\" nbobjs=\"1\" kind=\"1\"><indexes>7</indexes>"
                        + "<u64values>1</u64values></distances2></topology>"));
        assertEquals(
                "bad.xml, line 5: an object \"NUMANode:9\" is referred to, which is not there",
                refusal(before + "<memattr name=\"a\"><memattr_value target_obj_type=\"NUMANode\""
                        + " target_obj_gp_index=\"9\" value=\"1\"/></memattr></topology>"));
        assertEquals(
                "bad.xml, line 5: distances of 2 objects with 1 indexes and 1 values; expected 2 and 4",
                refusal(before + "<distances2 type=\"PU\" nbobjs=\"2\" kind=\"1\"><indexes>0</indexes>"
                        + "<u64values>1</u64values></distances2></topology>"));
        assertEquals(
                "bad.xml, line 5: u64values=\"-1\"; expected numbers from 0 on",
                refusal(before + "<distances2 type=\"PU\" nbobjs=\"1\" kind=\"1\"><indexes>0</indexes>"
                        + "<u64values>-1</u64values></distances2></topology>"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<root/> | the first element is <root>; expected <topology>, as lstopo writes it",
                "<topology/> | version \"1\" of the format (1 if there is none); expected 2.x or 3.x: lstopo of hwloc 2 converts older files",
                "<topology version=\"4.0\"/> | version \"4.0\" of the format",
                "<topology version=\"2.0\"/> | no object; expected one Machine",
                "<topology version=\"2.0\"> | no XML: ",
                "<topology version=\"2.0\" version=\"2.0\"/> | no XML: ",
                "not XML at all | no XML: ",
                "`` | no XML: ",
            })
    void otherFilesAreNamed(String text, String message) {
        assertStarts("bad.xml, line 1: " + message, refusal(text));
    }

    @Test
    void aMachineHasProcessors() {
        assertEquals(
                "bad.xml, line 4: the machine has no processing unit (PU); expected at least one",
                refusal(START + END));
    }

    @Test
    void otherEncodingsAreRefused() {
        byte[] wide = (START + PU + END).getBytes(StandardCharsets.UTF_16);
        assertEquals(
                "bad.xml, line 1: bytes that are not encoded in UTF-8; expected XML in UTF-8",
                refusal(new ByteArrayInputStream(wide)));
        byte[] bigEndian = (START + PU + END).getBytes(StandardCharsets.UTF_16BE);
        assertStarts("bad.xml, line 1: no XML: ", refusal(new ByteArrayInputStream(bigEndian)));
    }

    @Test
    void aByteOrderMarkIsSkipped() throws IOException {
        String text = "\uFEFF" + START + PU + END;
        HwlocFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "good.xml");
    }

    /** {@code scripts/check-machine-files} does a million. */
    @Test
    void damagedFilesAreReadOrRefused() throws IOException {
        long seed = 70;
        String results = new MutatedFiles(seed, MutatedFiles.bundled()).run(1_000);
        assertTrue(results.matches("[1-9]\\d* machines, [1-9]\\d* refused"), "seed " + seed + ": " + results);
    }
}
