package io.talosgateway.rest.http;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.BodyArrays;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request is never ended by one thread while another one reads it. Its body does not come here, unless the test gives a piece; the
 * reader stands still where the test wants it to.
 */
final class ReadTurnTest {

    private static final Duration TIME = Duration.ofSeconds(10);

    private final SteppedTime time = new SteppedTime();
    private final List<String> events = new ArrayList<>();
    private final CountDownLatch reads = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    /** Whether the next read stands still. */
    private boolean stops;
    /** What each read finds; null if the client has sent nothing. */
    private Content.Chunk piece;

    private Runnable demanded;

    private final Request request = proxy(Request.class, name -> switch (name) {
        case "read" -> read();
        case "demand" -> null;
        case "getLength" -> 100L;
        default -> HttpFields.EMPTY;
    });

    private interface Answer {
        Object to(String method) throws Exception;
    }

    private <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("demand")) {
                        demanded = (Runnable) arguments[0];
                    }
                    return answer.to(method.getName());
                }));
    }

    private Content.Chunk read() throws InterruptedException {
        events.add("read");
        if (stops) {
            reads.countDown();
            goesOn.await();
        }
        return piece;
    }

    private DrainingCallback draining() {
        Callback end = Callback.from(() -> events.add("ended"));
        Response refused = proxy(Response.class, name -> 401);
        return new DrainingCallback(request, refused, end, time, Runnable::run, time);
    }

    private BodyReader reader() {
        HttpConfig config =
                new HttpConfig(true, "127.0.0.1", 0, 8, 100, 100, TIME, TIME, TIME, DataSize.ofKiB(1), TIME, Set.of());
        return new BodyReader(
                request,
                Runnable::run,
                null,
                1 << 20,
                new BodyArrays(0),
                config,
                time,
                Runnable::run,
                time,
                new BodyReader.Listener() {
                    @Override
                    public void body(ByteSlice body) {
                        events.add("read to its end");
                    }

                    @Override
                    public void refused(GatewayException reason) {
                        events.add("ended");
                    }

                    @Override
                    public void clientGone(Throwable cause) {
                        events.add("gone");
                    }

                    @Override
                    public void failed(Throwable cause) {
                        events.add("failed: " + cause);
                    }
                });
    }

    /** The time runs out while another thread reads, and again once nobody does. */
    private void assertNotEndedWhileItIsRead() throws Exception {
        Runnable woken = demanded;
        stops = true;
        CompletableFuture<Void> reader = CompletableFuture.runAsync(woken);
        reads.await();

        time.advance(Duration.ofMinutes(1));
        assertThat(events).doesNotContain("ended");

        stops = false;
        goesOn.countDown();
        reader.get();
        time.advance(Duration.ofMinutes(1));
        assertThat(events).containsExactly("read", "read", "ended");
        demanded.run();
        assertThat(events).as("it is read no more").containsExactly("read", "read", "ended");
    }

    @Test
    void whatIsDrainedIsNotEndedWhileItIsRead() throws Exception {
        draining().succeeded();
        assertNotEndedWhileItIsRead();
    }

    @Test
    void bodyIsNotRefusedWhileItIsRead() throws Exception {
        reader().start();
        assertNotEndedWhileItIsRead();
    }

    @Test
    void clientThatNeverStopsIsEndedByTheReader() throws Exception {
        draining().succeeded();
        piece = Content.Chunk.from(ByteBuffer.allocate(1), false);
        assertNotEndedWhileItIsRead();
    }

    @Test
    void silentClientIsNotWaitedFor() {
        draining().succeeded();
        time.advance(Duration.ofMinutes(1));
        assertThat(events).containsExactly("read", "ended");
        demanded.run();
        assertThat(events).containsExactly("read", "ended");
    }

    @Test
    void demandThatIsFulfilledBeforeItReturnsIsRead() {
        ReadTurn turn = new ReadTurn();
        int first = turn.demanding();
        assertThat(turn.endWaiting()).as("the demand is being made").isFalse();
        assertThat(turn.resume()).isTrue();
        assertThat(turn.endWaiting()).as("it is being read").isFalse();
        int second = turn.demanding();
        turn.demanded(first);
        assertThat(turn.endWaiting()).as("the next demand is being made").isFalse();
        turn.demanded(second);
        assertThat(turn.endWaiting()).isTrue();
        assertThat(turn.resume()).isFalse();
        assertThat(turn.endWaiting()).isFalse();
    }
}
