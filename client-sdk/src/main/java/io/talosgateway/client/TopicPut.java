package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** A put to a topic: each partition stores its part or refuses it. All are sent again if one may be; the key keeps the others from doubling. */
record TopicPut(JsonCall<Parts> call) implements HttpCall<TopicPut.Parts> {

    record Parts(List<PutPart> results) {}

    @Override
    public HttpRequest.Builder request(URI endpoint) {
        return call.request(endpoint);
    }

    @Override
    public @Nullable Parts read(HttpResponse<byte[]> response) {
        return call.read(response);
    }

    @Override
    public Retry withoutAnswer() {
        return call.withoutAnswer();
    }

    @Override
    public @Nullable Retry again(@Nullable Parts parts) {
        return parts == null
                ? null
                : parts.results.stream()
                        .map(PutPart::problem)
                        .filter(Objects::nonNull)
                        .map(Problem::retry)
                        .filter(retry -> retry == Retry.AFTER_BACKOFF || retry == Retry.SAME_KEY)
                        .max(Comparator.naturalOrder())
                        .orElse(null);
    }
}
