package dev.jacquard.tools.walls;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A source file of the project, parsed.
 *
 * @param module the folder of its Maven module, such as {@code jacquard-core}
 * @param pkg its package, without {@code dev.jacquard.}
 * @param name its name without {@code .java}
 * @param lines its lines
 * @param isPublic true if its top-level type is public
 * @param imports the packages of the project that it imports from, without {@code dev.jacquard.}
 * @param names all identifiers in its code
 * @param types the types in it, nested ones included
 * @param documentation the first words of its Javadoc comments
 */
record SourceFile(
        String module,
        String pkg,
        String name,
        List<String> lines,
        boolean isPublic,
        Set<String> imports,
        Set<String> names,
        List<Type> types,
        List<String> documentation) {
    private static final String OURS = "dev.jacquard.";

    /** A type, with the names of its methods, and of those among them that are longer than a wall allows. */
    record Type(String name, int methods, List<Method> longest, List<String> arrays) {}

    /** A method and how many lines it takes. */
    record Method(String name, int lines) {}

    /** The place as exceptions name it. */
    String place() {
        return pkg + '.' + name;
    }

    /** Parses all files below {@code project} that are main code of a module, or its tests. */
    static List<SourceFile> all(Path project, boolean tests) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(project)) {
            String pattern = "jacquard-[a-z]+/src/" + (tests ? "test" : "main") + "/java/.*[.]java";
            paths = walk.filter(file -> project.relativize(file).toString().matches(pattern))
                    .filter(file -> !file.endsWith("module-info.java"))
                    .sorted()
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<SourceFile> all = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, problem -> {}, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                Path path = Path.of(unit.getSourceFile().toUri());
                Reader reader = new Reader(unit, docs);
                reader.scan(unit, null);
                String file = String.valueOf(path.getFileName());
                all.add(new SourceFile(
                        project.relativize(path).getName(0).toString(),
                        withoutPrefix(String.valueOf(unit.getPackageName())),
                        file.substring(0, file.length() - ".java".length()),
                        Files.readAllLines(path),
                        reader.isPublic,
                        reader.imports,
                        reader.names,
                        reader.types,
                        reader.documentation));
            }
        }
        return all;
    }

    static String withoutPrefix(String name) {
        return name.startsWith(OURS) ? name.substring(OURS.length()) : name;
    }

    /** Collects what one file holds. */
    private static final class Reader extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees docs;
        private final LineMap lines;
        private final Set<String> imports = new HashSet<>();
        private final Set<String> names = new HashSet<>();
        private final List<Type> types = new ArrayList<>();
        private final List<String> documentation = new ArrayList<>();
        private boolean isPublic;

        Reader(CompilationUnitTree unit, DocTrees docs) {
            this.unit = unit;
            this.docs = docs;
            this.lines = unit.getLineMap();
        }

        @Override
        public Void visitImport(ImportTree tree, Void none) {
            String name = tree.getQualifiedIdentifier().toString();
            if (name.startsWith(OURS)) { // the package is what comes before the first name with a capital letter
                imports.add(withoutPrefix(name.replaceFirst("[.][A-Z*].*", "")));
            }
            return null;
        }

        @Override
        public Void visitClass(ClassTree tree, Void none) {
            boolean top = getCurrentPath().getParentPath().getLeaf() == unit;
            isPublic |= top && tree.getModifiers().getFlags().contains(Modifier.PUBLIC);
            document();
            List<Method> longest = new ArrayList<>();
            List<String> arrays = new ArrayList<>();
            int methods = 0;
            boolean isInterface = tree.getKind() == Tree.Kind.INTERFACE;
            for (Tree member : tree.getMembers()) {
                if (member instanceof MethodTree method && lineOfEnd(method) > 0) {
                    boolean constructor = method.getReturnType() == null;
                    methods += constructor ? 0 : 1;
                    longest.add(
                            new Method(String.valueOf(method.getName()), lineOfEnd(method) - lineOfStart(method) + 1));
                    if (hasObjectArray(method) && isVisible(method, isInterface)) {
                        arrays.add(String.valueOf(method.getName()));
                    }
                }
            }
            types.add(new Type(String.valueOf(tree.getSimpleName()), methods, longest, arrays));
            return super.visitClass(tree, null);
        }

        private static boolean isVisible(MethodTree method, boolean isInterface) {
            Set<Modifier> flags = method.getModifiers().getFlags();
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || (isInterface && !flags.contains(Modifier.PRIVATE));
        }

        private static boolean hasObjectArray(MethodTree method) {
            return isObjectArray(Objects.toString(method.getReturnType(), "")) // null for a constructor
                    || method.getParameters().stream().anyMatch(one -> isObjectArray(String.valueOf(one.getType())));
        }

        private static boolean isObjectArray(String type) {
            return type.replaceAll("@[A-Za-z()]+ ?", "").matches("Object ?(\\[\\]|[.]{3})");
        }

        private long position(Tree tree, boolean end) {
            var positions = docs.getSourcePositions();
            return end ? positions.getEndPosition(unit, tree) : positions.getStartPosition(unit, tree);
        }

        private int lineOfStart(Tree tree) {
            return (int) lines.getLineNumber(position(tree, false));
        }

        private int lineOfEnd(Tree tree) {
            long end = position(tree, true);
            return end < 0 ? 0 : (int) lines.getLineNumber(end);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void none) {
            document();
            return super.visitMethod(tree, null);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void none) {
            document();
            return super.visitVariable(tree, null);
        }

        private void document() {
            String comment = docs.getDocComment(getCurrentPath());
            if (comment != null) {
                documentation.add(comment.strip().replaceFirst("(?s)\\s.*", ""));
            }
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void none) {
            names.add(String.valueOf(tree.getName()));
            return null;
        }
    }
}
