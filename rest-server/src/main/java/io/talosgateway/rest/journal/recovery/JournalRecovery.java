package io.talosgateway.rest.journal.recovery;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import com.google.common.collect.ImmutableSet;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.rest.journal.file.DamagedFileException;
import io.talosgateway.rest.journal.file.DamagedIndexException;
import io.talosgateway.rest.journal.file.FileScanner;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.FooterReader;
import io.talosgateway.rest.journal.file.IndexFile;
import io.talosgateway.rest.journal.file.IndexFileName;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.Manifest;
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
 *   <li><b>List its files.</b> Those in an index file are sealed; the rest is for those that are in none.
 *   <li><b>Fence each file</b>: from now on its length is final, and the writer's next sync fails.
 *   <li><b>Seal each file</b> that is not: read it through, force it to disk and put a footer beside it. Of two who do so the first wins, and
 *       the other takes the first one's. The writer itself, if it still lives, may be one of the two: then the footer ends
 *       at what was acknowledged, which is right as well.
 *   <li><b>Index the files</b> that are in no index file yet.
 *   <li><b>Write down the list</b>; again, the first wins. A file that the writer creates after the mark is not in it. It
 *       must not count, because it starts with a record of where the writer believes its partitions end, which would void
 *       what was found here and has been read since.
 * </ol>
 *
 * Where the list is written down already, all of that has been done, and little is read: hundreds of hosts may share what one
 * has left.
 *
 * Stateless; for any thread.
 */
public final class JournalRecovery {

    private static final Logger log = LoggerFactory.getLogger(JournalRecovery.class);

    private final JournalStorage storage;
    private final FileSealer sealer;
    private final IndexHeads heads;
    private final FilesAtOnce filesAtOnce;
    private final FooterReader footers;
    private final boolean acceptDamage;

    public JournalRecovery(
            JournalStorage storage,
            FileSealer sealer,
            IndexHeads heads,
            FilesAtOnce filesAtOnce,
            boolean acceptDamage) {
        this.heads = heads;
        this.storage = storage;
        this.sealer = sealer;
        this.filesAtOnce = filesAtOnce;
        this.footers = new FooterReader(storage);
        this.acceptDamage = acceptDamage;
    }

    /**
     * The journal's files, all sealed.
     *
     * @param known what was read of it before
     * @param progress told the number of files done, by any thread
     */
    public JournalCatalog recover(JournalId journal, JournalCatalog known, IntConsumer progress) throws IOException {
        Set<String> namesBefore = Set.of();
        while (true) {
            Manifest before = manifest(journal);
            if (before != null) {
                return counted(journal, before, known);
            }
            storage.delete(journal.openPath());
            Set<String> names = names(journal);
            try {
                return takeOver(journal, names, known, progress);
            } catch (FileNotFoundException e) {
                if (names.equals(namesBefore)) {
                    throw e;
                }
                // By its writer, or by a host that has taken it over meanwhile: their messages were out of their
                // retention.
                log.info("Listing {} again, because files were deleted meanwhile: {}", journal, e.getMessage());
                namesBefore = names;
            }
        }
    }

    private JournalCatalog takeOver(JournalId journal, Set<String> names, JournalCatalog known, IntConsumer progress)
            throws IOException {
        if (names.contains(nameOf(journal.manifestPath()))) {
            return counted(journal, readManifest(journal), known);
        }
        Map<IndexFileName, BitSet> indexed = indexed(journal, names);
        Map<JournalFileId, JournalFile> before = byId(known.loose());
        List<JournalFileId> ids = notIndexed(journal, names, indexed);
        filesAtOnce.each(ids.stream().filter(id -> !before.containsKey(id)).toList(), id -> {
            // Also one with a footer beside it: a host that died while it forced the file has left it open.
            storage.fence(id.path());
            return true;
        });
        AtomicInteger done = new AtomicInteger();
        List<JournalFile> files = filesAtOnce.each(ids, id -> {
            JournalFile file = before.get(id);
            if (file == null) {
                file = hasDetachedFooter(id, names) ? footers.beside(id) : seal(id);
            }
            progress.accept(done.incrementAndGet());
            return file;
        });
        JournalCatalog found = index(journal, new JournalCatalog(true, files, indexed));
        Manifest made = new Manifest(
                found.loose().stream().map(file -> file.id().name()).collect(ImmutableSet.toImmutableSet()),
                found.indexed());
        if (!storage.createWhole(journal.manifestPath(), made.encode())) {
            made = readManifest(journal);
            found = counted(journal, made, found);
        }
        deleteLeftOvers(journal, made, names);
        return found;
    }

