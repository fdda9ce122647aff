package example;

import module dev.jacquard.flow;
import module java.base;

/**
 * A stream from files: at most eight images are in memory, whatever their number. A file that cannot be read is dropped,
 * and gives its buffer back.
 */
public final class Thumbnails {
    private static final int SIDE = 256;

    /** An image that was read. */
    record Image(Path file, Handle<byte[]> pixels) {}

    record Thumbnail(Path file, double mean) {}

    public static void main(String[] args) throws Exception {
        List<Path> files = makeFiles(200, 17);
        FlowGraph<Path, Thumbnail> graph = FlowGraph.build("thumbnails", g -> {
            MemoryEdge<byte[]> pixels = g.memory("pixels", 8, () -> new byte[SIDE * SIDE]);
            FlowTask<Path, Image> read = g.task("read", 2, () -> (Path file, Emitter<Image> out) -> {
                Handle<byte[]> buffer = out.take(pixels);
                readInto(buffer.value(), file);                   // may throw: the item fails, not the run
                out.emit(new Image(file, buffer));
            }).takes(pixels).onError((file, failure, out) ->
                    IO.println(file.getFileName() + ": " + failure.getMessage()));   // prints: 17.raw: has 100 bytes of 65536
            FlowTask<Image, Thumbnail> shrink = g.task("shrink", 4, () -> (Image image, Emitter<Thumbnail> out) -> {
                double mean = mean(image.pixels().value());
                out.release(image.pixels());
                out.emit(new Thumbnail(image.file(), mean));
            }).releases(pixels);
            g.input().to(read).to(shrink).to(g.output());
        });
        graph.check().orThrow();

        int done = 0;
        try (Session session = Session.open();
                FlowRun<Path, Thumbnail> run = graph.start(session, FlowRun.Options.defaults().withInputBound(32))) {
            run.feed(files);                                      // in the background, while fewer than 32 files wait
            for (Thumbnail _ : run) done++;                       // results as they come
            run.profile().writeSvg(Path.of("thumbnails.svg"));
            IO.println(done + " thumbnails, " + run.report().dropped() + " failed");   // prints: 199 thumbnails, 1 failed
        }
    }

    private static void readInto(byte[] buffer, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            int count = in.readNBytes(buffer, 0, buffer.length);
            if (count < buffer.length) throw new IOException("has " + count + " bytes of " + buffer.length);
        }
    }

    private static double mean(byte[] pixels) {
        long sum = 0;
        for (byte pixel : pixels) sum += pixel & 0xff;
        return (double) sum / pixels.length;
    }

    /** Files of a folder that the system deletes; one of them is too short. */
    private static List<Path> makeFiles(int count, int tooShort) throws IOException {
        Path folder = Files.createTempDirectory("images");
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] pixels = new byte[i == tooShort ? 100 : SIDE * SIDE];
            Arrays.fill(pixels, (byte) i);
            files.add(Files.write(folder.resolve(i + ".raw"), pixels));
        }
        return files;
    }
}
