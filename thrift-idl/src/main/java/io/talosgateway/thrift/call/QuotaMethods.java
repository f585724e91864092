package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.ApplyQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaResponse;
import io.talosgateway.thrift.AutoApplyQuotaRequest;
import io.talosgateway.thrift.DeleteUserQuotaRequest;
import io.talosgateway.thrift.ListPendingQuotaResponse;
import io.talosgateway.thrift.ListQuotaResponse;
import io.talosgateway.thrift.ListUserQuotaResponse;
import io.talosgateway.thrift.QueryUserQuotaResponse;
import io.talosgateway.thrift.RevokeQuotaRequest;
import io.talosgateway.thrift.RevokeQuotaResponse;
import io.talosgateway.thrift.SetUserQuotaRequest;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.methodWithoutArgument;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code QuotaService}; the {@code .thrift} file documents them. */
public final class QuotaMethods {

    public static final ThriftMethod<SetUserQuotaRequest, Void> SET_USER_QUOTA =
            voidMethod("setUserQuota", SetUserQuotaRequest::new);
    public static final ThriftMethod<Void, ListUserQuotaResponse> LIST_USER_QUOTA =
            methodWithoutArgument("listUserQuota", ListUserQuotaResponse::new);
    public static final ThriftMethod<Void, QueryUserQuotaResponse> QUERY_USER_QUOTA =
            methodWithoutArgument("queryUserQuota", QueryUserQuotaResponse::new);
    public static final ThriftMethod<DeleteUserQuotaRequest, Void> DELETE_USER_QUOTA =
            voidMethod("deleteUserQuota", DeleteUserQuotaRequest::new);
    public static final ThriftMethod<ApplyQuotaRequest, Void> APPLY_QUOTA =
            voidMethod("applyQuota", ApplyQuotaRequest::new);
    public static final ThriftMethod<AutoApplyQuotaRequest, Void> AUTO_APPLY_QUOTA =
            voidMethod("autoApplyQuota", AutoApplyQuotaRequest::new);
    public static final ThriftMethod<Void, ListQuotaResponse> LIST_QUOTA =
            methodWithoutArgument("listQuota", ListQuotaResponse::new);
    public static final ThriftMethod<Void, ListPendingQuotaResponse> LIST_PENDING_QUOTA =
            methodWithoutArgument("listPendingQuota", ListPendingQuotaResponse::new);
    public static final ThriftMethod<ApproveQuotaRequest, ApproveQuotaResponse> APPROVE_QUOTA =
            method("approveQuota", ApproveQuotaRequest::new, ApproveQuotaResponse::new);
    public static final ThriftMethod<RevokeQuotaRequest, RevokeQuotaResponse> REVOKE_QUOTA =
            method("revokeQuota", RevokeQuotaRequest::new, RevokeQuotaResponse::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            SET_USER_QUOTA,
            LIST_USER_QUOTA,
            QUERY_USER_QUOTA,
            DELETE_USER_QUOTA,
            APPLY_QUOTA,
            AUTO_APPLY_QUOTA,
            LIST_QUOTA,
            LIST_PENDING_QUOTA,
            APPROVE_QUOTA,
            REVOKE_QUOTA);

    private QuotaMethods() {}
}
