package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the journal of another incarnation, dead or alive, so that everybody who ever takes it over sees the same.
 *
 * <ol>
 *   <li><b>Take its mark away.</b> The writer made the mark before anything else, and looks for it after it has created a
 *       file and before it acknowledges anything from it. So a file that is not in the list that is made next is never
 *       acknowledged from. That holds for ever, also when nothing is left of the journal.
 *   <li><b>List its files</b>, or take the list that an earlier take-over made.
 *   <li><b>Fence each file</b>: from now on its length is final, and the writer's next sync fails.
 *   <li><b>Seal each file</b> that is not: read it through, force it to disk and put a footer beside it. Of two who do so the first wins, and
 *       the other takes the first one's. The writer itself, if it still lives, may be one of the two: then the footer ends
 *       at what was acknowledged, which is right as well.
 *   <li><b>Write down the list</b>; again, the first wins. A file that the writer creates after the mark is not in it. It
 *       must not count, because it starts with a record of where the writer believes its partitions end, which would void
 *       what was found here and has been read since.
 * </ol>
 *
 * Where the list is written down already, all of that has been done, and the files' footers are only read: hundreds of hosts
 * may share what one has left.
 *
 * Stateless; for any thread.
 */
final class JournalRecovery {

    private static final Logger log = LoggerFactory.getLogger(JournalRecovery.class);

    private final JournalStorage storage;
    private final FileSealer sealer;
    private final FilesAtOnce filesAtOnce;
    private final FooterReader footers;
    private final boolean acceptDamage;

    JournalRecovery(JournalStorage storage, FileSealer sealer, FilesAtOnce filesAtOnce, boolean acceptDamage) {
        this.storage = storage;
        this.sealer = sealer;
        this.filesAtOnce = filesAtOnce;
        this.footers = new FooterReader(storage);
        this.acceptDamage = acceptDamage;
    }

    /**
     * The journal's files in order of lane and sequence, all sealed.
     *
     * @param known files whose index was read before
     */
    List<JournalFile> recover(JournalId journal, Map<JournalFileId, JournalFile> known, IntConsumer progress)
            throws IOException {
        Set<String> before = names(journal);
        boolean recoveredBefore = before.contains(nameOf(journal.manifestPath()));
        if (!recoveredBefore) {
            storage.delete(journal.openPath());
        }
        Set<String> names = recoveredBefore ? before : names(journal);
        List<JournalFileId> ids = files(journal, manifest(journal, names), names);
        if (!recoveredBefore) {
            filesAtOnce.each(unsealed(ids, known, names), id -> {
                storage.fence(id.path());
                return true;
            });
        }
        AtomicInteger done = new AtomicInteger();
        List<JournalFile> files = filesAtOnce.each(ids, id -> {
            JournalFile file = known.get(id);
            if (file == null) {
                file = hasDetachedFooter(id, names) ? footers.beside(id) : seal(id);
            }
            progress.accept(done.incrementAndGet());
            return file;
        });
        if (!names.contains(nameOf(journal.manifestPath()))) {
            files = writeManifest(journal, files);
        }
        deleteLeftOvers(journal, files, names);
        return List.copyOf(files);
    }

    /** True if nothing would be fenced or written by {@link #recover}: another take-over has come to its end. */
    boolean isRecovered(JournalId journal) throws IOException {
        return storage.exists(journal.manifestPath());
    }

    private Set<String> names(JournalId journal) throws IOException {
        return storage.list(journal.directory()).stream().map(StoredFile::name).collect(Collectors.toSet());
    }

    private static List<JournalFileId> unsealed(
            List<JournalFileId> ids, Map<JournalFileId, JournalFile> known, Set<String> names) {
        return ids.stream()
                .filter(id -> !known.containsKey(id) && !hasDetachedFooter(id, names))
                .toList();
    }