    /** True if nothing would be fenced or written by {@link #recover}: another take-over has come to its end. */
    boolean isRecovered(JournalId journal) throws IOException {
        return storage.exists(journal.manifestPath());
    }

    /**
     * Those files of a journal that are sealed, which may still be written.
     *
     * @param known what was read of it before
     */
    public JournalCatalog sealedFiles(JournalId journal, JournalCatalog known) throws IOException {
        Set<String> names = names(journal);
        if (names.contains(nameOf(journal.manifestPath()))) {
            return counted(journal, readManifest(journal), known);
        }
        Map<IndexFileName, BitSet> indexed = indexed(journal, names);
        Map<JournalFileId, JournalFile> before = byId(known.loose());
        List<JournalFile> loose = filesAtOnce
                .each(notIndexed(journal, names, indexed), id -> {
                    JournalFile file = before.get(id);
                    return file == null ? footer(id, names) : Optional.of(file);
                })
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return new JournalCatalog(false, loose, indexed);
    }

    /** Nothing for a file that is not sealed, and for one that was deleted since it was listed. */
    private Optional<JournalFile> footer(JournalFileId id, Set<String> names) throws IOException {
        try {
            return Optional.ofNullable(hasDetachedFooter(id, names) ? footers.beside(id) : footers.inside(id));
        } catch (FileNotFoundException e) {
            log.debug("{} was deleted", id, e);
            return Optional.empty();
        }
    }

    /** The files that a manifest names. */
    private JournalCatalog counted(JournalId journal, Manifest manifest, JournalCatalog known) throws IOException {
        Map<JournalFileId, JournalFile> before = byId(known.loose());
        List<JournalFileId> ids = manifest.files().stream()
                .flatMap(name -> JournalFileId.parse(journal, name).stream())
                .sorted(JournalFileId.IN_ORDER)
                .toList();
        return new JournalCatalog(true, sealed(ids, before), manifest.indexed());
    }

    /** The same without an index file that is lost or damaged: what it said is in the footers. */
    JournalCatalog withoutIndex(JournalId journal, JournalCatalog catalog, IndexFileName lost) throws IOException {
        List<JournalFileId> ids = catalog.indexed().getOrDefault(lost, new BitSet()).stream()
                .mapToObj(sequence -> new JournalFileId(journal, lost.lane(), sequence))
                .toList();
        return catalog.without(lost, sealed(ids, Map.of()));
    }

    /** Those of the files that were not deleted since. */
    private List<JournalFile> sealed(List<JournalFileId> ids, Map<JournalFileId, JournalFile> known)
            throws IOException {
        return filesAtOnce
                .each(ids, id -> {
                    JournalFile file = known.get(id);
                    return file == null ? sealed(id) : Optional.of(file);
                })
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<JournalFile> sealed(JournalFileId id) throws IOException {
        try {
            return Optional.of(storage.exists(id.detachedFooterPath()) ? footers.beside(id) : seal(id));
        } catch (FileNotFoundException e) {
            log.debug("{} was deleted", id, e);
            return Optional.empty();
        }
    }

    private static Map<JournalFileId, JournalFile> byId(Collection<JournalFile> files) {
        return files.stream().collect(Collectors.toMap(JournalFile::id, Function.identity()));
    }

    // --- Index files ---

    /** The whole index files among some names, and what is in them. Those are left out of which another has all. */
    private Map<IndexFileName, BitSet> indexed(JournalId journal, Set<String> names) throws IOException {
        List<IndexFileName> found = names.stream()
                .flatMap(name -> IndexFileName.parse(name).stream())
                .toList();
        List<IndexFile> whole = filesAtOnce.each(found, name -> readIndex(journal, name)).stream()
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(
                                (IndexFile index) -> index.sequences().cardinality())
                        .reversed()
                        .thenComparing(index -> index.name().toString()))
                .toList();
        Map<IndexFileName, BitSet> indexed = new LinkedHashMap<>();
        Map<String, BitSet> covered = new TreeMap<>();
        for (IndexFile index : whole) {
            BitSet sequences = index.sequences();
            sequences.andNot(covered.computeIfAbsent(index.name().lane(), absent -> new BitSet()));
            if (!sequences.isEmpty()) {
                indexed.put(index.name(), sequences);
                covered.get(index.name().lane()).or(sequences);
            }
        }
        return indexed;
    }

