/**
 * Workers that run ready nodes.
 */
@NullMarked
package dev.jacquard.core.engine;

import org.jspecify.annotations.NullMarked;
