package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.program.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tiles of a plate, all found and checked, none read yet.
 *
 * @param rows rows of the grid
 * @param columns columns of the grid
 * @param tiles the headers, row by row from the top left; all of one size and depth
 */
public record TileGrid(int rows, int columns, List<TiffHeader> tiles) {
    private static final int MOST_NAMED = 3;

    public TileGrid {
        tiles = List.copyOf(tiles);
        if (tiles.size() != rows * columns) {
            throw new IllegalArgumentException(tiles.size() + " tiles for a grid of " + rows + " x " + columns);
        }
    }

    /** Columns of every tile, in pixels. */
    public int tileWidth() {
        return tiles.getFirst().width();
    }

    /** Rows of every tile, in pixels. */
    public int tileHeight() {
        return tiles.getFirst().height();
    }

    /**
     * Finds the tiles of a grid and checks the header of each.
     *
     * @throws InputException if one is missing, is there twice, cannot be read, or differs from the first in size or
     *     depth
     */
    static TileGrid find(Path folder, TilePattern pattern, GridLayout layout) {
        List<TiffHeader> headers = new ArrayList<>(layout.size());
        for (Path file : files(folder, pattern, layout)) {
            headers.add(probe(file, headers, layout.columns()));
        }
        return new TileGrid(layout.rows(), layout.columns(), headers);
    }

    /** Finds the tiles of a grid that is numbered row by row from 1 at the top left, as {@code find} does. */
    public static TileGrid rowByRow(Path folder, String pattern, int rows, int columns) {
        GridLayout layout = new GridLayout(rows, columns, 1, GridLayout.Order.ROW, false, GridLayout.Corner.TOP_LEFT);
        return find(folder, TilePattern.parse(pattern), layout);
    }

    private static List<Path> files(Path folder, TilePattern pattern, GridLayout layout) {
        Map<Long, Path> found = matching(folder, pattern, layout);
        List<Path> files = new ArrayList<>(layout.size());
        List<String> missing = new ArrayList<>();
        for (int row = 0; row < layout.rows(); row++) {
            for (int column = 0; column < layout.columns(); column++) {
                TilePattern.TileName name = pattern.nameAt(layout, row, column);
                Path file = found.get(name.key());
                if (file != null) {
                    files.add(file);
                } else {
                    missing.add(pattern.fileName(name) + " (row " + row + ", column " + column + " from 0)");
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new InputException(missingMessage(folder, pattern, layout, missing, found.isEmpty()));
        }
        return files;
    }

    private static String missingMessage(
            Path folder, TilePattern pattern, GridLayout layout, List<String> missing, boolean nothing) {
        String grid = layout.rows() + " x " + layout.columns();
        if (nothing) {
            return "no file in " + folder + " fits 'tiles.pattern' " + pattern + " and the grid of " + grid
                    + "; expected names like " + missing.getFirst();
        }
        String names = String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size())));
        String more = missing.size() > MOST_NAMED ? " and " + (missing.size() - MOST_NAMED) + " more" : "";
        return (missing.size() == 1 ? "a tile is" : missing.size() + " tiles are") + " missing in " + folder
                + " for the grid of " + grid + ": " + names + more;
    }

    private static Map<Long, Path> matching(Path folder, TilePattern pattern, GridLayout layout) {
        Map<Long, Path> wanted = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                TilePattern.TileName name =
                        pattern.match(file.getFileName().toString()).orElse(null);
                if (name != null && isInGrid(name, pattern, layout)) {
                    keep(file, wanted.put(name.key(), file), name, pattern);
                }
            }
        } catch (IOException e) {
            throw new InputException("the tiles' folder " + folder + " cannot be read: " + e.getMessage(), e);
        }
        return wanted;
    }

    private static boolean isInGrid(TilePattern.TileName name, TilePattern pattern, GridLayout layout) {
        if (pattern.isSequence()) {
            return name.column() >= layout.first() && name.column() - layout.first() < layout.size();
        }
        return name.row() >= layout.first()
                && name.row() - layout.first() < layout.rows()
                && name.column() >= layout.first()
                && name.column() - layout.first() < layout.columns();
    }

    private static void keep(Path file, @Nullable Path earlier, TilePattern.TileName name, TilePattern pattern) {
        if (earlier == null) {
            return;
        }
        String one = file.getFileName().toString();
        String other = earlier.getFileName().toString();
        String number =
                pattern.isSequence() ? "number " + name.column() : "row " + name.row() + ", column " + name.column();
        throw new InputException(
                "two tiles for one place: " + (one.compareTo(other) < 0 ? one + " and " + other : other + " and " + one)
                        + " in " + file.getParent() + " both have " + number + "; remove one");
    }

    private static TiffHeader probe(Path file, List<TiffHeader> earlier, int columns) {
        TiffHeader header;
        try {
            header = TiffHeader.probe(file);
        } catch (IOException e) {
            int index = earlier.size();
            throw new InputException(
                    "tile of row " + index / columns + ", column " + index % columns + ": " + e.getMessage(), e);
        }
        if (!earlier.isEmpty()) {
            checkAlike(earlier.getFirst(), header);
        }
        return header;
    }

    private static void checkAlike(TiffHeader first, TiffHeader other) {
        if (first.width() != other.width() || first.height() != other.height()) {
            throw new InputException("tiles of different sizes: " + first.file() + " has " + first.width() + " x "
                    + first.height() + " pixels, " + other.file() + " has " + other.width() + " x " + other.height());
        }
        if (first.bits() != other.bits()) {
            throw new InputException("tiles of different depths: " + first.file() + " has " + first.bits() + " bits, "
                    + other.file() + " has " + other.bits());
        }
    }
}
