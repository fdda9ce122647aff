package dev.jacquard.base.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicesTest {
    /** A service. */
    public interface Greeting {}

    /** The provider that the class loader of the service knows. */
    public static final class Here implements Greeting {}

    /** A provider that a plug-in's class loader alone knows. */
    public static final class There implements Greeting {}

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    Path folder;

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private static List<Class<?>> found(ClassLoader... first) {
        return Services.providers(Greeting.class, loader -> ServiceLoader.load(Greeting.class, loader), first).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .toList();
    }

    private URLClassLoader plugIn(ClassLoader parent, Class<?>... providers) throws IOException {
        Path file = folder.resolve("META-INF/services/" + Greeting.class.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(providers).stream().map(Class::getName).toList());
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent);
    }

    @Test
    void oneThatTheClassLoaderOfTheServiceKnowsIsFoundOnce() {
        assertEquals(List.of(Here.class), found());
        assertEquals(
                1,
                Services.all(Greeting.class, loader -> ServiceLoader.load(Greeting.class, loader))
                        .size());
    }

    @Test
    void aContextClassLoaderThatKnowsNothingHidesNone() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        assertEquals(List.of(Here.class), found());
        Thread.currentThread().setContextClassLoader(null);
        assertEquals(List.of(Here.class), found());
    }

    @Test
    void oneThatTheContextClassLoaderAloneKnowsIsFound() throws IOException {
        try (URLClassLoader plugIn = plugIn(before, There.class, Here.class)) {
            Thread.currentThread().setContextClassLoader(plugIn);
            assertEquals(List.of(Here.class, There.class), found());
            Thread.currentThread().setContextClassLoader(before);
            assertEquals(List.of(Here.class), found());
            assertEquals(List.of(Here.class, There.class), found(plugIn));
        }
    }

    /** As of a container that has a copy of its own of all jars: its providers are of another service. */
    @Test
    void aClassLoaderWithAnotherServiceOfThatNameIsLeftOut() throws IOException {
        URL own = Greeting.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader copy = new URLClassLoader(new URL[] {own}, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(copy);
            assertEquals(List.of(Here.class), found());
        }
    }
}
