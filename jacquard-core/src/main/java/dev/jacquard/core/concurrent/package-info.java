/**
 * Data structures that several threads share. Imports nothing of ours.
 */
@NullMarked
package dev.jacquard.core.concurrent;

import org.jspecify.annotations.NullMarked;
