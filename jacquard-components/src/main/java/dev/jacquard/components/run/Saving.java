package dev.jacquard.components.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * When and where a program saves its state.
 *
 * @param every after that number of passes of each outermost loop
 * @param folder for the file; null for the output folder
 */
record Saving(int every, @Nullable Path folder) {}
