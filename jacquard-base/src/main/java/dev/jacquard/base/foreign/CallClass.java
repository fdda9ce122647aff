package dev.jacquard.base.foreign;

import static java.lang.constant.ConstantDescs.BSM_CLASS_DATA_AT;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.DEFAULT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.jacquard.base.foreign.Binding.StatusFailure;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * The class that implements an interface by calls of functions, as bytes. Its constants come from {@link LinkedCalls},
 * so that the JVM compiles a call like one of a static final method handle:
 *
 * <pre>
 *   int send(MemorySegment buffer, int count) { return CONSTANT[i].invokeExact(buffer, count); }
 *
 *   void send(MemorySegment buffer, int count) {          with a checked status
 *       int status = CONSTANT[i].invokeExact(buffer, count);
 *       if (status != 0) throw FAILURE.of("send", status);
 *   }
 * </pre>
 *
 * @param host a class of the package in which the class is defined
 * @param library tells which of the functions it lacks
 */
record CallClass(Class<?> host, Class<?> type, List<ForeignFunction> functions, NativeLibrary library) {
    private static final ClassDesc FAILURE = ClassDesc.of(StatusFailure.class.getName());
    private static final MethodTypeDesc FAILURE_OF =
            MethodTypeDesc.of(ClassDesc.of(RuntimeException.class.getName()), CD_String, CD_int);
    private static final ClassDesc ABSENCE = ClassDesc.of(IllegalStateException.class.getName());
    private static final MethodTypeDesc OF_TEXT = MTD_void.insertParameterTypes(0, CD_String);

    byte[] bytes() {
        String name = type.getSimpleName() + "$Calls";
        ClassDesc its = ClassDesc.of(host.getPackageName(), name);
        return ClassFile.of().build(its, generated -> {
            generated
                    .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                    .withInterfaceSymbols(type.describeConstable().orElseThrow())
                    .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            0,
                            code -> code.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_());
            for (int i = 0; i < functions.size(); i++) {
                int index = i;
                ForeignFunction function = functions.get(i);
                if (function.method().isDefault() && !library.has(function.name())) {
                    continue; // The interface has the method.
                }
                generated.withMethodBody(
                        function.method().getName(),
                        javaType(function),
                        ClassFile.ACC_PUBLIC,
                        code -> write(code, function, index));
            }
        });
    }

    private static MethodTypeDesc javaType(ForeignFunction function) {
        return function.handleType()
                .changeReturnType(function.method().getReturnType())
                .describeConstable()
                .orElseThrow();
    }

    private void write(CodeBuilder code, ForeignFunction function, int index) {
        if (function.optional() && !library.has(function.name())) {
            writeAbsence(code, library.name() + " has no function " + function.name());
            return;
        }
        MethodTypeDesc type = function.handleType().describeConstable().orElseThrow();
        code.ldc(constant(CD_MethodHandle, index));
        for (int i = 0; i < type.parameterCount(); i++) {
            code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
        }
        code.invokevirtual(CD_MethodHandle, "invokeExact", type);
        if (function.checked()) {
            writeCheck(code, function.name());
        } else {
            code.return_(TypeKind.from(type.returnType()));
        }
    }

    /** With the status on the stack. */
    private void writeCheck(CodeBuilder code, String function) {
        int status = code.allocateLocal(TypeKind.INT);
        code.dup()
                .istore(status)
                .ifThen(failed -> failed.ldc(constant(FAILURE, functions.size()))
                        .ldc(function)
                        .iload(status)
                        .invokeinterface(FAILURE, "of", FAILURE_OF)
                        .athrow())
                .return_();
    }

    private static void writeAbsence(CodeBuilder code, String message) {
        code.new_(ABSENCE)
                .dup()
                .ldc(message)
                .invokespecial(ABSENCE, INIT_NAME, OF_TEXT)
                .athrow();
    }

    private static DynamicConstantDesc<?> constant(ClassDesc type, int index) {
        return DynamicConstantDesc.ofNamed(BSM_CLASS_DATA_AT, DEFAULT_NAME, type, index);
    }
}
