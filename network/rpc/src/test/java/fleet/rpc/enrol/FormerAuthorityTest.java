package fleet.rpc.enrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Role;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import fleet.rpc.Methods;
import fleet.rpc.RpcChannels;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.WhoLeads;
import fleet.trust.Authorities;
import fleet.trust.AuthorityRotation;
import fleet.trust.CertificateRequest;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.IdentityFile;
import fleet.trust.IssuedCertificate;
import fleet.trust.Issuer;
import fleet.trust.OwnIdentity;
import fleet.trust.Renewal;
import fleet.trust.TrustException;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The authority is replaced: machines say what they trust, and who shows the former one goes. */
class FormerAuthorityTest extends EnrolmentOverRpcTest {

  private OwnIdentity agent() throws Exception {
    return new OwnIdentity(join(cluster.token(Role.AGENT), cluster.address), CLOCK);
  }

  private Issuer issuerOf(OwnIdentity own) {
    return RemoteIssuers.renewing(own, () -> List.of(cluster.address));
  }

  private Optional<IdentityRecord.Trust> said(String machine) {
    return cluster
        .registry
        .get(Keys.identity(machine))
        .map(IdentityRecord::of)
        .flatMap(IdentityRecord::trust);
  }

  /** The issuer that a server asks for its own identity. */
  private final class Own implements Issuer {
    @Override
    public IssuedCertificate issue(CertificateRequest request)
        throws TrustException, IOException, InterruptedException {
      return cluster.authority.issuerForServer(SERVER).issue(request);
    }

    @Override
    public Optional<Authorities> report(Identity identity) throws TrustException {
      return Optional.of(cluster.authority.authorities());
    }
  }

  @Test
  void aMachineSaysWhatItTrustsAndHearsWhatItIsTo() throws Exception {
    OwnIdentity own = agent();

    Authorities told = issuerOf(own).report(own.get()).orElseThrow();

    assertThat(told.signing()).isEqualTo(own.get().authority());
    IdentityRecord.Trust said = said(MACHINE).orElseThrow();
    assertThat(said.authority()).isEqualTo(own.get().authorityFingerprint().sha256());
    assertThat(said.trusts()).containsExactly(said.authority());
    assertThat(said.ends()).isEqualTo(own.get().expires());
    assertThat(audited).extracting("action").doesNotContain("rpc.ReportTrust");
  }

  @Test
  void bothAuthoritiesAreToldOverTheWire() throws Exception {
    OwnIdentity own = agent();
    new AuthorityRotation(cluster.registry, cluster.authority, cluster.keys, CLOCK)
        .rotate(false, CALLER);

    Authorities told = issuerOf(own).report(own.get()).orElseThrow();

    assertThat(told).isEqualTo(cluster.authority.authorities());
    assertThat(told.others()).hasSize(1);
  }

  @Test
  void nothingIsHeardOfAServerThatWasRemovedThoughItsConnectionStands() throws Exception {
    IdentityFile file = file();
    OwnIdentity own =
        new OwnIdentity(
            file.obtain(MACHINE, joining(cluster.token(Role.AGENT), cluster.address)), CLOCK);
    ManagedChannel channel = new RpcChannels(RpcTls.mutual(own)).open(cluster.address);
    open.add(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));
    assertThat(asked(channel)).contains(MACHINE);
    new IdentityBindings(cluster.registry, CLOCK, SERVER)
        .vouched(cluster.own.get().certificate(), Optional.empty());

    new IdentityBindings(cluster.registry, CLOCK, "another").remove(SERVER, CALLER);
    CountDownLatch told = new CountDownLatch(1);
    own.onDistrust(told::countDown);
    try (Renewal renewal = Renewal.start(own, file, issuerOf(own), CLOCK)) {
      renewal.hear(generation(), Duration.ZERO);
      told.await();
    }

    assertThatThrownBy(() -> asked(channel))
        .hasMessageContaining("UNAUTHENTICATED")
        .hasMessageContaining("it was removed from the cluster");
  }

  @Test
  void aConnectionThatTheFormerAuthorityVouchedForIsEndedInTheMiddle() throws Exception {
    OwnIdentity thief = agent();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                cluster.address.host(), cluster.address.port(), RpcTls.mutual(thief).client())
            .build();
    open.add(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));
    assertThat(asked(channel)).contains(MACHINE);
    cluster.own.onDistrust(ports.getFirst()::endDistrusted);

    var rotation = new AuthorityRotation(cluster.registry, cluster.authority, cluster.keys, CLOCK);
    try (Renewal server = Renewal.start(cluster.own, cluster.file, new Own(), CLOCK)) {
      rotation.rotate(true, CALLER);
      for (int step = 0; step < 3; step++) {
        follows(server);
        rotation.advance(Set.of(), true);
      }
      awaitCut(channel, () -> server.hear(generation(), Duration.ZERO));
    }
  }

  /** It was away while machines learned of the new authority, and knows the former one alone. */
  @Test
  void aMachineThatIsBackHearsOfAServerWithACertificateByTheNewAuthority() throws Exception {
    OwnIdentity back = agent();
    var rotation = new AuthorityRotation(cluster.registry, cluster.authority, cluster.keys, CLOCK);
    try (Renewal server = Renewal.start(cluster.own, cluster.file, new Own(), CLOCK)) {
      rotation.rotate(true, CALLER);
      follows(server);
      rotation.advance(Set.of(), true);
      follows(server);
      assertThat(cluster.own.get().authority()).isNotEqualTo(back.get().authority());

      ManagedChannel channel = new RpcChannels(RpcTls.mutual(back)).open(cluster.address);
      open.add(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));
      assertThat(asked(channel)).contains(MACHINE);
    }
  }

  private void follows(Renewal server) throws TrustException {
    Authorities now = cluster.authority.authorities();
    server.hear(now.generation(), Duration.ZERO);
    while (!cluster.own.get().trusted().equals(now.trusted())
        || !cluster.own.get().authority().equals(now.signing())) {
      Thread.onSpinWait();
    }
  }

  private long generation() {
    try {
      return cluster.authority.authorities().generation();
    } catch (TrustException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitCut(ManagedChannel channel, Runnable hearing) {
    try {
      while (asked(channel).contains(MACHINE)) {
        hearing.run();
      }
    } catch (StatusRuntimeException e) {
      // gRPC says "unknown" if the connection is closed before the call is written to it.
      assertThat(e.getStatus().getCode()).isIn(Status.Code.UNAVAILABLE, Status.Code.UNKNOWN);
    }
  }

  private static String asked(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
            channel,
            Methods.directoryAsk(),
            CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.MINUTES),
            WhoLeads.getDefaultInstance())
        .getMachine();
  }
}
