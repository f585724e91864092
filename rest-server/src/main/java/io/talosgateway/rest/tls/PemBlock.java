package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands between a {@code -----BEGIN LABEL-----} and its {@code -----END LABEL-----} (RFC 7468).
 *
 * @param body the text between, as it is: decoded only if somebody wants it, because some old kinds have headers
 */
record PemBlock(Path file, String label, String body) {

    private static final Pattern FORM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    /** All blocks of a file, in order; text around them is skipped. */
    static List<PemBlock> all(Path file, byte[] content) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = FORM.matcher(new String(content, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            blocks.add(new PemBlock(file, matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }

    /** @throws IOException with a sentence for the operator if it is not Base64 */
    byte[] decode() throws IOException {
        try {
            return Base64.getMimeDecoder().decode(body);
        } catch (IllegalArgumentException e) {
            throw new IOException("%s is damaged: its %s is not Base64.".formatted(file, label), e);
        }
    }
}
