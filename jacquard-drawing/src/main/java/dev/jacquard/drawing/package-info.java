/**
 * Pictures that need no other program: SVG for browsers, PNG of pixels, and DOT for Graphviz.
 *
 * <pre>
 *  nodes and links --> LayeredLayout --> positions ------------------------+
 *  GraphSnapshot --> TransitiveReduction --> GraphLayout (boxes in boxes) -+--> SvgWriter --> SVG
 *  bars --> GanttChart ----------------------------------------------------+
 *  series of numbers --> LineChart ----------------------------------------+
 *  rectangles, text (BitmapFont), Ticks --> Raster --> pixels --> PngWriter --> PNG
 * </pre>
 *
 * <p>Every picture comes back within seconds, whatever its size: beyond a limit it shows less and says so. To add a
 * picture: a class that writes with {@link dev.jacquard.drawing.SvgWriter}.
 *
 * <p>Imports: {@code base.trace}, {@code insight.analysis}.
 */
@NullMarked
package dev.jacquard.drawing;

import org.jspecify.annotations.NullMarked;
