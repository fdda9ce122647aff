package dev.jacquard.apps.stitching;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import dev.jacquard.base.machine.ProcessMemory;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run of stitching: a few lines for a reader, and {@code report.json}.
 *
 * @param settings the requested settings
 * @param plate the result
 * @param fft the FFT library
 * @param pool how many transforms could live
 * @param peakLive how many lived at most
 * @param times seconds per phase
 * @param mosaicWidth columns of the mosaic
 * @param mosaicHeight rows of the mosaic
 */
record Summary(
        StitchingSettings settings,
        Plate plate,
        String fft,
        int pool,
        int peakLive,
        Map<String, Double> times,
        int mosaicWidth,
        int mosaicHeight) {
    private static final int NAMED = 10;

    Report report(String folder) {
        return new Report(lines(folder), values(folder));
    }

    private List<String> lines(String folder) {
        List<Verdict> doubtful = plate.doubtful();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%d tiles, %d pairs, %d of them trusted; mosaic of %d x %d pixels",
                plate.tiles().tiles().size(),
                plate.verdicts().size(),
                plate.verdicts().size() - doubtful.size(),
                mosaicWidth,
                mosaicHeight));
        lines.add(String.format(
                Locale.ROOT,
                "%.2f s to the positions, %.2f s in all; %d workers, FFT by %s, at most %d of %d transforms in memory",
                seconds("firstReadToPositions"),
                seconds("total"),
                settings.workers(),
                fft,
                peakLive,
                pool));
        if (!doubtful.isEmpty()) {
            lines.add("not trusted: " + named(doubtful.stream().map(this::name).toList()));
        }
        List<Integer> unheld = plate.unheld();
        if (!unheld.isEmpty()) {
            lines.add("placed by the stage alone, since no pair could be trusted: "
                    + named(unheld.stream().map(plate::file).toList()));
        }
        int groups = plate.groups();
        if (groups > 1) {
            lines.add("the trusted pairs leave " + groups
                    + " groups of tiles apart: how those lie to each other is the stage's nominal step");
        }
        lines.add("written to " + folder);
        return lines;
    }

    private double seconds(String phase) {
        return times.getOrDefault(phase, Double.NaN);
    }

    private String name(Verdict verdict) {
        return plate.file(verdict.measurement().pair().from()) + " - "
                + plate.file(verdict.measurement().pair().to()) + " (" + verdict.reason() + ")";
    }

    private static String named(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more (report.json has all)" : "");
    }

    private Map<String, @Nullable Object> values(String folder) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("component", "stitching");
        values.put("tiles", plate.tiles().tiles().size());
        values.put("rows", plate.tiles().rows());
        values.put("columns", plate.tiles().columns());
        values.put("tileWidth", plate.tiles().tileWidth());
        values.put("tileHeight", plate.tiles().tileHeight());
        values.put("pairs", plate.verdicts().size());
        values.put("pairsTrusted", plate.verdicts().size() - plate.doubtful().size());
        values.put(
                "pairsNotTrusted", plate.doubtful().stream().map(this::values).toList());
        values.put(
                "tilesPlacedByStage", plate.unheld().stream().map(plate::file).toList());
        values.put("groups", plate.groups());
        values.put("correlations", correlations());
        values.put("seconds", times);
        values.put("workers", settings.workers());
        values.put("fft", fft);
        values.put("traversal", Setting.Type.nameOf(settings.traversal()));
        values.put("transforms", pool);
        values.put("peakLiveTransforms", peakLive);
        OptionalLong peak = ProcessMemory.peakResidentBytes();
        values.put("peakResidentBytes", peak.isPresent() ? (Long) peak.getAsLong() : null);
        values.put("mosaicWidth", mosaicWidth);
        values.put("mosaicHeight", mosaicHeight);
        values.put("folder", folder);
        return values;
    }

    private Map<String, Object> values(Verdict verdict) {
        Measurement measured = verdict.measurement();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("from", plate.file(measured.pair().from()));
        values.put("to", plate.file(measured.pair().to()));
        values.put("dx", measured.dx());
        values.put("dy", measured.dy());
        values.put("correlation", measured.correlation());
        values.put("reason", verdict.reason());
        return values;
    }

    /** Smallest, median and largest correlation of all pairs; nothing when there are no pairs. */
    private Map<String, Object> correlations() {
        double[] sorted = plate.verdicts().stream()
                .mapToDouble(verdict -> verdict.measurement().correlation())
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return Map.of();
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("min", sorted[0]);
        values.put("median", sorted[sorted.length / 2]);
        values.put("max", sorted[sorted.length - 1]);
        values.put("mean", Arrays.stream(sorted).average().orElseThrow());
        return values;
    }
}
