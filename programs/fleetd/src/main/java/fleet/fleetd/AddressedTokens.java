package fleet.fleetd;

import fleet.cluster.Caller;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokenRequest;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.HostPort;
import java.util.List;
import java.util.function.Supplier;

/** Tokens that say where to go with them: to the server that makes them. */
record AddressedTokens(JoinTokens tokens, int usualPort, Supplier<HostPort> server)
    implements JoinTokens {

  @Override
  public NewJoinToken create(JoinTokenRequest wish, Caller caller) {
    NewJoinToken made = tokens.create(wish, caller);
    return new NewJoinToken(made.token(), made.text(), text(server.get()));
  }

  private String text(HostPort address) {
    boolean isBare = address.port() == usualPort && !address.host().contains(":");
    return address.host().isEmpty() || isBare ? address.host() : address.toString();
  }

  @Override
  public List<JoinToken> list() {
    return tokens.list();
  }

  @Override
  public boolean revoke(String id, Caller caller) {
    return tokens.revoke(id, caller);
  }
}
