package io.talosgateway.powercut;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a disk may hold after a power cut, by the record of what was done to it.
 *
 * <ul>
 *   <li><b>Bytes</b> are safe when their file was forced after they were written. Others survive by sectors: each as it was at
 *       some moment since. Sectors do not survive in order. A file can have its new length, and zeros in the place of bytes.
 *   <li><b>Names</b> (a file or directory that is made, renamed or deleted) are safe when their directory was forced after they
 *       were changed, and that directory's own name is safe. Others survive each for itself, or in order. A rename happens as a
 *       whole or not at all; from one directory to another, it is safe when the new one was forced.
 * </ul>
 *
 * <p>That is what POSIX promises; {@link Rule} says how much more a file system does.
 */
public final class CutDisk {

    /** What is safe of a file or directory. */
    public enum Rule {
        /** What was forced. */
        POSIX,
        /** When a file is forced, its name as well, and those of the directories above it: as ext4, XFS and Btrfs do it. */
        NAMED,
        /** When a file is forced, every name that was changed before: as with one journal for the whole file system. */
        JOURNALED,
        /** Everything. */
        SPARED
    }

    /** A file or a directory. */
    private static final class Node {
        /** Null if this is a directory. */
        private final FileData data;
        /** As the process sees them. */
        private final Map<String, Node> names = new TreeMap<>();
        /** When the process began, which found everything safe. */
        private Map<String, Node> namesBefore = Map.of();

        Node(FileData data) {
            this.data = data;
        }
    }

    /** A name gets another meaning; none if the node is null. */
    private record Entry(Node directory, String name, Node node) {}

    /** Entries that change together. */
    private static final class NameChange {
        private final long number;
        private final List<Entry> entries;
        private boolean safe;

        NameChange(long number, List<Entry> entries) {
            this.number = number;
            this.entries = entries;
        }

        /** The last is where the new name is. */
        Node directory() {
            return entries.get(entries.size() - 1).directory;
        }
    }

    private static final class OpenFile {
        private final Node node;
        private final boolean append;
        private final boolean sync;
        private final Rule rule;
        private long position;

        OpenFile(Node node, int flags, Rule rule) {
            this.node = node;
            this.append = (flags & Recorder.FLAG_APPEND) != 0;
            this.sync = (flags & Recorder.FLAG_SYNC) != 0 || rule == Rule.SPARED;
            this.rule = rule;
        }
    }

    private final Path rootPath;
    private final Function<Path, Rule> rules;
    private final Node root;
    private final List<NameChange> nameChanges = new ArrayList<>();
    private final Map<Long, OpenFile> openFiles = new HashMap<>();

    private CutDisk(Path rootPath, Function<Path, Rule> rules) throws IOException {
        this.rootPath = rootPath;
        this.rules = rules;
        this.root = read(rootPath);
    }

    /** The disk before a process uses it: everything on it is safe. */
    public static CutDisk before(Path root, Function<Path, Rule> rules) throws IOException {
        return new CutDisk(root.toRealPath(), rules);
    }

