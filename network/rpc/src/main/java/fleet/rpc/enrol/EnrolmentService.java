package fleet.rpc.enrol;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.audit.AuditLog;
import fleet.core.audit.AuditThrottle;
import fleet.core.machine.Role;
import fleet.core.text.SingleLine;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.AuthorityList;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.rpc.v1.RenewRequest;
import fleet.rpc.v1.TrustReport;
import fleet.trust.Authorities;
import fleet.trust.Enrolment;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.IssuedCertificate;
import fleet.trust.Peer;
import fleet.trust.TrustException;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes machines into the cluster, and renews their certificates. Both are audited, refusals
 * included, and logged nowhere else: strangers can repeat requests without limit, and the audit log
 * bounds what they write. One virtual thread a call.
 */
public final class EnrolmentService implements BindableService {

  private static final String NAME = "fleet.rpc.v1.Enrolment";

  private static final Logger LOG = LoggerFactory.getLogger(EnrolmentService.class);

  /** The last second that has a name. */
  private static final long LATEST = Instant.MAX.getEpochSecond();

  private static final Context.Key<String> ADDRESS = Context.key("fleet-address");

  private final Enrolment enrolment;
  private final AuditLog audit;

  public EnrolmentService(Enrolment enrolment, AuditLog audit) {
    this.enrolment = enrolment;
    this.audit = audit;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(NAME)
            .addMethod(EnrolmentMethods.ENROL, ServerCalls.asyncUnaryCall(this::enrol))
            .addMethod(EnrolmentMethods.RENEW, ServerCalls.asyncUnaryCall(this::renew))
            .addMethod(EnrolmentMethods.REPORT_TRUST, ServerCalls.asyncUnaryCall(this::reportTrust))
            .build(),
        new Addressed());
  }

  /** Lets calls know where they come from: of a stranger nothing else is known. */
  private static final class Addressed implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      return Contexts.interceptCall(
          Context.current().withValue(ADDRESS, RpcPeer.addressOf(call)), call, headers, next);
    }
  }

  private void enrol(EnrolRequest asked, StreamObserver<Certificates> answer) {
    AuditEntry entry =
        asked(String.valueOf(ADDRESS.get()), "", AuditThrottle.JOIN, asked.getMachine())
            .because("token " + asked.getToken());
    answered(
        entry,
        answer,
        () ->
            certified(
                entry,
                enrolment.enrol(
                    asked.getToken(),
                    asked.getSecret(),
                    asked.getMachine(),
                    asked.getRequest().toByteArray())));
  }

  private void renew(RenewRequest asked, StreamObserver<Certificates> answer) {
    Optional<RpcPeer> shown = shown(answer);
    if (shown.isEmpty()) {
      return;
    }
    Peer caller = peer(shown.get());
    String machine = caller.machine();
    AuditEntry entry = asked("machine " + machine, machine, AuditThrottle.RENEW, machine);
    answered(
        entry,
        answer,
        () ->
            certified(
                entry,
                enrolment.renew(caller, shown.get().key(), asked.getRequest().toByteArray())));
  }

  private static Optional<RpcPeer> shown(StreamObserver<?> answer) {
    Optional<RpcPeer> shown = RpcPeer.current();
    if (shown.isEmpty()) {
      answer.onError(
          Status.UNAUTHENTICATED
              .withDescription("only a machine that shows its certificate can have it renewed")
              .asRuntimeException());
    }
    return shown;
  }

  private static Peer peer(RpcPeer shown) {
    return new Peer(shown.machine(), shown.server() ? Role.SERVER : Role.AGENT);
  }

  /** Commands nothing, and so the audit log has only what is refused. */
  private void reportTrust(TrustReport asked, StreamObserver<AuthorityList> answer) {
    Optional<RpcPeer> shown = shown(answer);
    if (shown.isEmpty()) {
      return;
    }
    Peer caller = peer(shown.get());
    String machine = caller.machine();
    answered(
        asked("machine " + machine, machine, AuditThrottle.CALL + "ReportTrust", machine),
        answer,
        () ->
            list(
                enrolment.reported(
                    caller,
                    shown.get().key(),
                    asked.getAuthority(),
                    asked.getTrustsList(),
                    Instant.ofEpochSecond(Math.clamp(asked.getEnds(), 0, LATEST)))));
  }

  private static AuthorityList list(Authorities authorities) {
    var list =
        AuthorityList.newBuilder().setSigning(bytes(IssuedCertificate.der(authorities.signing())));
    authorities.others().forEach(other -> list.addOthers(bytes(IssuedCertificate.der(other))));
    authorities
        .crossSigned()
        .ifPresent(one -> list.setCrossSigned(bytes(IssuedCertificate.der(one))));
    return list.addAllRemovedServers(authorities.removedServers()).build();
  }

  private interface Call<A> {
    A carryOut() throws TrustException;
  }

  /** An entry as it is if all goes well. */
  private static AuditEntry asked(String subject, String machine, String action, String target) {
    String id = UUID.randomUUID().toString();
    return new AuditEntry(id, subject, machine, action, target, "", "", Result.DONE, "", 0);
  }

  private Certificates certified(AuditEntry entry, IssuedCertificate certified) {
    audit.record(entry);
    AuthorityList authorities = list(certified.authorities());
    return Certificates.newBuilder()
        .setCertificate(bytes(certified.certificateDer()))
        .setAuthority(authorities.getSigning())
        .addAllOthers(authorities.getOthersList())
        .setCrossSigned(authorities.getCrossSigned())
        .addAllRemovedServers(authorities.getRemovedServersList())
        .build();
  }

  private <A> void answered(AuditEntry entry, StreamObserver<A> answer, Call<A> call) {
    Thread.ofVirtual().name("enrolment").start(() -> answer(entry, answer, call));
  }

  private <A> void answer(AuditEntry entry, StreamObserver<A> answer, Call<A> call) {
    try {
      answer.onNext(call.carryOut());
      answer.onCompleted();
    } catch (TrustException e) {
      // A fault here that is no refusal may pass, so the machine retries.
      Status status =
          e instanceof EnrolmentRefusedException
              ? Status.PERMISSION_DENIED
              : Status.FAILED_PRECONDITION;
      refuse(entry, Result.REFUSED, answer, status, e);
    } catch (RuntimeException e) {
      LOG.debug("{} could not be answered", SingleLine.of(entry.target()), e);
      refuse(entry, Result.FAILED, answer, Status.UNAVAILABLE, e);
    }
  }

  private void refuse(
      AuditEntry entry, Result result, StreamObserver<?> answer, Status status, Exception why) {
    String reason = entry.reason().isEmpty() ? "" : entry.reason() + ": ";
    audit.record(entry.ending(result, reason + why.getMessage()));
    answer.onError(status.withDescription(why.getMessage()).asRuntimeException());
  }

  private static ByteString bytes(byte[] der) {
    return UnsafeByteOperations.unsafeWrap(der);
  }
}
