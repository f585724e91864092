package io.talosgateway.rest.http;

import java.util.concurrent.CountDownLatch;

import com.google.common.util.concurrent.Uninterruptibles;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Has a request hold its thread until it is answered. For comparisons. */
public final class BlockingHandler extends Handler.Wrapper {

    public BlockingHandler(Handler handler) {
        super(handler);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        boolean handled = super.handle(request, response, Callback.from(callback, ended::countDown));
        if (handled) {
            Uninterruptibles.awaitUninterruptibly(ended);
        }
        return handled;
    }
}
