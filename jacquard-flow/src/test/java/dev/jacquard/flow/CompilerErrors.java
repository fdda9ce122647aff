package dev.jacquard.flow;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The errors that the compiler finds in descriptions of graphs. */
final class CompilerErrors {
    private CompilerErrors() {}

    /** Returns the errors in a description with {@code statements}; none if it compiles. */
    static List<String> of(String statements) throws IOException {
        String text = """
            import dev.jacquard.flow.*;
            import dev.jacquard.flow.task.*;
            import java.util.*;
            class Example {
                sealed interface Shape permits Circle, Square {}
                record Circle(double radius) implements Shape {}
                record Square(double side) implements Shape {}
                sealed interface Job permits Count, Show {}
                record Count(Integer n) implements Job {}
                record Show(String text) implements Job {}
                static void describe(FlowBuilder<Integer, String> g, FlowTask<Integer, Shape> shapes,
                        FlowTask<Circle, String> circles, FlowTask<Square, String> squares, FlowTask<Job, String> jobs,
                        RuleOutput<Shape> rule) {
                    %s
                }
            }
            """.formatted(statements);
        var source = new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        var compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        try (var files = compiler.getStandardFileManager(found, null, null)) {
            List<String> options =
                    List.of("-proc:none", "-implicit:none", "-classpath", System.getProperty("java.class.path"));
            ((JavacTask) compiler.getTask(null, files, found, options, null, List.of(source))).analyze();
        }
        return found.getDiagnostics().stream()
                .filter(its -> its.getKind() == Diagnostic.Kind.ERROR)
                .map(its -> its.getMessage(Locale.ROOT))
                .toList();
    }
}
