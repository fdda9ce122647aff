package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tree of machines on the command line; {@link CommandLineTest} has devices and links. */
class MachineCommandTest {
    private static final String GPU = """
            <!DOCTYPE topology SYSTEM "hwloc2.dtd">
            <topology version="3.0">
              <object type="Machine" cpuset="0x00000001,,0x00000003">
                <object type="Package" os_index="0" cpuset="0x00000003">
                  <object type="NUMANode" os_index="0" cpuset="0x00000003" local_memory="1073741824"/>
                  <object type="L2Cache" cpuset="0x00000003" cache_size="2097152" depth="2" cache_type="0">
                    <object type="Core" os_index="0" cpuset="0x00000003">
                      <object type="PU" os_index="0" cpuset="0x00000001"/>
                      <object type="PU" os_index="1" cpuset="0x00000002"/>
                    </object>
                  </object>
                </object>
                <object type="PU" os_index="64" cpuset="0x00000001,,0x0"/>
                <object type="PCIDev" pci_busid="0000:01:00.0">
                  <object type="OSDev" name="cuda0" subtype="CUDA" osdev_type="12"/>
                  <object type="OSDev" name="nvml0" subtype="NVML" osdev_type="12"/>
                </object>
              </object>
            </topology>
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = Files.writeString(folder.resolve("gpu.xml"), GPU);
    }

    private int run(Object... args) {
        String[] words = new String[args.length + 1];
        words[0] = "machine";
        for (int i = 0; i < args.length; i++) {
            words[i + 1] = args[i].toString();
        }
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(words, new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false));
    }

    @Test
    void aFileIsCounted() {
        assertEquals(0, run("--from", file, "--json"), err::toString);
        String json = out.toString();
        for (String count : new String[] {"pu\" : 3", "core\" : 1", "package\" : 1", "numa\" : 1", "gpu\" : 1"}) {
            assertTrue(json.contains("\n  \"" + count + ",\n"), json);
        }
        assertTrue(json.contains("\"tree\" : {\n    \"type\" : \"Machine\",\n    \"cpus\" : \"0-1,64\""), json);
        assertTrue(json.contains("\"cache_size\" : 2097152"), json);
        assertFalse(json.contains("\"devices\""), "those of this machine");
    }

    @Test
    void theTreeIsPrinted() {
        assertEquals(0, run("--from", file), err::toString);
        assertTrue(out.toString().contains("pu             3\n"), out.toString());
        assertTrue(out.toString().contains("tree               L2Cache (2 MiB)\n"), out.toString());
    }

    @Test
    void filesAreWrittenInBothVersions() throws IOException {
        Path copy = folder.resolve("copy.xml");
        assertEquals(0, run("--from", file, "--to", copy), err::toString);
        assertTrue(Files.readString(copy).contains("<topology version=\"3.0\">"), "the version of the file");
        Path older = folder.resolve("older.xml");
        assertEquals(0, run("--from", copy, "--to", older, "--to-version", "2"), err::toString);
        assertTrue(Files.readString(older).contains("<topology version=\"2.0\">"));
        assertEquals(0, run("--from", older, "--json"), err::toString);
        assertTrue(out.toString().contains("\"gpu\" : 1,"), out.toString());
    }

    @Test
    void thePictureHasABoxForEachObject() throws IOException {
        Path picture = folder.resolve("gpu.svg");
        assertEquals(0, run("--from", file, "--svg", picture), err::toString);
        String svg = Files.readString(picture);
        assertTrue(svg.contains(">NUMANode 0 (1 GiB)</text>"), svg);
        assertEquals(11 + 2, svg.split("<rect", -1).length, "a box each, and the page");
    }

    @Test
    void thisMachineCanBeWrittenAndReadAgain() throws IOException {
        Path here = folder.resolve("here.xml");
        assertEquals(0, run("--to", here, "--json"), err::toString);
        assertTrue(out.toString().startsWith("{\n  \"system\""), out.toString());
        assertTrue(
                out.toString()
                        .contains("\"pu\" : " + Machine.current().root().cpus().size() + ","),
                out.toString());
        assertEquals(0, run("--from", here, "--json"), err::toString);
        assertTrue(
                out.toString()
                        .contains("\"pu\" : " + Machine.current().root().cpus().size() + ","),
                out.toString());
    }

    @Test
    void wrongFilesAndOptionsAreNamed() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.xml"), GPU.replace("L2Cache", "L9Cache"));
        assertEquals(2, run("--from", broken));
        assertTrue(
                err.toString()
                        .contains("jacquard: " + broken + ", line 6: an object of type \"L9Cache\"; expected one of"),
                err.toString());
        assertEquals(2, run("--from", folder.resolve("none.xml")));
        assertTrue(err.toString().contains("none.xml: there is no such file"), err.toString());
        assertEquals(2, run("--from", folder));
        assertEquals(2, run("--from", file, "--measure"));
        assertEquals(2, run("--from", file, "--to", file));
        assertEquals(2, run("--from", file, "--to-version", "4"));
        assertTrue(err.toString().contains("--to-version 4: expected 2 or 3"), err.toString());
    }
}
