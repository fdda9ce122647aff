package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.apps.image.TiffPage.Compression;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns a TIFF's directories into a {@link TiffHeader}, and refuses unsupported files, with the reason. */
final class TiffHeaderParser {
    private static final int NEW_SUBFILE_TYPE = 254;
    private static final int SUBFILE_TYPE = 255;
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int BITS_PER_SAMPLE = 258;
    private static final int PHOTOMETRIC = 262;
    private static final int DESCRIPTION = 270;
    private static final int SAMPLES_PER_PIXEL = 277;
    private static final int SAMPLE_FORMAT = 339;

    private final TiffWindow window;

    private TiffHeaderParser(TiffWindow window) {
        this.window = window;
    }

    static TiffHeader parse(Path file, PlaneChoice choice) throws IOException {
        if (Files.isDirectory(file)) {
            throw new ImageFormatException(file, "it is a folder, not a TIFF");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) { // opening a pipe may never return
            throw new ImageFormatException(file, "it is a pipe or a device, not a file");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            return new TiffHeaderParser(new TiffWindow(file, channel)).parse(choice);
        } catch (NoSuchFileException e) {
            throw new ImageFormatException(file, "there is no such file", e);
        }
    }

    private TiffHeader parse(PlaneChoice choice) throws IOException {
        List<TiffDirectory> all = TiffDirectory.readAll(window);
        List<TiffDirectory> full = full(all);
        String description = all.getFirst().text(DESCRIPTION);
        int contiguous = full.size() == 1 ? PlaneNumbers.contiguousPages(description) : 1;
        PlaneNumbers numbers = PlaneNumbers.of(description, Math.max(full.size(), contiguous));
        int[] chosen = choice.pages(numbers, window);
        TiffDirectory first = full.get(contiguous > 1 ? 0 : chosen[0]);
        int width = size(first, WIDTH, "width");
        int height = size(first, HEIGHT, "height");
        Samples samples = samples(first);
        if ((long) width * height > Integer.MAX_VALUE - 8) {
            throw refused("it has " + width + " x " + height + " samples; at most 2,147,483,639 fit one image");
        }
        List<TiffPage> pages = new ArrayList<>(chosen.length);
        for (int number : chosen) {
            TiffDirectory page = full.get(contiguous > 1 ? 0 : number);
            if (page != first && (size(page, WIDTH, "width") != width || size(page, HEIGHT, "height") != height)) {
                throw refused("its pages differ: page " + (number + 1) + " has " + size(page, WIDTH, "width") + " x "
                        + size(page, HEIGHT, "height") + " pixels, page " + (chosen[0] + 1) + " " + width + " x "
                        + height);
            }
            if (page != first && samples(page) != samples) {
                throw refused("its pages differ: page " + (number + 1) + " has "
                        + samples(page).text() + " samples, page " + (chosen[0] + 1) + " " + samples.text());
            }
            requireGray(page);
            TiffPage its = new TiffPageParser(window, page, width, height, samples).parse();
            pages.add(contiguous > 1 ? shifted(its, number, width, height, samples) : its);
        }
        return new TiffHeader(
                window.file(), window.length(), window.order(), width, height, samples, pages, TiffHeader.Range.UNIT);
    }

    /** Returns the pages that are no thumbnails and no masks. */
    private List<TiffDirectory> full(List<TiffDirectory> all) throws IOException {
        List<TiffDirectory> full = new ArrayList<>();
        for (TiffDirectory page : all) {
            boolean isPart = (page.value(NEW_SUBFILE_TYPE, 0) & 0b101) != 0 || page.value(SUBFILE_TYPE, 1) == 2;
            if (!isPart) {
                full.add(page);
            }
        }
        if (full.isEmpty()) {
            throw refused("it has only pages that are thumbnails or masks");
        }
        return full;
    }

    /** Returns the page of a stack without directories: page {@code number} follows the first without a gap. */
    private TiffPage shifted(TiffPage first, int number, int width, int height, Samples samples) throws IOException {
        if (first.compression() != Compression.NONE) {
            throw refused("its description says that it has several pages, and it has the first alone");
        }
        long bytes = samples.rowBytes(width) * height;
        long[] offsets = {first.offsets()[0] + number * bytes};
        if (offsets[0] > window.length() - bytes) {
            throw refused("truncated: page " + (number + 1) + " ends at byte " + (offsets[0] + bytes) + " of "
                    + window.length());
        }
        return new TiffPage(
                Compression.NONE, 1, first.whiteIsZero(), first.palette(), width, height, false, offsets, new long[] {
                    bytes
                });
    }

    private int size(TiffDirectory page, int tag, String name) throws IOException {
        long value = page.value(tag, 0);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw refused("its " + name + " is " + value);
        }
        return (int) value;
    }

    private void requireGray(TiffDirectory page) throws IOException {
        long photometric = page.value(PHOTOMETRIC, 1);
        if (photometric == 2) {
            throw refused("an RGB image; only one channel of gray is read: split its channels first");
        }
        if (photometric > 3 || photometric < 0) {
            throw refused("its photometric interpretation is " + photometric
                    + "; only gray (0 or 1), also with a palette (3), is read");
        }
        long samples = page.value(SAMPLES_PER_PIXEL, 1);
        if (samples != 1) {
            throw refused("it has " + samples + " samples per pixel; only one is read: split its channels first");
        }
    }

    private Samples samples(TiffDirectory page) throws IOException {
        requireGray(page);
        long bits = page.value(BITS_PER_SAMPLE, 1);
        long format = page.value(SAMPLE_FORMAT, 1);
        Samples samples = Samples.of(bits, format);
        if (samples == null) {
            String kind = format == 3 ? "floating-point" : format == 2 ? "signed" : "unsigned";
            throw refused("its samples are " + bits + "-bit " + kind
                    + "; unsigned ones of 8, 12 and 16 bits, signed ones of 16 and floating-point ones of 32 are read");
        }
        return samples;
    }

    private ImageFormatException refused(String reason) {
        return window.damaged(reason);
    }
}
