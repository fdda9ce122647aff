package dev.jacquard.memory.device.link;

import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    /**
     * The user's for this machine: {@code links-HOST.tsv} in the folder {@code jacquard} of {@code XDG_CACHE_HOME}, or
     * of {@code ~/.cache} when that is not set.
     */
    public static LinkFile ofUser() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = cache == null || !Path.of(cache).isAbsolute()
                ? Path.of(System.getProperty("user.home", ""), ".cache")
                : Path.of(cache);
        return new LinkFile(folder.resolve("jacquard").resolve("links-" + machine() + ".tsv"));
    }

    /** Folders of users may be shared by machines. */
    private static String machine() {
        Path name = Path.of("/proc/sys/kernel/hostname");
        try {
            return Files.isReadable(name) ? Files.readString(name).strip() : "local";
        } catch (IOException e) {
            return "local";
        }
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
        Path made = Files.createTempFile(path.toAbsolutePath().getParent(), "links-", ".part");
        Files.writeString(made, text);
        Files.move(made, path, StandardCopyOption.REPLACE_EXISTING); // a concurrent reader sees all or nothing
    }
}
