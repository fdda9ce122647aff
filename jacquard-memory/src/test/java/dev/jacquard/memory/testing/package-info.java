/**
 * What tests of this and other modules share (the test-jar): the laws that every access kind keeps, and the contract of
 * every kind of device.
 */
@NullMarked
package dev.jacquard.memory.testing;

import org.jspecify.annotations.NullMarked;
