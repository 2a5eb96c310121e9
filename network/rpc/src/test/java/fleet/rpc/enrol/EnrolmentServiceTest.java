package fleet.rpc.enrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.audit.AuditEntry;
import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.core.testing.ServerPorts;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.rpc.Methods;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcSecurity;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.Leader;
import fleet.rpc.v1.RenewRequest;
import fleet.rpc.v1.WhoLeads;
import fleet.trust.Enrolment;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.IdentityFile;
import fleet.trust.Issuer;
import fleet.trust.OwnIdentity;
import fleet.trust.Peer;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import io.grpc.CallOptions;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines join a server over gRPC with real TLS. */
class EnrolmentServiceTest extends EnrolmentOverRpcTest {

  @Test
  void aMachineThatJoinedIsKnownByItsCertificate() throws Exception {
    Identity identity = join(cluster.token(Role.AGENT), cluster.address);

    assertThat(identity.peer()).isEqualTo(new Peer(MACHINE, Role.AGENT));
    assertThat(whoAmI(RpcTls.mutual(new OwnIdentity(identity, CLOCK)).client(), cluster.address))
        .isEqualTo(new RpcPeer(MACHINE, false).toString());
  }

  @Test
  void whoeverJoinsIsWrittenDown() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    Identity _ = join(token, cluster.address);

