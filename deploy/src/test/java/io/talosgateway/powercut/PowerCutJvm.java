package io.talosgateway.powercut;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import net.bytebuddy.ByteBuddy;

/** The option that makes a JVM record what it does to the files below a directory. */
public final class PowerCutJvm {

    private final Path agent;

    private PowerCutJvm(Path agent) {
        this.agent = agent;
    }

    /** Packs the agent into a directory. */
    public static PowerCutJvm inDirectory(Path directory) throws IOException {
        pack(directory.resolve("recorder.jar"), new Manifest(), List.of(Recorder.class.getSimpleName()));
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", PowerCutAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        attributes.putValue("Boot-Class-Path", "recorder.jar");
        attributes.put(
                Attributes.Name.CLASS_PATH, location(ByteBuddy.class).toUri().toString());
        Path agent = directory.resolve("agent.jar").toAbsolutePath();
        pack(agent, manifest, List.of(PowerCutAgent.class.getSimpleName(), FileAdvice.class.getSimpleName()));
        return new PowerCutJvm(agent);
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Classes of this package, each with its nested ones. The package is a directory, or in a JAR file. */
    private static void pack(Path jar, Manifest manifest, List<String> classes) throws IOException {
        Path location = location(PowerCutJvm.class);
        if (Files.isDirectory(location)) {
            pack(jar, manifest, classes, location);
        } else {
            try (FileSystem packed = FileSystems.newFileSystem(location)) {
                pack(jar, manifest, classes, packed.getPath("/"));
            }
        }
    }

    private static void pack(Path jar, Manifest manifest, List<String> classes, Path root) throws IOException {
        String packageName = PowerCutJvm.class.getPackageName().replace('.', '/');
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.list(root.resolve(packageName))) {
            for (Path path : files.sorted().toList()) {
                String name = path.getFileName().toString();
                if (classes.contains(name.replaceFirst("(\\$.*)?\\.class$", ""))) {
                    out.putNextEntry(new JarEntry(packageName + "/" + name));
                    Files.copy(path, out);
                }
            }
        }
    }

    /**
     * The JVM's option.
     *
     * @param root what is recorded
     * @param trace an empty directory for the record
     * @param haltAfter the number of records after which the JVM ends itself, with status {@link Recorder#HALTED}; 0: never
     */
    public String option(Path root, Path trace, long haltAfter) {
        return "-javaagent:%s=%s,%s,%d".formatted(agent, root.toAbsolutePath(), trace.toAbsolutePath(), haltAfter);
    }
}
