package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.admission.PoolMetrics;
import io.talosgateway.rest.admission.RefusalPacer;
import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.BearerTokens;
import io.talosgateway.rest.auth.CertificateKeys;
import io.talosgateway.rest.auth.IssuerKeys;
import io.talosgateway.rest.auth.KeyAdmin;
import io.talosgateway.rest.auth.KeyCipher;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.auth.KeyStore;
import io.talosgateway.rest.auth.LastUse;
import io.talosgateway.rest.auth.SharedKeys;
import io.talosgateway.rest.auth.TokenConfig;
import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.consumergroup.GroupCoordinator;
import io.talosgateway.rest.consumergroup.GroupLags;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.forwarding.thrift.ThriftForwarder;
import io.talosgateway.rest.hosting.ClusterPorts;
import io.talosgateway.rest.hosting.HostAddress;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.hosting.HostingMetrics;
import io.talosgateway.rest.hosting.HostingParts;
import io.talosgateway.rest.hosting.RealHostingThreads;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.PacedErrors;
import io.talosgateway.rest.http.RequestMetrics;
import io.talosgateway.rest.http.UnexpectedFailures;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.http.rest.ClusterOperations;
import io.talosgateway.rest.http.rest.EventStreams;
import io.talosgateway.rest.http.rest.FencingTokenOperations;
import io.talosgateway.rest.http.rest.GroupOperations;
import io.talosgateway.rest.http.rest.KeyOperations;
import io.talosgateway.rest.http.rest.MemberOperations;
import io.talosgateway.rest.http.rest.MemberPolls;
import io.talosgateway.rest.http.rest.MessageOperations;
import io.talosgateway.rest.http.rest.OwnerQuotaOperations;
import io.talosgateway.rest.http.rest.PermissionOperations;
import io.talosgateway.rest.http.rest.ProblemErrorHandler;
import io.talosgateway.rest.http.rest.QuotaOperations;
import io.talosgateway.rest.http.rest.RestHandler;
import io.talosgateway.rest.http.rest.TopicOperations;
import io.talosgateway.rest.http.talos.BaseCalls;
import io.talosgateway.rest.http.talos.ConsumerCalls;
import io.talosgateway.rest.http.talos.DataPreviewCalls;
import io.talosgateway.rest.http.talos.GroupLagCalls;
import io.talosgateway.rest.http.talos.MessageCalls;
import io.talosgateway.rest.http.talos.PermissionCalls;
import io.talosgateway.rest.http.talos.QuotaCalls;
import io.talosgateway.rest.http.talos.TalosHandler;
import io.talosgateway.rest.http.talos.TopicCalls;
import io.talosgateway.rest.http.talos.TopicGroupCalls;
import io.talosgateway.rest.http.talos.TopicOwnerCalls;
import io.talosgateway.rest.http.talos.TopicQuotaCalls;
import io.talosgateway.rest.http.talos.TopicsConsumerCalls;
import io.talosgateway.rest.http.talos.TransactionCalls;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.message.BodyArrays;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.metrics.JvmMetrics;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.peer.PeerServer;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementController;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.quota.QuotaExchange;
import io.talosgateway.rest.quota.QuotaMetrics;
import io.talosgateway.rest.quota.QuotaPartitionService;
import io.talosgateway.rest.quota.Quotas;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.rest.routing.MovePatience;
import io.talosgateway.rest.routing.RoutedPartitionService;
import io.talosgateway.rest.serving.LocalPartitionService;
import io.talosgateway.rest.statelog.StateLogParts;
import io.talosgateway.rest.tls.CertificateMetrics;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.rest.topicadmin.OwnerQuotaService;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.rest.topicadmin.TopicDirectory;
import io.talosgateway.rest.topicadmin.TopicGroupService;
import io.talosgateway.rest.transaction.TransactionCoordinator;
import io.talosgateway.rest.transaction.TransactionSweep;
import io.talosgateway.rest.transaction.Transactions;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.WheelTimer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the constructors, top to bottom: the map of the program. Starts no thread but those of the timer and the pools.
 */
final class GatewayWiring {