    assertThat(audited).hasSize(1);
    assertThat(audited.getFirst().text())
        .isEqualTo("127.0.0.1: machine.join %s done: token %s".formatted(MACHINE, token.id()));
    assertThat(audited.getFirst().toString())
        .doesNotContain(token.text().substring(token.text().length() - 16));
  }

  @Test
  void whoeverIsNotLetInIsWrittenDownWithTheReason() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    cluster.tokens.revoke(token.id(), CALLER);

    assertThatThrownBy(() -> join(token, cluster.address)).isInstanceOf(TrustException.class);
    assertThat(audited).hasSize(1);
    assertThat(audited.getFirst().text())
        .startsWith(
            "127.0.0.1: machine.join %s refused: token %s: the token is unknown, or was revoked"
                .formatted(MACHINE, token.id()));
  }

  @Test
  void withoutACertificateThereIsNothingButEnrolment() throws Exception {
    TokenText token = cluster.token(Role.AGENT);

    assertThatThrownBy(() -> whoAmI(RpcTls.joining(token, CLOCK), cluster.address))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("join it first");
    assertThatThrownBy(() -> whoAmI(InsecureChannelCredentials.create(), cluster.address))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(audited)
        .extracting(AuditEntry::text)
        .containsExactly(
            "127.0.0.1: rpc.Ask refused: this needs the certificate of a machine of the cluster: join"
                + " it first");
  }

  /** The commands of people were once served to every certificate, as services of their own. */
  @ParameterizedTest
  @ValueSource(strings = {"Cluster/Tell", "Cluster/Look", "Cluster/Ask", "JoinTokens/Create"})
  void anAgentsCertificateCommandsNothing(String method) throws Exception {
    OwnIdentity own = new OwnIdentity(join(cluster.token(Role.AGENT), cluster.address), CLOCK);
    MethodDescriptor<WhoLeads, Leader> attack =
        Methods.directoryAsk().toBuilder().setFullMethodName("fleet.rpc.v1." + method).build();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                cluster.address.host(), cluster.address.port(), RpcTls.mutual(own).client())
            .build();
    open.add(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));

    assertThatThrownBy(() ->
            ClientCalls.blockingUnaryCall(
                channel, attack, CallOptions.DEFAULT, WhoLeads.getDefaultInstance()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNIMPLEMENTED");
  }

  @Test
  void withoutACertificateNoneIsRenewed() throws Exception {
    Issuer stranger =
        request -> {
          EnrolmentServers servers =
              new EnrolmentServers(
                  List.of(cluster.address),
                  EnrolmentServers.with(RpcTls.joining(cluster.token(Role.AGENT), CLOCK)));
          Certificates _ = servers.ask(EnrolmentMethods.RENEW, RenewRequest.getDefaultInstance());
          throw new IllegalStateException("served");
        };
    assertThatThrownBy(() -> file().obtain(MACHINE, stranger))
        .hasMessageContaining("join it first");
  }

  @Test
  void theFirstServerThatAnswersWillDo() throws Exception {
    HostPort nobody = new HostPort("127.0.0.1", ServerPorts.take(1).getFirst());

    assertThat(join(cluster.token(Role.AGENT), nobody, cluster.address).peer().machine())
        .isEqualTo(MACHINE);
    assertThatThrownBy(() -> join(cluster.token(Role.AGENT), nobody))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("server 127.0.0.1:" + nobody.port() + ": Connection refused");
  }

  @Test
  void aTokenThatIsNotTakenEndsTheMatter() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    cluster.tokens.revoke(token.id(), CALLER);

    assertThatThrownBy(() -> join(token, cluster.address))
        .isInstanceOf(TrustException.class)
        .hasMessage(
            "server 127.0.0.1:%d: the token is unknown, or was revoked: make another with"
                    .formatted(cluster.address.port())
                + " \"fleetctl token create\"");
  }

  @Test
  void theSecretGoesToNoOtherCluster() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    Cluster other = new Cluster();

    assertThatThrownBy(() -> join(token, other.address))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("is of another cluster than the token");
    assertThat(join(token, other.address, cluster.address).authorityFingerprint())
        .isEqualTo(token.authority());
  }

  @Test
  void aServerWithoutTlsIsNotToldTheSecret() throws Exception {
    Path data = Files.createTempDirectory(directory, "plain");
    Registry registry = EmbeddedRegistry.open(data);
    open.add(registry);
    StoredAuthority authority =
        new StoredAuthority(
            registry, new ServerKeys(registry, new ServerKeyFile(data), SERVER, CLOCK), CLOCK);
    RegistryJoinTokens tokens = new RegistryJoinTokens(registry, authority, CLOCK);
    HostPort plain =
        listen(
            new RpcSecurity.PlainText(false),
            new Enrolment(authority, tokens, new IdentityBindings(registry, CLOCK, SERVER)),
            tokens);

    assertThatThrownBy(() -> join(cluster.token(Role.AGENT), plain))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("server 127.0.0.1:" + plain.port() + ": ");
  }

  @Test
  void aCertificateIsRenewedForWhoShowsIt() throws Exception {
    IdentityFile file = file();
    TokenText token = cluster.token(Role.AGENT);
    OwnIdentity own =
        new OwnIdentity(
            file.obtain(
                MACHINE, RemoteIssuers.joining(token, MACHINE, List.of(cluster.address), CLOCK)),
            CLOCK);
    cluster.tokens.revoke(token.id(), CALLER);

    Identity renewed =
        file.obtain(MACHINE, RemoteIssuers.renewing(own, () -> List.of(cluster.address)));

    assertThat(renewed.peer()).isEqualTo(own.get().peer());
    assertThat(renewed.certificate()).isNotEqualTo(own.get().certificate());
    assertThat(whoAmI(RpcTls.mutual(new OwnIdentity(renewed, CLOCK)).client(), cluster.address))
        .isEqualTo(new RpcPeer(MACHINE, false).toString());
  }

  @Test
  void aMachineOfAnotherClusterIsNotServed() throws Exception {
    Cluster other = new Cluster();
    Identity stranger = join(other.token(Role.SERVER), other.address);
    OwnIdentity own = new OwnIdentity(stranger, CLOCK);

    assertThatThrownBy(() -> whoAmI(RpcTls.mutual(own).client(), cluster.address))
        .isInstanceOf(StatusRuntimeException.class)
        .hasStackTraceContaining("is not by this cluster's authority");
  }

  @Test
  void thePortSpeaksNativeTlsAndUnderstandsMachinesThatHaveOnlyJavas() throws Exception {
    assertThat(OpenSsl.isAvailable()).isTrue();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        new KeyManager[] {cluster.own.keys()}, new TrustManager[] {cluster.own.trust()}, null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(cluster.address.host(), cluster.address.port())) {
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
    }
  }
}
