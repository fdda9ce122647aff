package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The sizes of methods on which it depends what the JVM's compiler includes in the user's code. */
final class SubmissionSizeTest {
    /** The default of {@code -XX:FreqInlineSize}: larger methods are never included in their callers. */
    private static final int LARGEST_INCLUDED = 325;

    @Test
    void theSubmissionStaysApartFromTheUsersCode() throws IOException {
        int size = bytecodes(Scope.class, "submit");
        assertTrue(size > LARGEST_INCLUDED, "Scope.submit has " + size + " bytecodes");
    }

    @Test
    void runOfTheBuilderCanBeIncluded() throws IOException {
        int size = bytecodes(TaskBuilder.class, "run");
        assertTrue(size <= LARGEST_INCLUDED, "TaskBuilder.run has " + size + " bytecodes");
    }

    /** The size of the shortest method of that name. */
    private static int bytecodes(Class<?> type, String method) throws IOException {
        try (InputStream file = Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"))) {
            return ClassFile.of().parse(file.readAllBytes()).methods().stream()
                    .filter(each -> each.methodName().equalsString(method))
                    .map(MethodModel::code)
                    .mapToInt(code -> length(code.orElseThrow()))
                    .min()
                    .orElseThrow();
        }
    }

    private static int length(CodeModel code) {
        return ((CodeAttribute) code).codeLength();
    }
}