    /**
     * Those files of a journal that is still written that are sealed, in order of lane and sequence.
     *
     * @param known files whose index was read before
     */
    List<JournalFile> sealedFiles(JournalId journal, Map<JournalFileId, JournalFile> known) throws IOException {
        Set<String> names = names(journal);
        return filesAtOnce
                .each(files(journal, manifest(journal, names), names), id -> {
                    JournalFile file = known.get(id);
                    if (file == null) {
                        file = hasDetachedFooter(id, names) ? footers.beside(id) : footers.inside(id);
                    }
                    return Optional.ofNullable(file);
                })
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** The names of the files that count, or null if that is not written down yet. */
    private @Nullable Set<String> manifest(JournalId journal, Set<String> names) throws IOException {
        return names.contains(nameOf(journal.manifestPath())) ? readManifest(journal) : null;
    }

    private Set<String> readManifest(JournalId journal) throws IOException {
        String path = journal.manifestPath();
        try (ReadFile file = storage.open(path)) {
            byte[] bytes = new byte[Math.toIntExact(file.length())];
            int read = file.read(0, bytes, 0, bytes.length);
            return Manifest.decode(new ByteSlice(bytes, 0, Math.max(read, 0)), path);
        }
    }

    private List<JournalFile> writeManifest(JournalId journal, List<JournalFile> files) throws IOException {
        List<String> names =
                files.stream().map(file -> nameOf(file.id().path())).toList();
        if (storage.createWhole(journal.manifestPath(), Manifest.encode(names))) {
            return files;
        }
        Set<String> counted = readManifest(journal);
        return files.stream()
                .filter(file -> counted.contains(nameOf(file.id().path())))
                .toList();
    }

    private static List<JournalFileId> files(JournalId journal, @Nullable Set<String> manifest, Set<String> names) {
        List<JournalFileId> ids = new ArrayList<>();
        for (String name : names) {
            if (manifest == null || manifest.contains(name)) {
                JournalFileId.parse(journal, name).ifPresent(ids::add);
            }
        }
        ids.sort(Comparator.comparing(JournalFileId::lane).thenComparing(JournalFileId::sequence));
        return ids;
    }

    private JournalFile seal(JournalFileId id) throws IOException {
        JournalFile sealed = footers.inside(id);
        if (sealed != null) {
            return sealed;
        }
        FileScanner.Result result;
        long length;
        try (ReadFile file = storage.openUnchecked(id.path())) {
            result = scan(id, file);
            length = file.length();
        }
        log.info(
                "{} was not sealed: {} puts in {} of {} bytes are whole",
                id,
                result.index().frameCount(),
                result.dataEnd(),
                length);
        // What was found is served from now on, so it must survive a power cut, although it may never have been synced.
        storage.force(id.path());
        JournalFile file = JournalFile.live(result.tag(), result.index());
        boolean ours = sealer.writeDetached(file, result.index(), result.dataEnd());
        return ours ? file : footers.beside(id);
    }

    private FileScanner.Result scan(JournalFileId id, ReadFile unchecked) throws IOException {
        try {
            return FileScanner.scan(id, unchecked, false);
        } catch (DamagedFileException e) {
            // Another copy may be whole, which the storage finds by its checksums.
            log.warn("{}; reading it again by the checksums of the storage", e.getMessage());
            try (ReadFile checked = storage.open(id.path())) {
                return FileScanner.scan(id, checked, acceptDamage);
            }
        }
    }

    private static boolean hasDetachedFooter(JournalFileId id, Set<String> names) {
        return names.contains(nameOf(id.detachedFooterPath()));
    }

    /** Halves of files, footers without files, and files that the writer made after it was fenced. */
    private void deleteLeftOvers(JournalId journal, List<JournalFile> files, Set<String> names) throws IOException {
        Set<String> kept = files.stream()
                .flatMap(file -> java.util.stream.Stream.of(
                        nameOf(file.id().path()), nameOf(file.id().detachedFooterPath())))
                .collect(Collectors.toSet());
        kept.add(nameOf(journal.manifestPath()));
        for (String name : names) {
            if (!kept.contains(name)) {
                log.info("Deleting the left-over {}/{}", journal.directory(), name);
                storage.delete(journal.directory() + "/" + name);
            }
        }
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
