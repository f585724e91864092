package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

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
        Retry again = null;
        for (PutPart part : parts == null ? List.<PutPart>of() : parts.results) {
            Retry retry = part.problem() == null ? null : part.problem().retry();
            if (retry != null && retry.isSafe() && again != Retry.SAME_KEY) {
                again = retry;
            }
        }
        return again;
    }
}
