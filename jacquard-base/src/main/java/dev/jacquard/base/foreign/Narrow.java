package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter or result whose C type has half the width in bindings that are made {@link Binding#narrow narrow}: an
 * {@code int} for a {@code long}, as of handles that are pointers in one library and numbers in another, or a
 * {@code float} for a {@code double}, as of routines in two precisions. On a method it is the result.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface Narrow {}