    private static Node read(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return new Node(new FileData(Files.readAllBytes(path)));
        }
        Node directory = new Node(null);
        try (Stream<Path> children = Files.list(path)) {
            for (Path child : children.sorted().toList()) {
                directory.names.put(child.getFileName().toString(), read(child));
            }
        }
        directory.namesBefore = new TreeMap<>(directory.names);
        return directory;
    }

    /** Does what a process did. */
    public long replay(Path traceDirectory) throws IOException {
        return Trace.read(traceDirectory, this::replay);
    }

    private void replay(long number, Trace.Operation operation) {
        switch (operation.kind()) {
            case Recorder.OPEN -> open(number, operation);
            case Recorder.WRITE -> write(number, operation, operation.second());
            case Recorder.WRITE_NEXT -> {
                OpenFile file = openFile(operation);
                write(number, operation, file.append ? file.node.data.end() : file.position);
            }
            case Recorder.SEEK -> openFile(operation).position = operation.second();
            case Recorder.SET_LENGTH -> setLength(number, openFile(operation), operation.second());
            case Recorder.FORCE -> force(openFile(operation), operation.second());
            case Recorder.CREATE_DIRECTORY ->
                change(number, Path.of(operation.text()), List.of(entry(operation.text(), new Node(null))));
            case Recorder.RENAME -> rename(number, operation);
            case Recorder.DELETE -> change(number, Path.of(operation.text()), List.of(entry(operation.text(), null)));
            default ->
                throw new IllegalStateException("not modelled: " + operation.text() + " of " + operation.moreText());
        }
    }

    private OpenFile openFile(Trace.Operation operation) {
        return openFiles.get(operation.first());
    }

    private void open(long number, Trace.Operation operation) {
        int flags = (int) operation.second();
        Path path = Path.of(operation.text());
        Node node = path.equals(rootPath) ? root : nodeOf(entry(operation.text(), null));
        if (node == null) {
            node = new Node(new FileData(new byte[0]));
            change(number, path, List.of(entry(operation.text(), node)));
        } else if ((flags & Recorder.FLAG_TRUNCATE) != 0 && node.data.end() > 0) {
            setLength(number, new OpenFile(node, flags, rules.apply(path)), 0);
        }
        openFiles.put(operation.first(), new OpenFile(node, flags, rules.apply(path)));
    }

    private void setLength(long number, OpenFile file, long length) {
        file.node.data.setLength(number, length);
        if (file.rule == Rule.SPARED) {
            force(file, number + 1);
        }
    }

    private void write(long number, Trace.Operation operation, long position) {
        OpenFile file = openFile(operation);
        file.node.data.write(number, position, operation.data());
        if (operation.kind() == Recorder.WRITE_NEXT) {
            file.position = position + operation.data().remaining();
        }
        if (file.sync) {
            force(file, number + 1);
        }
    }

    private void force(OpenFile file, long before) {
        if (file.node.data != null) {
            file.node.data.force(before);
            if (file.rule == Rule.NAMED) {
                forceNamesOf(file.node, before);
            }
        }
        for (NameChange change : nameChanges) {
            change.safe |= change.number < before && (change.directory() == file.node || file.rule == Rule.JOURNALED);
        }
    }

    /** With the directories above. */
    private void forceNamesOf(Node node, long before) {
        for (NameChange change : nameChanges) {
            if (!change.safe
                    && change.number < before
                    && change.entries.stream().anyMatch(e -> e.node == node)) {
                change.safe = true;
                forceNamesOf(change.directory(), before);
            }
        }
    }

    private static Node nodeOf(Entry entry) {
        return entry.directory.names.get(entry.name);
    }

    private void rename(long number, Trace.Operation operation) {
        Entry from = entry(operation.text(), null);
        Node node = nodeOf(from);
        if (node == null) {
            throw new IllegalStateException("the record does not say where " + operation.text() + " comes from");
        }
        Entry to = entry(operation.moreText(), node);
        change(number, Path.of(operation.moreText()), List.of(from, to));
    }

    private void change(long number, Path path, List<Entry> entries) {
        NameChange change = new NameChange(number, entries);
        change.safe = rules.apply(path) == Rule.SPARED;
        nameChanges.add(change);
        entries.forEach(entry -> put(entry.directory.names, entry));
    }

    private static void put(Map<String, Node> names, Entry entry) {
        if (entry.node == null) {
            names.remove(entry.name);
        } else {
            names.put(entry.name, entry.node);
        }
    }

    private Entry entry(String path, Node node) {
        Path below = rootPath.relativize(Path.of(path));
        return new Entry(parentOf(below), below.getFileName().toString(), node);
    }

    private Node parentOf(Path below) {
        Node directory = root;
        for (int i = 0; i < below.getNameCount() - 1; i++) {
            directory = directory.names.get(below.getName(i).toString());
            if (directory == null) {
                throw new IllegalStateException("the record does not say where " + below + " comes from");
            }
        }
        return directory;
    }

    /** The files, by their path below the root, and the directories, which have no bytes. */
    public Map<String, byte[]> afterCut(Fate fate) {
        Map<Node, Map<String, Node>> names = new HashMap<>();
        for (NameChange change : nameChanges) {
            if (fate.keepsNames() || change.safe) {
                for (Entry entry : change.entries) {
                    put(names.computeIfAbsent(entry.directory, any -> new TreeMap<>(any.namesBefore)), entry);
                }
            }
        }
        Map<String, byte[]> found = new TreeMap<>();
        collect("", root, names, fate, found);
        return found;
    }

    private static void collect(
            String path, Node node, Map<Node, Map<String, Node>> names, Fate fate, Map<String, byte[]> found) {
        if (node.data != null) {
            found.put(path, node.data.afterCut(fate));
            return;
        }
        if (!path.isEmpty()) {
            found.put(path + "/", new byte[0]);
        }
        String prefix = path.isEmpty() ? "" : path + "/";
        names.getOrDefault(node, node.namesBefore)
                .forEach((name, child) -> collect(prefix + name, child, names, fate, found));
    }

    /** Makes a directory hold this and nothing else. */
    public static void write(Map<String, byte[]> content, Path directory) throws IOException {
        clear(directory);
        for (Map.Entry<String, byte[]> file : content.entrySet()) {
            Path path = directory.resolve(file.getKey());
            if (file.getKey().endsWith("/")) {
                Files.createDirectory(path);
            } else {
                Files.write(path, file.getValue());
            }
        }
    }

    private static void clear(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException problem) throws IOException {
                if (!visited.equals(directory)) {
                    Files.delete(visited);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The content of a directory as {@link #afterCut} gives it. */
    public static Map<String, byte[]> contentOf(Path directory) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.filter(path -> !path.equals(directory)).toList()) {
                String name = directory.relativize(path).toString();
                boolean isDirectory = Files.isDirectory(path);
                content.put(isDirectory ? name + "/" : name, isDirectory ? new byte[0] : Files.readAllBytes(path));
            }
        }
        return content;
    }
}