    /** Nobody else can take what a host that is alone has left under another name. */
    private static final PlacementConfig ALONE = new PlacementConfig(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Most that wait; further ones are refused. */
    private static final int MAX_KEY_CHANGES = 100;

    /** One part in so many of the heap, at most, waits for bodies. */
    private static final int BODY_ARRAYS_SHARE = 64;
    /** Many times what admission lets in. */
    private static final int MAX_WAITING_STEPS = 200_000;

    private static final long FIRST_KEYS_SECONDS = 10;

    private static final Logger log = LoggerFactory.getLogger(GatewayWiring.class);

    final NanoClock clock = System::nanoTime;
    final InstantSource wallClock = ShiftedClock.ofSystem(clock);
    final CollectorRegistry registry;

    final WheelTimer timer;
    final BoundedThreads answers;
    final BoundedThreads largeWork;
    final PoolMetrics poolMetrics;
    final KeyedThreadPool<TopicPartition> putPool;
    final KeyedThreadPool<TopicPartition> getPool;
    final KeyedThreadPool<TopicName> controlPool;
    final KeyFile keys;
    /** Runs changes of keys, which block. */
    final ExecutorService keyChanges;

    /** Null if no bearer tokens are accepted. */
    final @Nullable Tokens tokens;

    final Authenticator authenticator;
    final HostedPartitions hosting;
    final PlacementController controller;
    final AdmissionController admission;
    final FetchService fetch;
    final GroupCoordinator groups;
    final TransactionCoordinator transactions;
    final TransactionSweep transactionSweep;
    private final RoutedPartitionService routed;
    /** Null for a host that is alone. */
    final @Nullable Peers peers;

    private final ComparisonModes modes;
    private final HttpParts http;
    final TalosHandler talos;
    final EventStreams streams;
    final RestHandler rest;
    final JvmMetrics jvm;

    GatewayWiring(
            GatewayConfig config,
            Supplier<HostAddress> address,
            @Nullable HostIdentity self,
            @Nullable KeyCipher keyCipher,
            Supplier<CertificateKeys> certificateKeys,
            AuditLog audit,
            RequestLogs logs,
            CollectorRegistry registry,
            JournalStorage storage,
            ZooKeeperCoordination coordination)
            throws IOException {
        this.registry = registry;
        timer = new WheelTimer("deadlines", clock).start();
        answers = new BoundedThreads("answer", config.answerThreads(), MAX_WAITING_STEPS);
        largeWork = new BoundedThreads("large", largeThreads(), MAX_WAITING_STEPS);
        poolMetrics = new PoolMetrics(registry);
        putPool = pool(config.putPool());
        getPool = pool(config.getPool());
        controlPool = pool(config.controlPool());

        keys = new KeyFile(config.auth().keyFile(), wallClock);
        keyChanges = keyChanges();
        SharedKeys sharedKeys = new SharedKeys(coordination.keys(), keyCipher);
        LastUse lastUse = new LastUse();
        TokenConfig tokenConfig = config.auth().tokens();
        tokens = tokenConfig == null ? null : tokens(tokenConfig);
        authenticator = new Authenticator(
                config.auth(),
                allKeys(sharedKeys, keys),
                certificateKeys,
                tokens == null ? null : tokens.bearer(),
                lastUse,
                wallClock);
        admission = new AdmissionController(config.admission(), registry, clock);

        hosting = new HostedPartitions(
                config.hosting(),
                address,
                new ClusterPorts(
                        coordination.hosts(),
                        coordination.topics(),
                        coordination.ownership(),
                        coordination.placement(),
                        coordination.claims()),
                new HostingParts(
                        storage,
                        answers,
                        wallClock,
                        clock,
                        new JournalMetrics(registry, clock),
                        new HostingMetrics(registry),
                        new RealHostingThreads()));
        controller = new PlacementController(
                config.isAlone() ? ALONE : config.cluster().placement(),
                coordination.election(),
                coordination.hosts(),
                coordination.placement(),
                clock);
        modes = new ComparisonModes(
                config.dispatch(), config.hosting().journal().layout());
        ProduceService produce = new ProduceService(
                modes.putSteps(putPool),
                timer,
                answers,
                config.hosting().journal().durability(),
                clock,
                new ProduceMetrics(registry));
        fetch = new FetchService(config.fetch(), getPool, timer, answers, modes.tailReads(), clock);
        TopicAdminService topics = new TopicAdminService(
                config.topics(),
                coordination.topics(),
                coordination.ownerQuotas(),
                hosting,
                controlPool,
                new SecureRandom(),
                wallClock);

        TimedAnswers timedAnswers = new TimedAnswers(timer, answers);
        StateLogParts stateLogs = StateLogParts.of(
                config.hosting().journal().durability(), hosting, coordination.topics(), getPool, clock);
        groups = new GroupCoordinator(config.groups(), stateLogs, timedAnswers);
        transactions = new TransactionCoordinator(
                config.transactions(), stateLogs, hosting, coordination.topics(), this::routed, timedAnswers);
        transactionSweep = new TransactionSweep(transactions, timer, answers, clock);
        PartitionService local = modes.puts(
                new LocalPartitionService(hosting, produce, fetch, groups, transactions, timedAnswers), putPool);
        Hosts hosts = coordination.hosts();
        Quotas quotas = new Quotas(
                coordination.topics()::find,
                coordination.ownerQuotas()::limits,
                coordination.topics()::ownedBy,
                clock,
                new QuotaMetrics(registry));
        peers = self == null ? null : peers(config, self, hosts, local, quotas, logs);
        if (peers != null) {
            hosts.onChange(() -> peers.forwarder()
                    .retain(hosts.alive().values().stream()
                            .map(RoutedPartitionService::peer)
                            .toList()));
        }
        MovePatience patience = new MovePatience(config.cluster().moveWait(), timer, answers, clock);
        routed = new RoutedPartitionService(hosting, local, patience, peers == null ? null : peers.forwarder());
        PartitionService partitions = new QuotaPartitionService(routed, quotas, clock);
        http = new HttpParts(
                config.http(),
                config.limits(),
                new BodyArrays(Runtime.getRuntime().maxMemory() / BODY_ARRAYS_SHARE),
                admission,
                new RefusalPacer(registry, clock),
                timer,
                answers,
                largeWork,
                clock,
                wallClock,
                new RequestMetrics(registry),
                new UnexpectedFailures(timer, answers, clock),
                audit,
                logs);
        AuthorizedTopics authorized = new AuthorizedTopics(new TopicDirectory(coordination.topics()));
        OwnerQuotaService ownerQuotas = new OwnerQuotaService(
                coordination.ownerQuotas(),
                coordination.topics(),
                config.topics().limits(),
                hosting,
                controlPool);
        ConsumerGroups consumerGroups = new ConsumerGroups(topics, partitions);
        talos = new TalosHandler(
                http,
                authenticator,
                new BaseCalls(),
                new TopicCalls(authorized, topics, partitions),
                new PermissionCalls(authorized, topics),
                new TopicQuotaCalls(authorized, topics, partitions),
                new TopicOwnerCalls(authorized, topics),
                new TopicGroupCalls(
                        authorized, new TopicGroupService(coordination.topicGroups(), hosting, controlPool), clock),
                new QuotaCalls(ownerQuotas, partitions),
                new MessageCalls(authorized, partitions, routed::ownerOf, http),
                new TransactionCalls(authorized, new Transactions(topics, partitions), http),
                new ConsumerCalls(authorized, consumerGroups),
                new TopicsConsumerCalls(authorized, consumerGroups),
                new GroupLagCalls(authorized, consumerGroups, partitions),
                new DataPreviewCalls(authorized, partitions));
        streams = new EventStreams(
                config.streams(),
                authorized,
                authenticator,
                partitions,
                config.fetch().maxWait(),
                http);
        rest = new RestHandler(
                http,
                authenticator,
                authorized,
                new TopicOperations(authorized, topics, partitions),
                new PermissionOperations(authorized, topics),
                new QuotaOperations(authorized, topics, partitions),
                new OwnerQuotaOperations(ownerQuotas, partitions),
                new MessageOperations(
                        authorized, partitions, streams, config.fetch().maxWait(), http),
                new FencingTokenOperations(authorized, partitions),
                new GroupOperations(authorized, consumerGroups, partitions),
                new MemberOperations(
                        authorized,
                        consumerGroups,
                        new MemberPolls(
                                consumerGroups, partitions, config.fetch().maxWait(), http),
                        config.groups().lease()),
                new ClusterOperations(
                        new ClusterView(hosting, coordination), config.hosting().hostName(), registry, wallClock),
                new KeyOperations(
                        new KeyAdmin(keys, sharedKeys, lastUse, hosting::requireNewestState, keyChanges, wallClock)));

        gauge(
                "talos_key_file_broken",
                "1 while the key file cannot be read, and the keys read before stay valid.",
                () -> keys.whyBroken() == null ? 0 : 1);
        gauge(
                "talos_keys_unreadable",
                "Keys in ZooKeeper that this host cannot read, and refuses.",
                sharedKeys::unreadable);
        gauge("talos_partitions_hosted", "Partitions that this host serves.", hosting::size);
        gauge(
                "talos_hosts_placed",
                "Hosts among which the partitions are divided.",
                () -> coordination.placement().current().placement().hosts().size());
        gauge(
                "talos_hosts_alive",
                "Hosts that are alive, as far as this one knows.",
                () -> coordination.hosts().alive().size());
        gauge(
                "talos_topics_unreadable",
                "Topics in ZooKeeper that this host cannot read; it deletes no messages while there are any.",
                () -> coordination.topics().unreadable().size());
        gauge(
                "talos_partitions_refused",
                "Partitions that this host should serve, and cannot, because stored messages are missing.",
                hosting::refused);
        gauge(
                "talos_signatures_remembered",
                "Signatures of changes that would be recognised as replays.",
                authenticator::remembered);
        gauge("talos_recent_puts", "Puts whose repeats would be recognised.", hosting::recentPuts);
        gauge(
                "talos_requests_waiting_for_moves",
                "Requests whose partition is moving from one host to another.",
                patience::waiting);
        gauge(
                "talos_answers_waiting",
                "Steps of requests that wait for a thread that completes them.",
                answers::waiting);
        gauge(
                "talos_large_requests_waiting",
                "Large bodies and answers that wait for a thread that decodes or encodes them.",
                largeWork::waiting);
        gauge(
                "talos_consumer_groups",
                "Consumer groups that this host has been asked about, and holds.",
                groups::groups);
        gauge(
                "talos_transactions_open",
                "Transactions that this host holds and that have not ended.",
                transactions::open);
        gauge(
                "talos_transactions_open_bytes",
                "Bytes of the blocks of transactions that this host holds and that have not ended.",
                transactions::openBytes);
        gauge(
                "talos_transactions_undelivered",
                "Transactions that this host holds and that are committed, but whose messages are not stored yet.",
                transactions::undelivered);
        gauge("talos_streams", "Streams of messages that are open.", streams::count);
        gauge("talos_gets_waiting", "Gets that wait for messages.", fetch::waiting);
        gauge(
                "talos_zookeeper_connected",
                "1 while ZooKeeper is connected.",
                () -> coordination.hosts().isConnected() ? 1 : 0);
        gauge(
                "talos_read_lease_missing",
                "1 while this host cannot tell where its partitions end, because ZooKeeper has not confirmed its session.",
                () -> hosting.whyWithoutLease() == null ? 0 : 1);
        gauge(
                "talos_stored_bytes",
                "Bytes of messages that are stored for the partitions of this host.",
                hosting::storedBytes);
        gauge(
                "talos_hosts_absent",
                "Hosts that are gone and whose partitions still wait for them, until the delay of their removal ends.",
                () -> placed(coordination, Presence.ABSENT));
        gauge(
                "talos_hosts_restarting",
                "Hosts that said that they restart, and whose partitions wait for them.",
                () -> placed(coordination, Presence.RESTARTING));
        gauge(
                "talos_controller",
                "1 at the host that writes the placement.",
                () -> coordination.election().isElected() ? 1 : 0);
        new GroupLags(coordination.topics(), partition -> hosting.find(partition) != null, routed, clock)
                .register(registry);
        jvm = new JvmMetrics(registry);
    }

    private static long placed(ZooKeeperCoordination coordination, Presence presence) {
        return coordination.placement().current().placement().hosts().stream()
                .filter(host -> host.presence() == presence)
                .count();
    }

    /** The partitions of all hosts; for what is made before. */
    private PartitionService routed() {
        return routed;
    }

    /**
     * What bearer tokens need.
     *
     * @param thread that reads the keys
     */
    record Tokens(BearerTokens bearer, IssuerKeys keys, ScheduledExecutorService thread) {

        /** Reads the keys, now and from time to time. Waits for them, but not for long: a gateway starts without them. */
        void start() throws InterruptedException {
            Future<?> first = thread.submit(keys::readIfDue);
            thread.scheduleWithFixedDelay(keys::readIfDue, keys.pollMs(), keys.pollMs(), TimeUnit.MILLISECONDS);
            try {
                first.get(FIRST_KEYS_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                log.warn("The gateway starts without the keys of the token issuer: {}", e.toString());
            }
        }
    }

    private Tokens tokens(TokenConfig config) throws IOException {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "token-keys");
            created.setDaemon(true);
            return created;
        });
        IssuerKeys issuer = new IssuerKeys(config, wallClock, thread);
        gauge("talos_token_keys_age_seconds", "How long ago the keys of the token issuer were read.", () -> {
            Long ageMs = issuer.ageMs();
            return ageMs == null ? Double.POSITIVE_INFINITY : ageMs / 1e3;
        });
        return new Tokens(new BearerTokens(config, issuer, wallClock), issuer, thread);
    }

    /** The ways to and from other hosts; without {@code tls} in clear text. */
    record Peers(
            PeerServer server,
            ThriftForwarder forwarder,
            QuotaExchange quotas,
            @Nullable HostTls tls) {}

    private Peers peers(
            GatewayConfig config,
            HostIdentity self,
            Hosts hosts,
            PartitionService services,
            Quotas quotas,
            RequestLogs logs)
            throws IOException {
        SecureRandom random = new SecureRandom();
        HostTls.Config tlsConfig = config.cluster().tls();
        HostTls tls = tlsConfig == null
                ? null
                : new HostTls(tlsConfig, wallClock, new CertificateMetrics(registry, "talos_peer_tls"));
        ThriftForwarder forwarder = new ThriftForwarder(
                config.forward(),
                self,
                hosting::registeredIncarnation,
                timer,
                answers,
                clock,
                random,
                tls == null ? null : tls::connecting,
                registry);
        Consumer<List<UsedQuota>> others = used -> hosts.alive().values().stream()
                .filter(host -> !host.name().equals(self.host()))
                .forEach(host -> forwarder.tell(RoutedPartitionService.peer(host), used));
        return new Peers(
                new PeerServer(
                        config.peer(),
                        self,
                        hosting::registeredIncarnation,
                        (host, incarnation) -> {
                            HostInfo registered = hosts.alive().get(host);
                            return registered != null && registered.incarnation() == incarnation;
                        },
                        services,
                        quotas::usedElsewhere,
                        admission,
                        timer,
                        clock,
                        random,
                        tls == null ? null : tls::accepting,
                        logs,
                        registry),
                forwarder,
                new QuotaExchange(quotas, others, timer, answers, clock),
                tls);
    }

    /** What the main port serves. */
    Handler handler() {
        return modes.http(new Handler.Sequence(talos, rest));
    }

    /** What answers requests that do not reach {@link #handler}. */
    Request.Handler errors() {
        return new PacedErrors(new ProblemErrorHandler(), http);
    }

    private <K> KeyedThreadPool<K> pool(KeyedThreadPoolConfig config) {
        KeyedThreadPool<K> pool = new KeyedThreadPool<>(
                config, clock, timer, answers, poolMetrics.listener(config.name(), config.workers()));
        poolMetrics.watch(config.name(), pool, config.workers());
        return pool.start();
    }

    /** Those that are shared first: whenever a key is not in the file, the file is looked at. */
    private static KeyStore allKeys(SharedKeys shared, KeyFile file) {
        return id -> {
            AccessKey key = shared.find(id);
            return key == null ? file.find(id) : key;
        };
    }

    private static ExecutorService keyChanges() {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_KEY_CHANGES), task -> {
            Thread thread = new Thread(task, "key-changes");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Whatever large requests come, a processor is left for the others. */
    private static int largeThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }

    private void gauge(String name, String help, DoubleSupplier value) {
        Gauges.gauge(registry, name, help, value);
    }
}
