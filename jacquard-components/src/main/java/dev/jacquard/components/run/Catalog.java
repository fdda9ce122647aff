package dev.jacquard.components.run;

import dev.jacquard.base.service.Services;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The components that programs can name: components on the class path or module path, and components in jars of the
 * user's, each jar in its own class loader. Immutable; the jars stay open as long as the JVM lives.
 */
public final class Catalog {
    private static final String SERVICES = "META-INF/services/" + Component.class.getName();

    private final Map<String, Component> components;

    private Catalog(Map<String, Component> components) {
        this.components = components;
    }

    /**
     * Finds all components.
     *
     * @param jars the user's
     * @throws InputException if a jar cannot be used, a component cannot be made, or two have the same name
     */
    public static Catalog of(List<Path> jars) {
        Map<String, Component> found = new LinkedHashMap<>();
        Map<String, String> origins = new LinkedHashMap<>();
        ClassLoader own = Component.class.getClassLoader();
        add(() -> Services.providers(Component.class, Catalog::services), null, null, found, origins);
        for (Path jar : jars) {
            ClassLoader loader = loader(jar, own);
            add(() -> services(loader).stream().toList(), loader, jar, found, origins);
        }
        Map<String, Component> sorted = new LinkedHashMap<>();
        found.values().stream()
                .sorted(Comparator.comparing(Component::name))
                .forEach(component -> sorted.put(component.name(), component));
        return new Catalog(sorted);
    }

    private static ServiceLoader<Component> services(ClassLoader loader) {
        return ServiceLoader.load(Component.class, loader);
    }

    private static ClassLoader loader(Path jar, ClassLoader parent) {
        if (Files.isDirectory(jar)) {
            throw new InputException("--jar " + jar + ": it is a folder; expected a jar with components");
        }
        try (ZipFile content = new ZipFile(jar.toFile())) {
            if (content.getEntry(SERVICES) == null) {
                throw new InputException("--jar " + jar + ": it names no component; expected the file " + SERVICES
                        + " in it, with the name of a class in each line");
            }
            return new URLClassLoader("components of " + jar, new URL[] {url(jar)}, parent);
        } catch (ZipException e) {
            throw new InputException("--jar " + jar + ": it is no jar: " + e.getMessage(), e);
        } catch (IOException e) {
            String why = Files.exists(jar) ? "it cannot be read: " + e.getMessage() : "there is no such file";
            throw new InputException("--jar " + jar + ": " + why + "; expected a jar with components", e);
        }
    }

    private static URL url(Path jar) throws MalformedURLException {
        URI uri = jar.toAbsolutePath().toUri();
        return uri.toURL();
    }

    private static void add(
            Supplier<List<ServiceLoader.Provider<Component>>> services,
            @Nullable ClassLoader only,
            @Nullable Path jar,
            Map<String, Component> found,
            Map<String, String> origins) {
        List<Component> its = new ArrayList<>();
        try {
            services.get().stream()
                    .filter(provider -> only == null || provider.type().getClassLoader() == only)
                    .map(ServiceLoader.Provider::get)
                    .forEach(its::add);
            for (Component component : its) {
                @Nullable String name = component.name();
                String origin = component.getClass().getName() + " in " + origin(component, jar);
                requireName(name, origin);
                if (jar != null) {
                    new Asking(component, "--jar " + jar).declares();
                }
                String other = origins.put(name, origin);
                if (other != null) {
                    throw new InputException("two components are called '" + name + "': " + other + ", and " + origin
                            + "; leave one of them out, or rename it");
                }
                found.put(name, component);
            }
        } catch (InputException e) {
            throw e;
        } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
            throw new InputException(
                    (jar == null ? "" : "--jar " + jar + ": ") + "a component could not be made: " + reason(e), e);
        }
    }

    private static void requireName(@Nullable String name, String origin) {
        if (name == null || name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            String shown = name == null ? "null" : "'" + name.replaceAll("\\p{Cntrl}", "?") + "'";
            throw new InputException(
                    "a component has the name " + shown + ": " + origin + "; expected a word, like 'scale'");
        }
    }

    private static String reason(Throwable e) {
        if (!(e instanceof ServiceConfigurationError)) {
            return Reasons.of(e);
        }
        Throwable cause = e.getCause();
        return e.getMessage() + (cause == null ? "" : ": " + Reasons.of(cause));
    }

    private static String origin(Component component, @Nullable Path jar) {
        CodeSource source = component.getClass().getProtectionDomain().getCodeSource();
        return jar != null ? jar.toString() : source == null ? "the platform" : String.valueOf(source.getLocation());
    }

    /**
     * Returns a catalog with further components, for programs that are run from Java.
     *
     * @throws InputException if two have the same name
     */
    public Catalog plus(List<Component> further) {
        Map<String, Component> all = new LinkedHashMap<>(components);
        for (Component component : further) {
            Component other = all.put(component.name(), component);
            if (other != null) {
                throw new InputException("two components are called '" + component.name() + "': "
                        + other.getClass().getName() + ", and "
                        + component.getClass().getName() + "; leave one of them out, or rename it");
            }
        }
        return new Catalog(all);
    }

    /** Returns all components, by their names. */
    public List<Component> all() {
        return List.copyOf(components.values());
    }

    /** Returns a JSON Schema of program files, for editors: maps, lists, texts, numbers and booleans. */
    public Map<String, ?> schema() {
        return new ProgramSchema(all()).document();
    }

    /**
     * Returns the component of that name.
     *
     * @param where the place of the name, for the message
     * @throws InputException if there is none; it names the nearest
     */
    public Component find(String name, String where) {
        Component component = components.get(name);
        if (component == null) {
            throw new InputException(
                    where + ": there is no component '" + name + "'" + NearestName.hint(name, components.keySet()));
        }
        return component;
    }
}
