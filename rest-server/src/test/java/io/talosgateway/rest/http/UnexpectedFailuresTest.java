package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

final class UnexpectedFailuresTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(UnexpectedFailures.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SteppedTime time = new SteppedTime();
    private final UnexpectedFailures failures = new UnexpectedFailures(time, Runnable::run, time);

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.ERROR);
        logger.setAdditive(false);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private List<String> texts() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void fail(int number) {
        for (int index = 0; index < number; index++) {
            failures.log("GET /" + index, new IllegalStateException("a bug"));
        }
    }

    @Test
    void failureIsLoggedAtOnceInOneLineWithItsPlace() {
        fail(1);

        assertThat(texts())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith(
                                "1 requests failed unexpectedly; the last: GET /0: java.lang.IllegalStateException: a bug at "
                                        + getClass().getName() + ".fail(")
                        .doesNotContain("\n"));
        assertThat(lines.list.get(0).getThrowableProxy()).isNull();
    }

    @Test
    void manyFailuresMakeOneLineASecondWithTheirNumber() {
        fail(1);
        for (int second = 1; second <= 3; second++) {
            fail(1000);
            time.advance(Duration.ofSeconds(1));
            assertThat(texts()).hasSize(1 + second);
            assertThat(texts().get(second)).startsWith("1000 requests failed unexpectedly; the last: GET /999: ");
        }
        time.advance(Duration.ofSeconds(10));
        assertThat(texts()).as("nothing more has failed").hasSize(4);
        fail(1);
        assertThat(texts()).hasSize(5);
    }
}
