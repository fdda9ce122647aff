package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.PlaneChoice;
import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.image.TiffHeader.Range;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
    static TileGrid find(Path folder, TilePattern pattern, GridLayout layout, PlaneChoice planes) {
        List<TiffHeader> headers = new ArrayList<>(layout.size());
        for (Path file : files(folder, pattern, layout)) {
            headers.add(probe(file, planes, headers, layout.columns()));
        }
        if (headers.getFirst().isFloat()) {
            Range range = range(headers);
            headers.replaceAll(header -> header.withRange(range));
        }
        return new TileGrid(layout.rows(), layout.columns(), headers);
    }

    /** Returns the range of the samples of all tiles, so that they become 16-bit samples in the same way. */
    private static Range range(List<TiffHeader> headers) {
        try {
            Range range = TiffReader.rangeOf(headers.getFirst());
            for (TiffHeader header : headers.subList(1, headers.size())) {
                range = range.with(TiffReader.rangeOf(header));
            }
            return range;
        } catch (IOException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Finds the tiles of a grid that is numbered row by row from 1 at the top left, as {@code find} does. */
    public static TileGrid rowByRow(Path folder, String pattern, int rows, int columns) {
        GridLayout layout = new GridLayout(rows, columns, 1, GridLayout.Order.ROW, false, GridLayout.Corner.TOP_LEFT);
        return find(folder, TilePattern.parse(pattern), layout, PlaneChoice.ONLY);
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

    private static TiffHeader probe(Path file, PlaneChoice planes, List<TiffHeader> earlier, int columns) {
        TiffHeader header;
        try {
            header = TiffHeader.probe(file, planes);
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
        if (!first.kind().equals(other.kind()) || first.bits() != other.bits()) {
            throw new InputException("tiles of different depths: " + first.file() + " has " + first.kind()
                    + " samples, " + other.file() + " has " + other.kind() + " ones");
        }
    }

    /**
     * The order in which the tiles of a grid are read. Tiles are numbered row by row from the top left: {@code row *
     * columns + column}.
     *
     * <p>Which order matters for memory: a tile's transform stays until all of its neighbours have come. Along rows
     * that is a row of transforms, along diagonals never more than the shorter side and one or two.
     */
    public enum Traversal {
        ROW(Line.ROW, false),
        COLUMN(Line.COLUMN, false),
        DIAGONAL(Line.DIAGONAL, false),
        ROW_SERPENTINE(Line.ROW, true),
        COLUMN_SERPENTINE(Line.COLUMN, true),
        DIAGONAL_SERPENTINE(Line.DIAGONAL, true);

        private enum Line {
            ROW,
            COLUMN,
            DIAGONAL
        }

        private final Line line;
        private final boolean serpentine;

        Traversal(Line line, boolean serpentine) {
            this.line = line;
            this.serpentine = serpentine;
        }

        /** All tiles of a grid, in this order. */
        public int[] order(int rows, int columns) {
            // Plain loops over sortable keys: streams would add 10 ms to a cold start.
            long[] keys = new long[rows * columns];
            for (int tile = 0; tile < keys.length; tile++) {
                int row = tile / columns;
                int column = tile % columns;
                long nth = switch (line) {
                    case ROW -> row;
                    case COLUMN -> column;
                    case DIAGONAL -> row + column;
                };
                int along = line == Line.ROW ? column : row;
                boolean backwards = serpentine && nth % 2 == 1;
                long key = nth * keys.length + (backwards ? keys.length - 1 - along : along);
                keys[tile] = key * keys.length + tile;
            }
            Arrays.sort(keys);
            int[] tiles = new int[keys.length];
            for (int k = 0; k < tiles.length; k++) {
                tiles[k] = (int) (keys[k] % keys.length);
            }
            return tiles;
        }

        /**
         * The smallest pool of transforms with which a grid can be read in this order, when each tile needs one before
         * it is read and gives it back once it and all of its neighbours have been read. The k-th tile then needs one
         * in addition to the transforms of all earlier tiles that still wait for a neighbour not read before it; the
         * pool is the largest such number.
         */
        public int smallestPool(int rows, int columns) {
            int[] order = order(rows, columns);
            int[] position = new int[order.length];
            for (int k = 0; k < order.length; k++) {
                position[order[k]] = k;
            }
            int[] ending = new int[order.length];
            for (int tile : order) {
                int last = 0;
                for (int neighbour : neighbours(tile, rows, columns)) {
                    last = Math.max(last, position[neighbour]);
                }
                ending[last]++;
            }
            int live = 0;
            int most = 0;
            for (int ended : ending) {
                live++;
                most = Math.max(most, live);
                live -= ended;
            }
            return most;
        }

        /** The tiles above, left, right and below; the tile itself in the place of each that the grid does not have. */
        static int[] neighbours(int tile, int rows, int columns) {
            int column = tile % columns;
            return new int[] {
                tile < columns ? tile : tile - columns,
                column == 0 ? tile : tile - 1,
                column + 1 == columns ? tile : tile + 1,
                tile + columns >= rows * columns ? tile : tile + columns
            };
        }
    }
}
