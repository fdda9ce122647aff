package dev.jacquard.numerics.openblas;

import dev.jacquard.base.machine.CacheFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * A folder of the user's where native libraries lie that came in jars.
 *
 * <pre>
 *   jar --entries' names, sizes, checksums--> folder's name --all there and right?--> paths
 *                                                          |no: unpack next to it, check, rename
 * </pre>
 *
 * <p>Libraries that belong together get a folder that is named after their contents, so that versions do not meet. A
 * file appears there by an atomic rename, whole and checked; several processes may unpack at once, and all of them
 * write the same. A file that is there already is used if its size and checksum match the jar's directory, else it is
 * replaced. The checksum is for damage, not for enemies: a program that can write the user's folder can do anything as
 * that user.
 *
 * @param folder {@link CacheFolder}
 */
record NativeCache(Path folder) {
    static NativeCache ofUser() {
        return new NativeCache(CacheFolder.ofUser());
    }

    /** Unpacks entries of jars that belong together: their paths by their files' names, in the order given. */
    Map<String, Path> unpack(List<URL> resources) throws IOException {
        StringBuilder contents = new StringBuilder();
        Map<String, JarEntry> entries = new LinkedHashMap<>();
        for (URL resource : resources) {
            JarEntry entry = entry(resource);
            String name = String.valueOf(Path.of(entry.getName()).getFileName());
            entries.put(name, entry);
            contents.append(name)
                    .append(' ')
                    .append(entry.getSize())
                    .append(' ')
                    .append(entry.getCrc())
                    .append('\n');
        }
        Path home = Files.createDirectories(folder.resolve("native").resolve(digest(contents.toString())));
        Map<String, Path> unpacked = new LinkedHashMap<>();
        int next = 0;
        for (Map.Entry<String, JarEntry> entry : entries.entrySet()) {
            Path file = home.resolve(entry.getKey());
            URL resource = resources.get(next++);
            if (!isRight(file, entry.getValue())) {
                write(resource, entry.getValue(), file);
            }
            unpacked.put(entry.getKey(), file);
        }
        return unpacked;
    }

    private static JarEntry entry(URL resource) throws IOException {
        URLConnection connection = resource.openConnection();
        if (!(connection instanceof JarURLConnection jar)) {
            throw new IOException(resource + " is not in a jar");
        }
        JarEntry entry = jar.getJarEntry();
        if (entry == null) {
            throw new FileNotFoundException(resource + " is a jar, not a file in one");
        }
        return entry;
    }

    private static boolean isRight(Path file, JarEntry entry) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) != entry.getSize()) {
            return false;
        }
        CheckedInputStream checked = new CheckedInputStream(Files.newInputStream(file), new CRC32());
        try (checked) {
            checked.transferTo(OutputStream.nullOutputStream());
        }
        return checked.getChecksum().getValue() == entry.getCrc();
    }

    private static void write(URL resource, JarEntry entry, Path file) throws IOException {
        Path beside =
                Files.createTempFile(file.toAbsolutePath().getParent(), String.valueOf(file.getFileName()), ".part");
        try {
            try (InputStream in = resource.openStream()) {
                Files.copy(in, beside, StandardCopyOption.REPLACE_EXISTING);
            }
            if (!isRight(beside, entry)) {
                throw new IOException(resource + " does not have the contents that its jar's directory states");
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new UncheckedIOException(new IOException(everyJavaHasIt));
        }
    }
}
