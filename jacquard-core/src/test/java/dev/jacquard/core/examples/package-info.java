/**
 * Programs as users write them, like those of the pages under {@code docs}, with several numbers of workers and
 * policies.
 */
@NullMarked
package dev.jacquard.core.examples;

import org.jspecify.annotations.NullMarked;
