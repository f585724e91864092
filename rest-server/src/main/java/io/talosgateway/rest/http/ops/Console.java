package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import com.google.common.hash.Hashing;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console: a page that asks the JSON interface of the same port, with the key of whoever uses it. The files are the
 * same for everybody and say nothing about this host, so that they need no key. Safe for use by any thread.
 */
final class Console {

    private static final String ROOT = "/console";
    private static final String INDEX = "index.html";
    /** Of the class path; nothing else can be named by a path. */
    private static final Pattern NAME =
            Pattern.compile("[a-zA-Z0-9-]+(/[a-zA-Z0-9-]+)*(\\.min|\\.iife\\.min)?\\.[a-z]+");

    private static final String UPLOT = "uplot/";
    private static final String UPLOT_RESOURCES = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /**
     * Only files of this port are loaded and asked, no other page shows this one in a frame, and text never becomes elements:
     * a mistake of the page cannot make a message a program.
     */
    private static final HttpField POLICY = new PreEncodedHttpField(
            "Content-Security-Policy",
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                    + "require-trusted-types-for 'script'; trusted-types 'none'");

    private static final HttpField NO_REFERRER = new PreEncodedHttpField("Referrer-Policy", "no-referrer");
    private static final HttpField OWN_PROCESS = new PreEncodedHttpField("Cross-Origin-Opener-Policy", "same-origin");
    private static final HttpField OWN_FILES = new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin");
    /** A browser asks each time whether a file is still the same: a console of one release never has parts of another one. */
    private static final HttpField REVALIDATE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache");

    /** Those that were asked for; no more than there are. */
    private final Map<String, Content> files = new ConcurrentHashMap<>();

    private record Content(ByteSlice bytes, String type, String tag) {}

    /** Whether the console is at this path. */
    static boolean isAt(String path) {
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }

    /** @return false if there is no such file, and nothing was answered */
    boolean answer(String path, Request request, Response response, Callback callback) {
        HttpFields.Mutable headers = response.getHeaders();
        if (path.equals(ROOT)) {
            response.setStatus(308);
            headers.put(HttpHeader.LOCATION, ROOT + "/");
            headers.put(REVALIDATE);
            response.write(true, null, callback);
            return true;
        }
        String name = path.substring(ROOT.length() + 1);
        Content content = find(name.isEmpty() ? INDEX : name);
        if (content == null) {
            return false;
        }
        headers.put(HttpHeader.ETAG, content.tag);
        headers.put(REVALIDATE);
        headers.put(POLICY);
        headers.put(NO_REFERRER);
        headers.put(OWN_PROCESS);
        headers.put(OWN_FILES);
        if (content.tag.equals(request.getHeaders().get(HttpHeader.IF_NONE_MATCH))) {
            response.setStatus(304);
            response.write(true, null, callback);
            return true;
        }
        response.setStatus(200);
        headers.put(HttpHeader.CONTENT_TYPE, content.type);
        headers.put(HttpHeader.CONTENT_LENGTH, content.bytes.length());
        response.write(true, content.bytes.toByteBuffer(), callback);
        return true;
    }

    private @Nullable Content find(String name) {
        Content known = files.get(name);
        if (known != null) {
            return known;
        }
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !NAME.matcher(name).matches()) {
            return null;
        }
        String resource = name.startsWith(UPLOT) ? UPLOT_RESOURCES + name.substring(UPLOT.length()) : ROOT + "/" + name;
        try (InputStream in = Console.class.getResourceAsStream(resource)) {
            if (in == null) {
                return null;
            }
            byte[] bytes = in.readAllBytes();
            Content read = new Content(
                    new ByteSlice(bytes),
                    type,
                    '"' + Hashing.sha256().hashBytes(bytes).toString() + '"');
            files.put(name, read);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
