package dev.jacquard.base.service;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the providers of a service by all class loaders that may know one. The context class loader alone is not
 * enough: threads of pools and containers may have one that knows neither the application nor its libraries. The class
 * loader of the service is not enough either: a plug-in's jar may be known to the context class loader alone.
 *
 * <p>Threads: any.
 */
public final class Services {
    private Services() {}

    /**
     * Returns the providers of {@code service} that the class loaders know: the loaders in {@code first}, then the
     * context class loader of the calling thread, then that of the service. A class that several of them know is there
     * once. A class loader that has another class of the service's name is left out, since its providers are of that
     * one.
     *
     * @param load calls {@code ServiceLoader.load(service, loader)}: a lambda of the caller's, in a module that says
     *     that it uses the service
     * @throws ServiceConfigurationError when a file that names providers, or a class in it, cannot be read
     */
    public static <S> List<ServiceLoader.Provider<S>> providers(
            Class<S> service, Function<ClassLoader, ServiceLoader<S>> load, @Nullable ClassLoader... first) {
        Objects.requireNonNull(load, "load");
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        for (ClassLoader loader : first) {
            add(loader, service, loaders);
        }
        add(Thread.currentThread().getContextClassLoader(), service, loaders);
        ClassLoader own = service.getClassLoader();
        loaders.add(own == null ? ClassLoader.getSystemClassLoader() : own);
        List<ServiceLoader.Provider<S>> found = new ArrayList<>();
        Set<Class<?>> known = new HashSet<>();
        for (ClassLoader loader : loaders) {
            List<ServiceLoader.Provider<S>> its = load.apply(loader).stream()
                    .filter(provider -> !known.contains(provider.type()))
                    .toList();
            its.forEach(provider -> known.add(provider.type()));
            found.addAll(its);
        }
        return found;
    }

    /** Returns an instance of each of the {@link #providers}. */
    public static <S> List<S> all(
            Class<S> service, Function<ClassLoader, ServiceLoader<S>> load, @Nullable ClassLoader... first) {
        List<S> all = new ArrayList<>();
        providers(service, load, first).forEach(provider -> all.add(provider.get()));
        return all;
    }

    private static void add(@Nullable ClassLoader loader, Class<?> service, Set<ClassLoader> to) {
        if (loader == null) {
            return;
        }
        try {
            if (Class.forName(service.getName(), false, loader) != service) {
                return;
            }
        } catch (ClassNotFoundException | LinkageError e) {
            return; // nor does it know a provider
        }
        to.add(loader);
    }
}
