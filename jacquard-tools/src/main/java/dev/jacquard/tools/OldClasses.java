package dev.jacquard.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Renews classes for JVMs before Java 6 in libraries, the command line's among them: they have no stack maps, and an
 * AOT cache takes none of them. The launcher starts it after a build, before the cache is made.
 */
final class OldClasses {
    /** The version of renewed classes: the first that must have stack maps, and right ones. */
    private static final int RENEWED = ClassFile.JAVA_7_VERSION;

    private OldClasses() {}

    /** {@code args} are jars, which are on the class path. Renews their old classes in place. */
    public static void main(String[] args) throws IOException {
        for (String jar : args) {
            try (FileSystem files = FileSystems.newFileSystem(Path.of(jar));
                    Stream<Path> all = Files.walk(files.getPath("/"))) {
                all.filter(file -> file.toString().endsWith(".class")).forEach(OldClasses::renew);
            }
        }
    }

    private static void renew(Path file) {
        try {
            ClassModel old = ClassFile.of().parse(Files.readAllBytes(file));
            if (old.majorVersion() < ClassFile.JAVA_6_VERSION) {
                Files.write(file, renewed(old));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] renewed(ClassModel old) {
        ClassFile classes = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
        return classes.build(old.thisClass().asSymbol(), builder -> {
            builder.withVersion(RENEWED, 0);
            old.forEach(element -> {
                switch (element) {
                    case ClassFileVersion version -> {}
                    case MethodModel method ->
                        builder.transformMethod(
                                method, MethodTransform.transformingCode((code, part) -> code.with(part)));
                    default -> builder.with(element);
                }
            });
        });
    }
}
