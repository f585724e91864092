package io.talosgateway.doctor;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.doctor.Finding.Level;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DoctorTest {

    private final List<String> heard = new ArrayList<>();

    @FunctionalInterface
    private interface Body {
        void run(Findings findings) throws IOException, InterruptedException;
    }

    private static DoctorCheck check(String name, Body body) {
        return new DoctorCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void run(Findings findings) throws IOException, InterruptedException {
                body.run(findings);
            }
        };
    }

    private Level run(Duration limit, DoctorCheck... checks) throws InterruptedException {
        return new Doctor(List.of(checks), limit, Duration.ofMillis(1)).run(new Doctor.Listener() {
            @Override
            public void stillRunning(String check) {
                heard.add(check + " is running");
            }

            @Override
            public void found(String check, List<Finding> findings) {
                findings.forEach(finding -> heard.add(check + " " + finding.level() + " " + finding.text()));
            }
        });
    }

    @Test
    void checksGoOnAfterOneHasFailed() throws InterruptedException {
        Level worst = run(
                Duration.ofSeconds(20),
                check("first", findings -> {
                    throw new IOException("It is closed. Open it.");
                }),
                check("second", findings -> {
                    throw new IllegalStateException("a mistake");
                }),
                check("third", findings -> findings.ok("Good.")));

        assertThat(worst).isEqualTo(Level.FAIL);
        heard.removeIf(text -> text.endsWith("is running"));
        assertThat(heard)
                .containsExactly(
                        "first FAIL It is closed. Open it.",
                        "second FAIL The check itself failed: java.lang.IllegalStateException: a mistake",
                        "third OK Good.");
    }

    @Test
    void worstLevelIsTold() throws InterruptedException {
        assertThat(run(
                        Duration.ofSeconds(20),
                        check("first", findings -> findings.warn("Soon.", "Hurry.")),
                        check("second", findings -> findings.ok("Good."))))
                .isEqualTo(Level.WARN);
        assertThat(run(Duration.ofSeconds(20), check("first", findings -> findings.ok("Good."))))
                .isEqualTo(Level.OK);
    }

    @Test
    void checkThatHangsIsInterruptedAndKeepsWhatItHasFound() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch cleaned = new CountDownLatch(1);

        run(Duration.ofSeconds(2), check("slow", findings -> {
            findings.ok("So far.");
            try {
                never.await();
            } finally {
                findings.ok("Too late or not.");
                cleaned.countDown();
            }
        }));

        cleaned.await();
        assertThat(heard)
                .contains("slow is running", "slow OK So far.")
                .anyMatch(text -> text.startsWith("slow FAIL This was not done within 2 s"));
    }
}
