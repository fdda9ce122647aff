package dev.jacquard.apps.plate;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.apps.tiles.TilePosition;
import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/** The component {@code make-plate}: tiles and their true positions, from a mosaic or a texture. */
public final class MakePlate implements Application {
    private static final String GENERATED = "generated";
    private static final String TRUTH_FILE = "ground-truth.txt";
    private static final float VARIATION = 0.15f;

    private static final Setting<String> MOSAIC = Setting.optional(
            "mosaic",
            Setting.Type.text("a TIFF file, or " + GENERATED),
            GENERATED,
            "the grayscale TIFF that is cut, continued by mirroring where it is too small;"
                    + " 'generated' makes a texture");
    private static final Setting<Integer> ROWS =
            Setting.required("plate.rows", Setting.Type.integer(1, 1000), "rows of the plate");
    private static final Setting<Integer> COLUMNS =
            Setting.required("plate.columns", Setting.Type.integer(1, 1000), "columns of the plate");
    private static final Setting<Integer> WIDTH =
            Setting.required("tile.width", Setting.Type.integer(8, 16_384), "columns of a tile, in pixels");
    private static final Setting<Integer> HEIGHT =
            Setting.required("tile.height", Setting.Type.integer(8, 16_384), "rows of a tile, in pixels");
    private static final Setting<Integer> BITS = Setting.optional(
            "tile.bits",
            new Setting.Type<>("8 or 16", text -> text.equals("8") || text.equals("16") ? Integer.valueOf(text) : null),
            "16",
            "bits of a sample");
    private static final Setting<Double> OVERLAP = Setting.optional(
            "overlap",
            Setting.Type.number(0, 0.9),
            "0.1",
            "the part of a tile that its neighbour shows too, nominally");
    private static final Setting<Integer> JITTER = Setting.optional(
            "jitter",
            Setting.Type.integer(0, 1000),
            "4",
            "how far a tile lies from its nominal place at most, in pixels");
    private static final Setting<Double> GAIN = Setting.optional(
            "gain", Setting.Type.number(0, 0.9), "0.03", "how far a tile's brightness is from the mosaic's at most");
    private static final Setting<Double> NOISE = Setting.optional(
            "noise", Setting.Type.number(0, 0.5), "0.0006", "deviation of the Gaussian noise; 1 is white");
    private static final Setting<Integer> SEED =
            Setting.optional("seed", Setting.Type.integer(0, Integer.MAX_VALUE), "1", "the same seed, the same plate");
    private static final Source<String> FOLDER = Source.of(
            "folder", SocketType.of(String.class), "The folder of the tiles img_rRRR_cCCC.tif while the program runs.");
    private static final Source<List<TilePosition>> TRUTH =
            Source.of("truth", TilePosition.LIST, "Where the tiles are.");

    @Override
    public String name() {
        return "make-plate";
    }

    @Override
    public String description() {
        return "cuts a plate of overlapping tiles with known true positions, for tests and benchmarks";
    }

    @Override
    public String dataFolder() {
        return "stitching";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(MOSAIC, ROWS, COLUMNS, WIDTH, HEIGHT, BITS, OVERLAP, JITTER, GAIN, NOISE, SEED);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(FOLDER, TRUTH);
    }

    @Override
    public Instance open(ComponentContext context) {
        Job job = Job.of(context);
        Output<String> folder = context.output(FOLDER);
        Output<List<TilePosition>> truth = context.output(TRUTH);
        return () -> {
            context.report(run(job));
            PlatePlan plan = plan(job.settings(), new Seed(job.settings().get(SEED)));
            folder.set(String.valueOf(job.output().file(TRUTH_FILE).getParent()));
            truth.set(truth(plan));
            return true;
        };
    }

    @Override
    public Report run(Job run) throws IOException {
        Settings settings = run.settings();
        Seed seed = new Seed(settings.get(SEED));
        PlatePlan plan = plan(settings, seed);
        TileCutter cutter =
                new TileCutter(plan, scene(settings, plan, seed), settings.get(BITS), settings.get(NOISE), seed.of(4));
        run.progress().start("cutting tiles", (long) plan.rows() * plan.columns());
        for (int row = 0; row < plan.rows(); row++) {
            for (int column = 0; column < plan.columns(); column++) {
                run.cancellation().check();
                cutter.write(run.output().file(fileName(row, column)), row, column);
                run.progress().advance(1);
            }
        }
        writeTruth(plan, run.output().file(TRUTH_FILE));
        return report(run, plan);
    }

    private static String fileName(int row, int column) {
        return String.format(Locale.ROOT, "img_r%03d_c%03d.tif", row + 1, column + 1);
    }

    /** Returns the true positions, row by row. */
    private static List<TilePosition> truth(PlatePlan plan) {
        int left = smallest(plan, plan::x);
        int top = smallest(plan, plan::y);
        return IntStream.range(0, plan.rows() * plan.columns())
                .mapToObj(tile -> {
                    int row = tile / plan.columns();
                    int column = tile % plan.columns();
                    return new TilePosition(
                            fileName(row, column), plan.x(row, column) - left, plan.y(row, column) - top);
                })
                .toList();
    }

    private static void writeTruth(PlatePlan plan, Path file) throws IOException {
        StringBuilder text = new StringBuilder("# true positions, smallest x and y are 0; file x y row column\n");
        List<TilePosition> truth = truth(plan);
        for (int i = 0; i < truth.size(); i++) {
            TilePosition tile = truth.get(i);
            text.append(String.format(
                    Locale.ROOT,
                    "%s %d %d %d %d\n",
                    tile.file(),
                    tile.x(),
                    tile.y(),
                    i / plan.columns(),
                    i % plan.columns()));
        }
        Files.writeString(file, text);
    }

    private static PlatePlan plan(Settings settings, Seed seed) {
        return new PlatePlan(
                settings.get(ROWS),
                settings.get(COLUMNS),
                settings.get(WIDTH),
                settings.get(HEIGHT),
                settings.get(OVERLAP),
                settings.get(JITTER),
                settings.get(GAIN),
                seed);
    }

    private static Scene scene(Settings settings, PlatePlan plan, Seed seed) throws IOException {
        Texture texture = new Texture(seed.of(5));
        if (settings.get(MOSAIC).equals(GENERATED)) {
            return texture;
        }
        try {
            GrayImage mosaic = TiffReader.read(settings.file(MOSAIC));
            boolean within = plan.width() <= mosaic.width() && plan.height() <= mosaic.height();
            return new MirroredMosaic(mosaic, texture, within ? 0 : VARIATION);
        } catch (ImageFormatException e) {
            throw new InputException(e.getMessage(), e);
        }
    }

    private static int smallest(PlatePlan plan, IntBinaryOperator edge) {
        return IntStream.range(0, plan.rows() * plan.columns())
                .map(tile -> edge.applyAsInt(tile / plan.columns(), tile % plan.columns()))
                .min()
                .orElseThrow();
    }

    private static Report report(Job run, PlatePlan plan) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", "make-plate");
        values.put("rows", plan.rows());
        values.put("columns", plan.columns());
        values.put("tileWidth", plan.tileWidth());
        values.put("tileHeight", plan.tileHeight());
        values.put("folder", run.output().folder().toString());
        String line = String.format(
                Locale.ROOT,
                "%d x %d tiles of %d x %d pixels in %s",
                plan.rows(),
                plan.columns(),
                plan.tileWidth(),
                plan.tileHeight(),
                run.output().folder());
        return new Report(List.of(line), values);
    }
}
