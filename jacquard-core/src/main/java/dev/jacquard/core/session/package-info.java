/**
 * The front door: a session owns workers, handles and graphs.
 */
@NullMarked
package dev.jacquard.core.session;

import org.jspecify.annotations.NullMarked;
