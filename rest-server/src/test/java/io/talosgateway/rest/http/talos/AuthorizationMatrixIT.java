package io.talosgateway.rest.http.talos;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.Need;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.topic.Permission;
import io.talosgateway.thrift.AddSubResourceNameRequest;
import io.talosgateway.thrift.ApplyQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaRequest;
import io.talosgateway.thrift.AutoApplyQuotaRequest;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.ChangeTopicAttributeRequest;
import io.talosgateway.thrift.ChangeTopicOwnerInfoRequest;
import io.talosgateway.thrift.CheckPoint;
import io.talosgateway.thrift.CheckRegisterRequest;
import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.ConsumeUnit;
import io.talosgateway.thrift.ConsumerGroupAndTopic;
import io.talosgateway.thrift.CreateTopicGroupRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteConsumerGroupRequest;
import io.talosgateway.thrift.DeleteMessageIndexRequest;
import io.talosgateway.thrift.DeleteTopicAttributeRequest;
import io.talosgateway.thrift.DeleteTopicGroupRequest;
import io.talosgateway.thrift.DeleteTopicQuotaRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DeleteUserQuotaRequest;
import io.talosgateway.thrift.DescribeTopicGroupRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetCheckpointRequest;
import io.talosgateway.thrift.GetDataPreviewRequest;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetPartitionCheckpointRequest;
import io.talosgateway.thrift.GetPartitionOffsetRequest;
import io.talosgateway.thrift.GetPartitionsOffsetRequest;
import io.talosgateway.thrift.GetPartitionsOffsetResponse;
import io.talosgateway.thrift.GetPermissionRequest;
import io.talosgateway.thrift.GetScheduleInfoRequest;
import io.talosgateway.thrift.GetTopicAttributeRequest;
import io.talosgateway.thrift.GetTopicConsumeUnitRequest;
import io.talosgateway.thrift.GetTopicOffsetRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionRequest;
import io.talosgateway.thrift.GetWorkerIdRequest;
import io.talosgateway.thrift.ListPermissionRequest;
import io.talosgateway.thrift.LockPartitionRequest;
import io.talosgateway.thrift.LockWorkerRequest;
import io.talosgateway.thrift.LookupTopicsRequest;
import io.talosgateway.thrift.MatchTopicsRequest;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.OffsetInfo;
import io.talosgateway.thrift.PartitionQuotaInfo;
import io.talosgateway.thrift.PrepareRequest;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.QueryConsumerGroupRequest;
import io.talosgateway.thrift.QueryOffsetRequest;
import io.talosgateway.thrift.QueryOrgOffsetRequest;
import io.talosgateway.thrift.QueryTopicConsumeUnitRequest;
import io.talosgateway.thrift.QueryTopicQuotaRequest;
import io.talosgateway.thrift.QueryWorkerRequest;
import io.talosgateway.thrift.RenewRequest;
import io.talosgateway.thrift.RevokePermissionRequest;
import io.talosgateway.thrift.RevokeQuotaRequest;
import io.talosgateway.thrift.RollbackRequest;
import io.talosgateway.thrift.SetPermissionRequest;
import io.talosgateway.thrift.SetTopicQuotaRequest;
import io.talosgateway.thrift.SetUserQuotaRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicGroup;
import io.talosgateway.thrift.TopicGroupType;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicOwnerInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.TopicsConsumeUnit;
import io.talosgateway.thrift.TopicsLockWorkerRequest;
import io.talosgateway.thrift.TopicsQueryWorkerRequest;
import io.talosgateway.thrift.TopicsRenewRequest;
import io.talosgateway.thrift.UnlockPartitionRequest;
import io.talosgateway.thrift.UpdateOffsetRequest;
import io.talosgateway.thrift.UpdateTopicGroupRequest;
import io.talosgateway.thrift.UserQuota;
import io.talosgateway.thrift.Version;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.thrift.rpc.Grantee;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import org.apache.thrift.TApplicationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Every operation of both interfaces, over HTTP, by every kind of caller, on topics of every kind. */
final class AuthorizationMatrixIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final int PUT = Permission.PUT.bit();
    private static final int GET = Permission.GET.bit();
    private static final int DESCRIBE = Permission.DESCRIBE.bit();
    private static final int EVERYTHING = 31;
    private static final int NOTHING = 0;

    private static final String TEAM = "CLteam";
    private static final String READERS = "CLreaders";

    /**
     * Who calls.
     *
     * <p>{@code granted} is what it may do with a topic of the team; {@code foreign} with a topic of somebody else.
     */
    private enum Caller {
        NO_KEY(NOTHING, NOTHING),
        UNKNOWN_KEY(NOTHING, NOTHING),
        STRANGER(NOTHING, NOTHING),
        REVOKED(NOTHING, NOTHING),
        PUTTER(PUT, NOTHING),
        GETTER(GET, NOTHING),
        DESCRIBER(DESCRIBE, NOTHING),
        READER(GET | DESCRIBE, NOTHING),
        WRITER(PUT | DESCRIBE, NOTHING),
        READER_BY_ORGANIZATION(GET | DESCRIBE, NOTHING),
        OWNER(EVERYTHING, NOTHING),
        TEAM_MATE(EVERYTHING, NOTHING),
        ADMIN(EVERYTHING, EVERYTHING);

        private final int granted;
        private final int foreign;

        Caller(int granted, int foreign) {
            this.granted = granted;
            this.foreign = foreign;
        }

        String principal() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }

        int bits(Kind kind) {
            return switch (kind) {
                case GRANTED -> granted;
                case FOREIGN -> foreign;
                case MISSING -> 0;
            };
        }
    }

    private enum Kind {
        GRANTED,
        FOREIGN,
        MISSING
    }

    private enum Outcome {
        ALLOWED,
        DENIED,
        NOT_FOUND,
        UNAUTHENTICATED,
        NOT_IMPLEMENTED
    }

    /** An outcome, and what the caller was told. */
    private record Answer(Outcome outcome, String told) {}

    private record Topic(String name, String resourceName) {

        TopicTalosResourceName resource() {
            return new TopicTalosResourceName(resourceName);
        }

        /** As its name for the SDKs says. */
        String owner() {
            return resourceName.substring(0, resourceName.indexOf('#'));
        }

        TopicAndPartition partition() {
            return new TopicAndPartition(name, resource(), 0);
        }
    }

    @TempDir
    static Path directory;

    private static final AtomicInteger topics = new AtomicInteger();
    private static final Map<Caller, AccessKey> keys = new HashMap<>();
    private static TestGateway gateway;
    private static AccessKey somebodyElse;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory);
        for (Caller caller : Caller.values()) {
            String organization = switch (caller) {
                case OWNER, TEAM_MATE -> TEAM;
                case READER_BY_ORGANIZATION -> READERS;
                default -> null;
            };
            switch (caller) {
                case NO_KEY -> {
                    // It has none.
                }
                case UNKNOWN_KEY ->
                    keys.put(
                            caller,
                            TestGateway.writeKey(
                                    directory.resolve("others.json"), caller.principal(), organization, true));
                default -> keys.put(caller, gateway.addKey(caller.principal(), organization, caller == Caller.ADMIN));
            }
        }
        somebodyElse = gateway.addKey("somebody-else", null, false);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static TalosTestClient client(Caller caller) {
        return new TalosTestClient(gateway).withKey(keys.get(caller));
    }

    private static HttpRequest.Builder rest(@Nullable AccessKey key, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.endpoint() + path));
        return key == null ? request : request.header("Authorization", TestGateway.basic(key));
    }

    private static String nextName() {
        return "topic-" + topics.incrementAndGet();
    }

    private static Topic create(AccessKey key) throws Exception {
        String name = nextName();
        HttpResponse<String> created = gateway.send(rest(key, "/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"" + name + "\",\"partitions\":1}"))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return new Topic(name, JSON.readTree(created.body()).get("resourceName").asText());
    }

    /** A topic of the team with the grants that the callers' names say. */
    private static Topic createGranted() throws Exception {
        Map<Grantee, io.talosgateway.thrift.Permission> acl = new HashMap<>();
        for (Caller caller : Caller.values()) {
            if (caller.granted != NOTHING && caller.granted != EVERYTHING) {
                acl.put(grantee(caller), io.talosgateway.thrift.Permission.findByValue(caller.granted));
            }
        }
        acl.put(grantee(Caller.REVOKED), io.talosgateway.thrift.Permission.TOPIC_READ_AND_MESSAGE_FULL_CONTROL);
        TalosTestClient owner = client(Caller.OWNER);
        TopicInfo info = owner.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(TEAM + "/" + nextName(), new TopicAttribute().setPartitionNumber(1))
                                .setAclMap(acl))
                .getTopicInfo();
        owner.call(
                ThriftService.TOPIC,
                TopicMethods.REVOKE_PERMISSION,
                new RevokePermissionRequest(info.getTopicTalosResourceName(), grantee(Caller.REVOKED)));
        return new Topic(info.getTopicName(), info.getTopicTalosResourceName().getTopicTalosResourceName());
    }

    private static Grantee grantee(Caller caller) {
        return new Grantee().setIdentifier(caller == Caller.READER_BY_ORGANIZATION ? READERS : caller.principal());
    }

    private static Topic missing() {
        return new Topic("missing", "CLnobody#missing#" + "0".repeat(32));
    }

    private static boolean deletesTheTopic(Operation operation) {
        return operation == Operation.REST_DELETE_TOPIC
                || operation == Operation.TOPIC_DELETE_TOPIC
                || operation == Operation.TOPIC_DELETE_TOPIC_GROUP;
    }

    /** Whether it is about a group, which has the name and the owner of a topic then. */
    private static boolean isAboutAGroup(Operation operation) {
        return switch (operation) {
            case TOPIC_DESCRIBE_TOPIC_GROUP, TOPIC_UPDATE_TOPIC_GROUP, TOPIC_DELETE_TOPIC_GROUP, TOPIC_LOOKUP_TOPICS ->
                true;
            default -> false;
        };
    }

    private static TopicGroup group(String name) {
        return new TopicGroup(name, "", TopicGroupType.TOPIC_PATTERN).setTopicPattern(".*");
    }

    private static void createGroup(TalosTestClient owner, Topic topic) throws Exception {
        owner.call(
                ThriftService.TOPIC, TopicMethods.CREATE_TOPIC_GROUP, new CreateTopicGroupRequest(group(topic.name)));
    }

    /** What was found out about one operation. */
    private record Row(Operation operation, int cells, Map<Outcome, Integer> outcomes, List<String> wrong) {}

    @Test
    void whoMayDoWhat() throws Exception {
        ExecutorService several = Executors.newFixedThreadPool(8);
        try {
            List<Future<Row>> rows = new ArrayList<>();
            for (Operation operation : Operation.values()) {
                rows.add(several.submit(() -> row(operation)));
            }
            int cells = 0;
            Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
            List<String> wrong = new ArrayList<>();
            for (Future<Row> future : rows) {
                Row row = future.get();
                cells += row.cells;
                row.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Integer::sum));
                wrong.addAll(row.wrong);
            }
            System.out.println("Cells of the authorization matrix: " + cells + ", outcomes: " + outcomes);
            assertThat(wrong).isEmpty();
            assertThat(cells).isEqualTo(Operation.values().length * Caller.values().length * Kind.values().length);
        } finally {
            several.shutdownNow();
        }
    }

    private static Row row(Operation operation) throws Exception {
        Topic granted = null;
        Topic foreign = null;
        Row row = new Row(operation, 0, new EnumMap<>(Outcome.class), new ArrayList<>());
        int cells = 0;
        for (Caller caller : Caller.values()) {
            if (granted == null || deletesTheTopic(operation)) {
                granted = createGranted();
                foreign = create(somebodyElse);
                putOne(granted);
                putOne(foreign);
                if (isAboutAGroup(operation)) {
                    createGroup(client(Caller.OWNER), granted);
                    createGroup(new TalosTestClient(gateway).withKey(somebodyElse), foreign);
                }
            }
            Map<Kind, Answer> answers = new EnumMap<>(Kind.class);
            for (Kind kind : Kind.values()) {
                Topic topic = switch (kind) {
                    case GRANTED -> granted;
                    case FOREIGN -> foreign;
                    case MISSING -> missing();
                };
                Answer answer = ask(operation, caller, topic);
                answers.put(kind, answer);
                cells++;
                row.outcomes.merge(answer.outcome, 1, Integer::sum);
                Outcome expected = expected(operation, caller, kind);
                if (answer.outcome != expected) {
                    row.wrong.add("%s by %s on %s: %s, not %s: %s"
                            .formatted(operation, caller, kind, answer.outcome, expected, answer.told));
                }
            }
            Answer ofForeign = answers.get(Kind.FOREIGN);
            if (ofForeign.outcome == Outcome.NOT_FOUND && !ofForeign.equals(answers.get(Kind.MISSING))) {
                row.wrong.add(
                        "%s by %s tells a foreign topic from a missing one: %s".formatted(operation, caller, answers));
            }
        }
        return new Row(operation, cells, row.outcomes, row.wrong);
    }

    /** What the table of operations says. */
    private static Outcome expected(Operation operation, Caller caller, Kind kind) {
        boolean isRest = operation.api() == Operation.Api.REST;
        if (caller == Caller.UNKNOWN_KEY && (!isRest || operation.need() != Need.NOTHING)) {
            return Outcome.UNAUTHENTICATED;
        }
        if (operation.reserved()) {
            return Outcome.NOT_IMPLEMENTED;
        }
        if (operation.need() == Need.NOTHING) {
            return Outcome.ALLOWED;
        }
        if (caller == Caller.NO_KEY) {
            return Outcome.UNAUTHENTICATED;
        }
        if (operation.need() == Need.ADMIN) {
            return caller == Caller.ADMIN ? Outcome.ALLOWED : Outcome.DENIED;
        }
        if (isAboutAGroup(operation) && kind == Kind.MISSING) {
            return Outcome.NOT_FOUND;
        }
        if (operation.need() == Need.OWNER) {
            return caller == Caller.ADMIN || caller.bits(kind) == EVERYTHING ? Outcome.ALLOWED : Outcome.DENIED;
        }
        Permission needed = operation.need().permission();
        if (needed == null) {
            return Outcome.ALLOWED;
        }
        int bits = caller.bits(kind);
        if (kind == Kind.MISSING || bits == NOTHING) {
            return Outcome.NOT_FOUND;
        }
        return needed.isIn(bits) ? Outcome.ALLOWED : Outcome.DENIED;
    }

    private static Answer ask(Operation operation, Caller caller, Topic topic) throws Exception {
        Answer answer = operation.api() == Operation.Api.REST
                ? askRest(operation, keys.get(caller), topic)
                : askTalos(operation, client(caller), topic);
        // So that answers about different topics can be compared.
        String told = answer.told
                .replace(topic.resourceName, "RESOURCE")
                .replace(topic.name, "NAME")
                .replaceFirst("\"requestId\":\"[0-9a-f]{16}\"", "\"requestId\":\"ID\"");
        return new Answer(answer.outcome, told);
    }

    // --- REST ---

    private static Answer askRest(Operation operation, @Nullable AccessKey key, Topic topic) throws Exception {
        HttpResponse<String> response = gateway.send(restRequest(operation, key, topic));
        String body = response.body();
        if (response.statusCode() / 100 == 2) {
            return new Answer(Outcome.ALLOWED, "");
        }
        JsonNode problem = JSON.readTree(body);
        Outcome outcome = switch (response.statusCode() + " "
                + problem.get("code").asText()) {
            case "401 unauthenticated" -> Outcome.UNAUTHENTICATED;
            case "403 permission-denied" -> Outcome.DENIED;
            case "404 topic-not-found" -> Outcome.NOT_FOUND;
            // It was looked for, and tried.
            case "404 consumer-group-not-found", "409 partition-not-assigned", "400 invalid-offset" -> Outcome.ALLOWED;
            default -> throw new AssertionError(operation + ": " + response.statusCode() + " " + body);
        };
        return new Answer(outcome, body);
    }

    private static HttpRequest restRequest(Operation operation, @Nullable AccessKey key, Topic topic) throws Exception {
        String path = "/v1/topics/" + topic.name;
        String messages = path + "/partitions/0/messages";
        String message = "{\"messages\":[{\"value\":\"x\"}]}";
        return switch (operation) {
            case REST_GET_INDEX -> rest(key, "/").build();
            case REST_GET_OPEN_API -> rest(key, "/openapi.yaml").build();
            case REST_LIST_TOPICS -> rest(key, "/v1/topics").build();
            case REST_CREATE_TOPIC ->
                json(key, "/v1/topics", "POST", "{\"name\":\"" + nextName() + "\",\"partitions\":1}");
            case REST_DESCRIBE_TOPIC -> rest(key, path).build();
            case REST_CHANGE_TOPIC -> json(key, path, "PATCH", "{\"attributes\":{\"a\":\"b\"}}");
            case REST_DELETE_TOPIC -> rest(key, path).DELETE().build();
            case REST_LIST_PARTITIONS -> rest(key, path + "/partitions").build();
            case REST_DESCRIBE_PARTITION -> rest(key, path + "/partitions/0").build();
            case REST_PUT_TO_TOPIC -> json(key, path + "/messages", "POST", message);
            case REST_PUT_TO_PARTITION -> json(key, messages, "POST", message);
            case REST_SET_FENCING_TOKEN -> json(key, path + "/partitions/0/fencing-token", "PUT", "{\"token\":\"a\"}");
            case REST_GET_MESSAGES -> rest(key, messages + "?offset=earliest").build();
            case REST_LIST_PERMISSIONS -> rest(key, path + "/permissions").build();
            case REST_SET_PERMISSIONS -> json(key, path + "/permissions/nobody", "PUT", "{\"permissions\":[\"get\"]}");
            case REST_REVOKE_PERMISSIONS ->
                rest(key, path + "/permissions/nobody").DELETE().build();
            case REST_GET_QUOTA -> rest(key, path + "/quota").build();
            case REST_SET_QUOTA -> json(key, path + "/quota", "PUT", "{\"spaceBytes\":1000000000}");
            case REST_DELETE_QUOTA -> rest(key, path + "/quota").DELETE().build();
            case REST_LIST_GROUPS -> rest(key, path + "/groups").build();
            case REST_DESCRIBE_GROUP -> rest(key, path + "/groups/never-used").build();
            case REST_DELETE_GROUP ->
                rest(key, path + "/groups/never-used").DELETE().build();
            case REST_RESET_GROUP -> json(key, path + "/groups/never-used/reset", "POST", "{\"to\":\"latest\"}");
            case REST_JOIN_GROUP -> json(key, path + "/groups/group/members", "POST", "");
            case REST_KEEP_MEMBER -> json(key, path + "/groups/group/members/m/heartbeat", "POST", "");
            case REST_POLL -> json(key, path + "/groups/group/members/m/poll", "POST", "");
            case REST_COMMIT ->
                json(key, path + "/groups/group/members/m/commit", "POST", "{\"partition\":0,\"nextOffset\":1}");
            case REST_LEAVE_GROUP ->
                rest(key, path + "/groups/group/members/m").DELETE().build();
            case REST_LIST_OWNER_QUOTAS -> rest(key, "/v1/quotas").build();
            case REST_GET_OWNER_QUOTA ->
                rest(key, "/v1/quotas/" + topic.owner()).build();
            case REST_SET_OWNER_QUOTA -> json(key, "/v1/quotas/nobody", "PUT", "{\"topics\":3}");
            case REST_DELETE_OWNER_QUOTA ->
                rest(key, "/v1/quotas/nobody").DELETE().build();
            case REST_DESCRIBE_CLUSTER -> rest(key, "/v1/cluster").build();
            case REST_DESCRIBE_HOST -> rest(key, "/v1/host").build();
            case REST_LIST_KEYS -> rest(key, "/v1/keys").build();
            case REST_CREATE_KEY -> json(key, "/v1/keys", "POST", "{\"owner\":\"nobody\"}");
            case REST_DESCRIBE_KEY -> rest(key, createKey()).build();
            case REST_CHANGE_KEY -> json(key, createKey(), "PATCH", "{\"disabled\":true}");
            case REST_DELETE_KEY -> rest(key, createKey()).DELETE().build();
            case REST_ROTATE_KEY -> json(key, createKey() + "/rotate", "POST", "{}");
            default -> throw new AssertionError("no request for " + operation);
        };
    }

    /** Path of a key of nobody's. */
    private static String createKey() throws Exception {
        HttpResponse<String> created =
                gateway.send(json(keys.get(Caller.ADMIN), "/v1/keys", "POST", "{\"owner\":\"nobody\"}"));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return "/v1/keys/" + JSON.readTree(created.body()).get("id").asText();
    }

    private static HttpRequest json(@Nullable AccessKey key, String path, String method, String body) {
        return rest(key, path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
    }

    // --- Talos ---

    private static void putOne(Topic topic) throws Exception {
        assertThat(askTalos(Operation.MESSAGE_PUT_MESSAGE, client(Caller.ADMIN), topic).outcome)
                .isEqualTo(Outcome.ALLOWED);
    }

    @SuppressWarnings("unchecked")
    private static Answer askTalos(Operation operation, TalosTestClient client, Topic topic) throws Exception {
        ThriftService service = ThriftService.TOPIC;
        for (ThriftService candidate : ThriftService.values()) {
            if (candidate.idlName().equals(operation.api().title())) {
                service = candidate;
            }
        }
        ThriftMethod<Object, Object> method = (ThriftMethod<Object, Object>) service.method(operation.operationName());
        HttpResponse<byte[]> response = client.post(
                service,
                method.name(),
                client.encode(method, operation.reserved() ? null : argument(operation, topic)));
        if (response.statusCode() == 401) {
            return new Answer(Outcome.UNAUTHENTICATED, "");
        }
        try {
            Object result = client.decode(method, response);
            if (result instanceof GetPartitionsOffsetResponse offsets) {
                OffsetInfo info = offsets.getOffsetInfoList().get(0);
                return info.isSetErrorCode()
                        ? new Answer(outcome(operation, info.getErrorCode(), info.getErrorMsg()), info.toString())
                        : new Answer(Outcome.ALLOWED, "");
            }
            return new Answer(Outcome.ALLOWED, "");
        } catch (GalaxyTalosException e) {
            return new Answer(outcome(operation, e.getErrorCode(), e.getDetails()), e.toString());
        } catch (TApplicationException e) {
            assertThat(e.getType()).as(e.getMessage()).isEqualTo(TApplicationException.UNKNOWN_METHOD);
            return new Answer(Outcome.NOT_IMPLEMENTED, "");
        }
    }

    private static Outcome outcome(Operation operation, ErrorCode code, String details) {
        return switch (code) {
            case TOPIC_NOT_EXIST -> Outcome.NOT_FOUND;
            // It was looked for.
            case QUOTA_NOT_EXIST, TRANSACTION_NOT_EXIST -> Outcome.ALLOWED;
            case PERMISSION_DENIED_ERROR ->
                details.startsWith("A request without a key") ? Outcome.UNAUTHENTICATED : Outcome.DENIED;
            default -> throw new AssertionError(operation + ": " + code + " " + details);
        };
    }

    private static @Nullable Object argument(Operation operation, Topic topic) {
        Grantee nobody = new Grantee().setIdentifier("nobody");
        return switch (operation) {
            case BASE_GET_SERVICE_VERSION,
                    TOPIC_LIST_TOPICS,
                    TOPIC_LIST_TOPICS_INFO,
                    TOPIC_GET_BIND_TOPICS,
                    TOPIC_LIST_TOPIC_GROUP,
                    QUOTA_LIST_USER_QUOTA,
                    QUOTA_QUERY_USER_QUOTA,
                    QUOTA_LIST_QUOTA,
                    QUOTA_LIST_PENDING_QUOTA,
                    METRIC_LIST_TOPICS -> null;
            case BASE_VALID_CLIENT_VERSION -> new Version(2, 5, 0, "20261120");
            case TOPIC_CREATE_TOPIC -> new CreateTopicRequest(nextName(), new TopicAttribute().setPartitionNumber(1));
            case TOPIC_DELETE_TOPIC -> new DeleteTopicRequest(topic.resource());
            case TOPIC_CHANGE_TOPIC_ATTRIBUTE ->
                new ChangeTopicAttributeRequest(topic.resource(), new TopicAttribute().setAttributes(Map.of("a", "b")));
            case TOPIC_DELETE_TOPIC_ATTRIBUTE -> new DeleteTopicAttributeRequest(topic.resource(), "a");
            case TOPIC_DESCRIBE_TOPIC -> new DescribeTopicRequest(topic.name);
            case TOPIC_GET_DESCRIBE_INFO -> new GetDescribeInfoRequest(topic.name);
            case TOPIC_GET_TOPIC_ATTRIBUTE -> new GetTopicAttributeRequest(topic.name);
            case TOPIC_SET_PERMISSION ->
                new SetPermissionRequest(
                        topic.resource(), nobody, io.talosgateway.thrift.Permission.GET_MESSAGE_AND_DESCRIBE_TOPIC);
            case TOPIC_REVOKE_PERMISSION -> new RevokePermissionRequest(topic.resource(), nobody);
            case TOPIC_LIST_PERMISSION -> new ListPermissionRequest(topic.resource());
            case TOPIC_GET_PERMISSION -> new GetPermissionRequest(topic.resource(), nobody);
            case TOPIC_SET_TOPIC_QUOTA -> new SetTopicQuotaRequest(topic.resource(), new BaseQuota(1 << 20));
            case TOPIC_QUERY_TOPIC_QUOTA -> new QueryTopicQuotaRequest(topic.resource());
            case TOPIC_DELETE_TOPIC_QUOTA -> new DeleteTopicQuotaRequest(topic.resource());
            case TOPIC_CHANGE_TOPIC_OWNER_INFO ->
                new ChangeTopicOwnerInfoRequest(topic.resource(), new TopicOwnerInfo().setOwnerName("a"));
            case TOPIC_ADD_SUB_RESOURCE_NAME -> new AddSubResourceNameRequest(topic.resource(), "CLa", "CIa");
            case TOPIC_CREATE_TOPIC_GROUP -> new CreateTopicGroupRequest(group(nextName()));
            case TOPIC_DESCRIBE_TOPIC_GROUP -> new DescribeTopicGroupRequest(topic.name);
            case TOPIC_UPDATE_TOPIC_GROUP -> new UpdateTopicGroupRequest(group(topic.name));
            case TOPIC_DELETE_TOPIC_GROUP -> new DeleteTopicGroupRequest(topic.name);
            case TOPIC_LOOKUP_TOPICS -> new LookupTopicsRequest(topic.name);
            case TOPIC_MATCH_TOPICS -> new MatchTopicsRequest(".*", "");
            case MESSAGE_PUT_MESSAGE -> put(topic);
            case MESSAGE_GET_MESSAGE -> new GetMessageRequest(topic.partition(), -1, "get#1");
            case MESSAGE_GET_TOPIC_OFFSET -> new GetTopicOffsetRequest(topic.resource());
            case MESSAGE_GET_PARTITION_OFFSET -> new GetPartitionOffsetRequest(topic.partition());
            case MESSAGE_GET_PARTITIONS_OFFSET -> new GetPartitionsOffsetRequest(List.of(topic.partition()));
            case MESSAGE_GET_SCHEDULE_INFO -> new GetScheduleInfoRequest(topic.resource());
            case MESSAGE_GET_TOPIC_CHECKPOINT ->
                new GetCheckpointRequest(topic.resource(), new HashMap<>(Map.of(0, 0L)));
            case MESSAGE_GET_PARTITION_CHECKPOINT -> new GetPartitionCheckpointRequest(topic.partition(), 0);
            case MESSAGE_PREPARE -> {
                PutMessageRequest put = put(topic);
                yield new PrepareRequest(
                        topic.partition(), put.getMessageBlocks().get(0), 1, put.getSequenceId());
            }
            // There is none; whoever may put is told so.
            case MESSAGE_COMMIT -> new CommitRequest(topic.partition(), 0, "commit#1");
            case MESSAGE_ROLLBACK -> new RollbackRequest(topic.partition(), 0, "rollback#1");
            case MESSAGE_GET_UNKOWN_STATE_TRANSACTION -> new GetUnkownStateTransactionRequest(topic.partition());
            case MESSAGE_DELETE_MESSAGE_INDEX -> new DeleteMessageIndexRequest(topic.partition(), 0, 0);
            case QUOTA_SET_USER_QUOTA ->
                new SetUserQuotaRequest("nobody", new UserQuota(new BaseQuota(Long.MAX_VALUE)));
            case QUOTA_DELETE_USER_QUOTA -> new DeleteUserQuotaRequest("nobody");
            case QUOTA_APPLY_QUOTA -> new ApplyQuotaRequest(new PartitionQuotaInfo(topic.owner(), 9_000));
            case QUOTA_AUTO_APPLY_QUOTA -> new AutoApplyQuotaRequest(new PartitionQuotaInfo(topic.owner(), 1));
            case QUOTA_APPROVE_QUOTA -> new ApproveQuotaRequest(new PartitionQuotaInfo("nobody", 1));
            case QUOTA_REVOKE_QUOTA -> new RevokeQuotaRequest(new PartitionQuotaInfo("nobody", 1));
            default -> groupArgument(operation, topic);
        };
    }

    private static Object groupArgument(Operation operation, Topic topic) {
        ConsumeUnit unit = new ConsumeUnit("group", topic.resource(), List.of(0), "worker");
        return switch (operation) {
            case CONSUMER_LOCK_PARTITION -> new LockPartitionRequest(unit);
            case CONSUMER_LOCK_WORKER -> new LockWorkerRequest(unit);
            case CONSUMER_LOCK_WORKER_FOR_TOPICS ->
                new TopicsLockWorkerRequest("group", List.of(topic.resource()), "worker", "");
            case CONSUMER_CHECK_REGISTER -> new CheckRegisterRequest(unit);
            case CONSUMER_UNLOCK_PARTITION -> new UnlockPartitionRequest(unit);
            case CONSUMER_RENEW -> new RenewRequest(unit);
            case CONSUMER_RENEW_FOR_TOPICS ->
                new TopicsRenewRequest(
                        new TopicsConsumeUnit("group", Map.of(topic.resourceName, List.of(0)), "worker", ""));
            case CONSUMER_UPDATE_OFFSET ->
                new UpdateOffsetRequest(new CheckPoint("group", topic.partition(), 0, "worker"));
            case CONSUMER_QUERY_OFFSET -> new QueryOffsetRequest("group", topic.partition());
            case CONSUMER_QUERY_WORKER -> new QueryWorkerRequest("group", topic.resource());
            case CONSUMER_QUERY_WORKER_FOR_TOPICS ->
                new TopicsQueryWorkerRequest("group", List.of(topic.resource()), "");
            case CONSUMER_QUERY_ORG_OFFSET -> new QueryOrgOffsetRequest("group", TEAM);
            case CONSUMER_GET_WORKER_ID -> new GetWorkerIdRequest(topic.partition(), "group");
            case CONSUMER_DELETE_CONSUMER_GROUP -> new DeleteConsumerGroupRequest("never-used", topic.resource());
            case METRIC_GET_DATA_PREVIEW -> new GetDataPreviewRequest(topic.partition());
            case METRIC_QUERY_CONSUMER_GROUP -> new QueryConsumerGroupRequest(topic.resource());
            case METRIC_GET_TOPIC_CONSUME_UNIT ->
                new GetTopicConsumeUnitRequest(new ConsumerGroupAndTopic("group", topic.resource()));
            case METRIC_QUERY_TOPIC_CONSUME_UNIT -> new QueryTopicConsumeUnitRequest(topic.resource());
            default -> throw new AssertionError("no argument for " + operation);
        };
    }

    private static PutMessageRequest put(Topic topic) {
        MessageBlock block = MessageEncoder.encode(
                List.of(new Message(null, null, ByteSlice.utf8("x"), 1L, null, Message.BINARY, null, null)),
                MessageVersion.V2,
                Compression.NONE);
        return new PutMessageRequest(
                topic.partition(),
                List.of(new io.talosgateway.thrift.MessageBlock(
                        0,
                        block.messageNumber(),
                        MessageCompressionType.findByValue(block.compression()),
                        block.data().toByteBuffer())),
                block.messageNumber(),
                "SimpleProducer1#1");
    }

    // --- what the matrix does not show ---

    private static Set<String> listed(@Nullable AccessKey key) throws Exception {
        Set<String> names = new HashSet<>();
        JSON.readTree(gateway.send(rest(key, "/v1/topics").build()).body())
                .get("topics")
                .forEach(topic -> names.add(topic.get("name").asText()));
        Set<String> ofTalos = new HashSet<>();
        new TalosTestClient(gateway)
                .withKey(key)
                .call(ThriftService.TOPIC, TopicMethods.LIST_TOPICS, null)
                .getTopicInfos()
                .forEach(topic -> ofTalos.add(topic.getTopicName()));
        assertThat(ofTalos).isEqualTo(names);
        return names;
    }

    @Test
    void listsShowWhatTheCallerMayDescribe() throws Exception {
        String granted = createGranted().name;
        String foreign = create(somebodyElse).name;
        for (Caller caller : Caller.values()) {
            if (caller == Caller.NO_KEY || caller == Caller.UNKNOWN_KEY) {
                continue;
            }
            Set<String> names = listed(keys.get(caller));
            assertThat(names.contains(granted)).as("%s", caller).isEqualTo(Permission.DESCRIBE.isIn(caller.granted));
            assertThat(names.contains(foreign)).as("%s", caller).isEqualTo(Permission.DESCRIBE.isIn(caller.foreign));
        }
    }
}
