package dev.jacquard.tools;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;

/** Keeps the classes that a compiler makes in memory, and loads them. Confined to one thread. */
final class CompiledClasses extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    CompiledClasses(StandardJavaFileManager files) {
        super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        classes.put(name, bytes);
        return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
            @Override
            public OutputStream openOutputStream() {
                return bytes;
            }
        };
    }

    /** Returns a class, in a separate class loader that finds its other classes by name. */
    Class<?> load(String name) {
        Map<String, byte[]> code = new HashMap<>();
        classes.forEach((each, bytes) -> code.put(each, bytes.toByteArray()));
        try {
            return new Loader(Map.copyOf(code)).loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the compiler has made no class " + name + ", but " + code.keySet(), e);
        }
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> code;

        Loader(Map<String, byte[]> code) {
            super(CompiledClasses.class.getClassLoader());
            this.code = code;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = code.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
