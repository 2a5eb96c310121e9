package fleet.rpc.enrol;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import fleet.core.machine.Role;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.rpc.v1.RenewRequest;
import fleet.trust.Certified;
import fleet.trust.Enrolment;
import fleet.trust.Peer;
import fleet.trust.RefusedException;
import fleet.trust.TrustException;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes machines into the cluster, and renews their certificates. One virtual thread a call. */
public final class EnrolmentService implements BindableService {

  private static final String NAME = "fleet.rpc.v1.Enrolment";

  private static final Logger LOG = LoggerFactory.getLogger(EnrolmentService.class);

  private final Enrolment enrolment;

  public EnrolmentService(Enrolment enrolment) {
    this.enrolment = enrolment;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(EnrolmentMethods.ENROL, ServerCalls.asyncUnaryCall(this::enrol))
        .addMethod(EnrolmentMethods.RENEW, ServerCalls.asyncUnaryCall(this::renew))
        .build();
  }

  private void enrol(EnrolRequest asked, StreamObserver<Certificates> answer) {
    answered(
        "machine " + asked.getMachine(),
        answer,
        () ->
            enrolment.enrol(
                asked.getToken(),
                asked.getSecret(),
                asked.getMachine(),
                asked.getRequest().toByteArray()));
  }

  private void renew(RenewRequest asked, StreamObserver<Certificates> answer) {
    Optional<Peer> caller =
        RpcPeer.current()
            .map(peer -> new Peer(peer.machine(), peer.server() ? Role.SERVER : Role.AGENT));
    if (caller.isEmpty()) {
      answer.onError(
          Status.UNAUTHENTICATED
              .withDescription("only a machine that shows its certificate can have it renewed")
              .asRuntimeException());
      return;
    }
    answered(
        caller.get().toString(),
        answer,
        () -> enrolment.renew(caller.get(), asked.getRequest().toByteArray()));
  }

  private interface Call {
    Certified carryOut() throws TrustException;
  }

  private static void answered(String caller, StreamObserver<Certificates> answer, Call call) {
    Thread.ofVirtual().name("enrolment").start(() -> answer(caller, answer, call));
  }

  private static void answer(String caller, StreamObserver<Certificates> answer, Call call) {
    try {
      Certified certified = call.carryOut();
      answer.onNext(
          Certificates.newBuilder()
              .setCertificate(bytes(certified.certificateDer()))
              .setAuthority(bytes(certified.authorityDer()))
              .build());
      answer.onCompleted();
    } catch (TrustException e) {
      LOG.warn("{} was not given a certificate: {}", quoted(caller), e.getMessage());
      // What is wrong here may be mended, and so it asks again.
      Status status =
          e instanceof RefusedException ? Status.PERMISSION_DENIED : Status.FAILED_PRECONDITION;
      answer.onError(status.withDescription(e.getMessage()).asRuntimeException());
    } catch (RuntimeException e) {
      LOG.warn("{} could not be given a certificate: {}", quoted(caller), e.toString());
      answer.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
    }
  }

  /** Strangers choose what they are called. */
  private static String quoted(String caller) {
    String printable = caller.replaceAll("[^ -~]", "?");
    return printable.length() > 100 ? printable.substring(0, 100) : printable;
  }

  private static ByteString bytes(byte[] der) {
    return UnsafeByteOperations.unsafeWrap(der);
  }
}