    private Optional<IndexFile> readIndex(JournalId journal, IndexFileName name) throws IOException {
        try {
            return Optional.of(heads.read(journal, name));
        } catch (DamagedIndexException | FileNotFoundException e) {
            log.warn("Reading the footers of the files of {}, because it cannot be used: {}", name, e.getMessage());
            return Optional.empty();
        }
    }

    /** Has loose files indexed; where that fails they stay as they are. */
    private JournalCatalog index(JournalId journal, JournalCatalog catalog) {
        Map<String, List<JournalFile>> byLane = catalog.loose().stream()
                .collect(Collectors.groupingBy(file -> file.id().lane(), TreeMap::new, Collectors.toList()));
        List<JournalFile> loose = new ArrayList<>();
        Map<IndexFileName, BitSet> indexed = new LinkedHashMap<>(catalog.indexed());
        byLane.forEach((lane, files) -> {
            IndexFileName name = IndexFile.write(storage, journal, files);
            if (name == null) {
                loose.addAll(files);
            } else {
                BitSet sequences = new BitSet();
                files.forEach(file -> sequences.set(file.id().sequence()));
                indexed.put(name, sequences);
            }
        });
        return new JournalCatalog(catalog.ended(), loose, indexed);
    }

    // --- Files ---

    private Set<String> names(JournalId journal) throws IOException {
        return storage.list(journal.directory()).stream().map(StoredFile::name).collect(Collectors.toSet());
    }

    private static List<JournalFileId> notIndexed(
            JournalId journal, Set<String> names, Map<IndexFileName, BitSet> indexed) {
        Manifest indexedOnly = new Manifest(ImmutableSet.of(), indexed);
        return names.stream()
                .flatMap(name -> JournalFileId.parse(journal, name).stream())
                .filter(id -> !indexedOnly.counts(id))
                .sorted(JournalFileId.IN_ORDER)
                .toList();
    }

    /** Null if the files that count are not written down yet. */
    private @Nullable Manifest manifest(JournalId journal) throws IOException {
        try {
            return readManifest(journal);
        } catch (FileNotFoundException e) {
            log.debug("{} was not recovered yet", journal, e);
            return null;
        }
    }

    private Manifest readManifest(JournalId journal) throws IOException {
        String path = journal.manifestPath();
        try (ReadFile file = storage.open(path)) {
            byte[] bytes = new byte[Math.toIntExact(file.length())];
            int read = file.read(0, bytes, 0, bytes.length);
            return Manifest.decode(new ByteSlice(bytes, 0, Math.max(read, 0)), path);
        }
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

    /** Halves of files, footers without files, index files that others replace, and files that the writer made after it was fenced. */
    private void deleteLeftOvers(JournalId journal, Manifest manifest, Set<String> names) throws IOException {
        Set<String> kept = new HashSet<>();
        kept.add(nameOf(journal.manifestPath()));
        manifest.indexed().keySet().forEach(index -> kept.add(index.toString()));
        for (String name : names) {
            JournalFileId.parse(journal, name).filter(manifest::counts).ifPresent(id -> {
                kept.add(name);
                kept.add(nameOf(id.detachedFooterPath()));
            });
        }
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
