package io.talosgateway.rest.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that hold the certificate of this host and its key. Immutable. */
public sealed interface CertificateFiles permits PemFiles, KeyStoreFile {

    /** Beyond it, it is not a certificate. */
    int MAX_BYTES = 1 << 20;

    /** The files, in the order in which {@link #parse} takes what is in them. */
    List<Path> paths();

    /**
     * The certificate that is in the files.
     *
     * @param contents what is in each of {@link #paths()}
     * @throws IOException with a sentence for the operator if there is none, or it cannot be used
     */
    ServerCertificate parse(List<byte[]> contents) throws IOException;

    /**
     * What is in each of the files. Blocks.
     *
     * @throws IOException with a sentence for the operator if one cannot be read
     */
    default List<byte[]> load() throws IOException {
        return load(paths());
    }

    /** @throws IOException with a sentence for the operator if one cannot be read */
    static List<byte[]> load(List<Path> paths) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path path : paths) {
            contents.add(load(path));
        }
        return contents;
    }

    private static byte[] load(Path path) throws IOException {
        byte[] content;
        try (InputStream in = Files.newInputStream(path)) {
            content = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("There is no file %s.".formatted(path), e);
        } catch (AccessDeniedException e) {
            throw new IOException("The gateway's user may not read %s.".formatted(path), e);
        } catch (IOException e) {
            throw new IOException("%s cannot be read: %s".formatted(path, e.getMessage()), e);
        }
        if (content.length > MAX_BYTES) {
            throw new IOException("%s is too large for a certificate or a key.".formatted(path));
        }
        return content;
    }
}
