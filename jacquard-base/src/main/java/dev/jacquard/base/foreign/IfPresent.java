package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function that some versions of a library lack. The interface is bound without it. Its method then throws
 * {@link IllegalStateException}; a default method has its own body then, and calls the function where it is present.
 * {@link NativeLibrary#has} tells whether it is.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface IfPresent {}
