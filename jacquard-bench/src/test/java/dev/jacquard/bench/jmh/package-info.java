/** JMH benchmarks of the engine's hot paths, one class per path; {@code scripts/jmh} runs them. */
@NullMarked
package dev.jacquard.bench.jmh;

import org.jspecify.annotations.NullMarked;
