/** Programs in sessions that have devices of several kinds. */
@NullMarked
package dev.jacquard.devices.mixtures;

import org.jspecify.annotations.NullMarked;
