package io.talosgateway.benchmarks.micro;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.message.format.UndecodableBlockException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to make a block of one raw message, as a put over REST does, and to open it, as a get does. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MessageBlockBenchmark {

    /** Bytes of the message. */
    @Param({"100", "10240"})
    public int size;

    private Message message = raw(1);
    private MessageBlock block = encode(message);

    @Setup
    public void setUp() {
        message = raw(size);
        block = encode(message);
    }

    private static Message raw(int size) {
        byte[] payload = new byte[size];
        new Random(1).nextBytes(payload);
        return new Message(null, null, new ByteSlice(payload), null, null, Message.BINARY, null, null);
    }

    private static MessageBlock encode(Message message) {
        return MessageEncoder.encode(List.of(message), MessageVersion.V3, Compression.NONE);
    }

    @Benchmark
    public MessageBlock encode() {
        return encode(message);
    }

    /** The checksum of the batch comes on top of each put. */
    @Benchmark
    public MessageBatch encodeAndCheck() {
        return new MessageBatch(List.of(encode(message)));
    }

    @Benchmark
    public List<Message> decode() throws UndecodableBlockException {
        return MessageDecoder.decode(new StoredBlock(0, 0, block), 64 << 20);
    }
}
