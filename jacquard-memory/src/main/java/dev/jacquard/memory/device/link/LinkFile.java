package dev.jacquard.memory.device.link;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.base.machine.CacheFolder;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measured links in a file: a line each, with where from, where to, the devices' models, bytes per second and
 * nanoseconds of latency, separated by tabs.
 *
 * <p>Threads: any; of two that write at the same time one wins.
 */
public final class LinkFile {
    private static final System.Logger LOG = System.getLogger(LinkFile.class.getName());

    private final Path path;

    /** Links in that file, which need not exist. */
    public LinkFile(Path path) {
        this.path = path;
    }

    /** The user's for this machine: {@code links-HOST.tsv} in the {@link CacheFolder}. */
    public static LinkFile ofUser() {
        return new LinkFile(CacheFolder.ofMachine("links"));
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /** Returns the links that were kept; lines that are not readable count as not measured, with a warning. */
    public List<LinkTable.Measured> read() {
        List<LinkTable.Measured> links = new ArrayList<>();
        if (!Files.isReadable(path)) {
            return links;
        }
        try {
            for (String line : Files.readAllLines(path)) {
                if (!line.startsWith("#")) {
                    links.add(parse(line));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "links count as not measured, since " + path + " is not readable: " + e);
        }
        return links;
    }

    private static LinkTable.Measured parse(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length != 5) {
            throw new IllegalArgumentException("a link has 5 fields, not " + parts.length + " as in \"" + line + '"');
        }
        return new LinkTable.Measured(
                parts[0], parts[1], parts[2], new LinkSpeed(Long.parseLong(parts[3]), Long.parseLong(parts[4])));
    }

    /** Keeps these, and nothing that was kept before. */
    public void write(List<LinkTable.Measured> links) throws IOException {
        StringBuilder text = new StringBuilder("# from, to, model, bytes per second, latency in nanoseconds\n");
        for (LinkTable.Measured link : links) {
            text.append(link.from()).append('\t').append(link.to()).append('\t');
            text.append(link.model().replace('\t', ' ').replace('\n', ' ')).append('\t');
            text.append(link.speed().bytesPerSecond()).append('\t');
            text.append(link.speed().latencyNanos()).append('\n');
        }
        Files.createDirectories(path.toAbsolutePath().getParent());
        try (AtomicFile file = AtomicFile.create(path)) { // a concurrent reader sees all or nothing
            file.write(MemorySegment.ofArray(text.toString().getBytes(StandardCharsets.UTF_8)));
            file.commit();
        }
    }
}
