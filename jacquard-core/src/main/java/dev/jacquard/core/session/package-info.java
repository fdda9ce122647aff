/**
 * The front door: a session owns the workers, hands out handles and graphs, and closes everything.
 *
 * <p>May import everything in this module.
 */
@NullMarked
package dev.jacquard.core.session;

import org.jspecify.annotations.NullMarked;
