package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;

import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.wire.message.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of the gateway. Java loads a class when it is first used: without this, the first requests after a start
 * wait for more than a hundred of them. A class that cannot be loaded now is left for when it is used.
 */
final class ClassPreload {

    private static final Logger log = LoggerFactory.getLogger(ClassPreload.class);

    /** One class of each of the modules whose classes are loaded. */
    private static final List<Class<?>> MODULES = List.of(Gateway.class, KeyedThreadPool.class, Message.class);

    private static final String SUFFIX = ".class";

    private ClassPreload() {}

    /**
     * Loads them, which takes some tenths of a second.
     *
     * @return how many there are
     */
    static int run() {
        long beganAtNanos = System.nanoTime();
        int classes = 0;
        for (Class<?> module : MODULES) {
            classes += load(module);
        }
        log.debug("Loaded {} classes in {} ms", classes, (System.nanoTime() - beganAtNanos) / 1_000_000);
        return classes;
    }

    private static int load(Class<?> module) {
        CodeSource source = module.getProtectionDomain().getCodeSource();
        if (source == null) {
            return 0;
        }
        try {
            Path location = Path.of(source.getLocation().toURI());
            if (Files.isDirectory(location)) {
                return loadAll(location);
            }
            try (FileSystem jar = FileSystems.newFileSystem(location)) {
                return loadAll(jar.getPath("/"));
            }
        } catch (IOException | URISyntaxException e) {
            log.debug("The classes of {} are loaded when they are used: {}", source.getLocation(), e.toString());
            return 0;
        }
    }

    private static int loadAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(SUFFIX) && name.contains("/"))
                    .mapToInt(name -> load(
                            name.substring(0, name.length() - SUFFIX.length()).replace('/', '.')))
                    .sum();
        }
    }

    private static int load(String name) {
        try {
            Class.forName(name, true, ClassPreload.class.getClassLoader());
            return 1;
        } catch (ClassNotFoundException | LinkageError e) {
            return 0;
        }
    }
}
