package io.talosgateway.powercut;

import java.io.RandomAccessFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Has the classes of the JDK that change files tell {@link Recorder} what they did. Where the JDK's method is native, the
 * callers are changed instead.
 *
 * <p>Arguments: the directory to record, the directory for the record, and the number of records after which the process ends
 * itself (0: never), with commas between.
 */
public final class PowerCutAgent {

    private static final String RECORDER = Recorder.class.getName().replace('.', '/');
    private static final byte[] SYNC_OWNER = "java/io/FileDescriptor".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SET_LENGTH = "setLength".getBytes(StandardCharsets.US_ASCII);

    private PowerCutAgent() {}

    public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
        String[] parts = arguments.split(",", -1);
        instrument(instrumentation);
        Recorder.start(Path.of(parts[0]).toRealPath().toString(), parts[1], Long.parseLong(parts[2]));
    }

    private static void instrument(Instrumentation instrumentation)
            throws ClassNotFoundException, UnmodifiableClassException {
        Map<Class<?>, List<AsmVisitorWrapper>> classes = FileAdvice.byClass();
        // The classes that the change itself needs are loaded before it begins.
        classes.forEach(PowerCutAgent::changed);
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte[] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> loaded,
                            ProtectionDomain domain,
                            byte[] classFile) {
                        try {
                            List<AsmVisitorWrapper> advice = loaded == null ? null : classes.get(loaded);
                            if (advice != null) {
                                return changed(loaded, advice, classFile);
                            }
                            return loader == null ? null : withoutNativeCalls(classFile);
                        } catch (RuntimeException | Error e) {
                            e.printStackTrace();
                            Runtime.getRuntime().halt(1);
                            throw e;
                        }
                    }
                },
                true);
        instrumentation.retransformClasses(classes.keySet().toArray(Class<?>[]::new));
    }

    private static void changed(Class<?> type, List<AsmVisitorWrapper> advice) {
        changed(type, advice, ClassFileLocator.ForClassLoader.read(type));
    }

    private static byte[] changed(Class<?> type, List<AsmVisitorWrapper> advice, byte[] classFile) {
        DynamicType.Builder<?> builder = new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .with(Implementation.Context.Disabled.Factory.INSTANCE)
                .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                .with(InstrumentedType.Factory.Default.FROZEN)
                .redefine(
                        TypeDescription.ForLoadedType.of(type), ClassFileLocator.Simple.of(type.getName(), classFile));
        for (AsmVisitorWrapper wrapper : advice) {
            builder = builder.visit(wrapper);
        }
        return builder.make().getBytes();
    }

    /** Null if there is nothing to change. */
    private static byte[] withoutNativeCalls(byte[] classFile) {
        if (!contains(classFile, SYNC_OWNER) && !contains(classFile, SET_LENGTH)) {
            return null;
        }
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new NativeCalls(writer), 0);
        return writer.toByteArray();
    }

    private static boolean contains(byte[] bytes, byte[] wanted) {
        for (int start = 0; start <= bytes.length - wanted.length; start++) {
            int same = 0;
            while (same < wanted.length && bytes[start + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return true;
            }
        }
        return false;
    }

    /** Calls the recorder's methods in the place of native ones; they take the same from the stack. */
    private static final class NativeCalls extends ClassVisitor {

        private static final String RANDOM_ACCESS_FILE =
                RandomAccessFile.class.getName().replace('.', '/');

        NativeCalls(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                    boolean virtual = opcode == Opcodes.INVOKEVIRTUAL;
                    if (virtual && owner.equals("java/io/FileDescriptor") && called.equals("sync")) {
                        super.visitMethodInsn(
                                Opcodes.INVOKESTATIC, RECORDER, "sync", "(Ljava/io/FileDescriptor;)V", false);
                    } else if (virtual && owner.equals(RANDOM_ACCESS_FILE) && called.equals("setLength")) {
                        super.visitMethodInsn(
                                Opcodes.INVOKESTATIC, RECORDER, "setLength", "(Ljava/io/RandomAccessFile;J)V", false);
                    } else {
                        super.visitMethodInsn(opcode, owner, called, calledDescriptor, isInterface);
                    }
                }
            };
        }
    }
}
