package fleet.rpc.enrol;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.CreateToken;
import fleet.rpc.v1.CreatedToken;
import fleet.rpc.v1.ListTokens;
import fleet.rpc.v1.RevokeToken;
import fleet.trust.TrustException;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Join tokens of a cluster whose registry is with others: any of them will do. */
public final class RemoteJoinTokens implements JoinTokens {

  private final RpcChannels channels;
  private final Supplier<List<HostPort>> servers;

  /**
   * Nothing is asked yet.
   *
   * @param servers to ask, in this order
   */
  public RemoteJoinTokens(RpcChannels channels, Supplier<List<HostPort>> servers) {
    this.channels = channels;
    this.servers = servers;
  }

  @Override
  public NewJoinToken create(Role role, Duration life, Caller caller) {
    CreatedToken made =
        ask(
            TokenMethods.CREATE,
            CreateToken.newBuilder()
                .setRole(role.text())
                .setLifeSeconds(life.toSeconds())
                .setCaller(caller.name())
                .build());
    return new NewJoinToken(TokenMessages.token(made.getToken()), made.getText());
  }

  @Override
  public List<JoinToken> list() {
    return ask(TokenMethods.LIST, ListTokens.getDefaultInstance()).getTokensList().stream()
        .map(TokenMessages::token)
        .toList();
  }

  @Override
  public boolean revoke(String id, Caller caller) {
    return ask(
            TokenMethods.REVOKE,
            RevokeToken.newBuilder().setId(id).setCaller(caller.name()).build())
        .getFound();
  }

  private <Q, A> A ask(MethodDescriptor<Q, A> method, Q question) {
    try {
      return new Servers(servers.get(), channels::open).ask(method, question);
    } catch (TrustException | IOException e) {
      throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }
}
