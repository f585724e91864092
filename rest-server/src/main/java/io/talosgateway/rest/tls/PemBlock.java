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

    private static final Pattern BOUNDARY = Pattern.compile("-----(BEGIN|END) ([A-Z0-9 ]{1,64})-----");

    /** All blocks of a file, in order; text around them is skipped, and so is a beginning that another one follows. */
    static List<PemBlock> all(Path file, byte[] content) {
        List<PemBlock> blocks = new ArrayList<>();
        String text = new String(content, StandardCharsets.ISO_8859_1);
        Matcher boundary = BOUNDARY.matcher(text);
        String begun = null;
        int from = 0;
        while (boundary.find()) {
            String label = boundary.group(2);
            if (boundary.group(1).equals("BEGIN")) {
                begun = label;
                from = boundary.end();
            } else {
                if (label.equals(begun)) {
                    blocks.add(new PemBlock(file, label, text.substring(from, boundary.start())));
                }
                begun = null;
            }
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
