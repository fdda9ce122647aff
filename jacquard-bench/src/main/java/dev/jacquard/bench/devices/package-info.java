/** What data and devices cost: a claim of what is there, a launch, overlap of copies and kernels, and a product that does not fit into memory. */
@NullMarked
package dev.jacquard.bench.devices;

import org.jspecify.annotations.NullMarked;
