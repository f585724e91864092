package io.talosgateway.rest.hostprotocol;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.thrift.HostUsedQuota;
import io.talosgateway.thrift.TellUsedQuotasRequest;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** What hosts tell each other of quotas. Stateless. */
public final class QuotaCodec {

    private QuotaCodec() {}

    public static void write(TProtocol out, List<UsedQuota> all) throws TException {
        List<HostUsedQuota> list = new ArrayList<>(all.size());
        for (UsedQuota used : all) {
            list.add(new HostUsedQuota(
                    used.topic().mostSignificant(),
                    used.topic().leastSignificant(),
                    used.putRequests(),
                    used.putBytes(),
                    used.getRequests(),
                    used.getBytes()));
        }
        new TellUsedQuotasRequest(list).write(out);
    }

    /** @throws TException if an amount is negative */
    public static List<UsedQuota> read(TProtocol in) throws TException {
        TellUsedQuotasRequest request = new TellUsedQuotasRequest();
        request.read(in);
        List<UsedQuota> all = new ArrayList<>(request.getQuotas().size());
        for (HostUsedQuota used : request.getQuotas()) {
            if (used.getPutRequests() < 0
                    || used.getPutBytes() < 0
                    || used.getGetRequests() < 0
                    || used.getGetBytes() < 0) {
                throw new TException("less than nothing was used of a quota");
            }
            all.add(new UsedQuota(
                    new TopicId(used.getTopicMostSignificant(), used.getTopicLeastSignificant()),
                    used.getPutRequests(),
                    used.getPutBytes(),
                    used.getGetRequests(),
                    used.getGetBytes()));
        }
        return all;
    }
}
