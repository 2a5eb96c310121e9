package fleet.fleetd.membership;

import fleet.rpc.RpcSecurity;
import fleet.rpc.secure.RpcTls;
import fleet.trust.Identity;
import fleet.trust.IdentityFile;
import fleet.trust.Issuer;
import fleet.trust.OwnIdentity;
import fleet.trust.QuickVerification;
import fleet.trust.Renewal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** The identity of this machine in use: shown to others, and renewed by itself until closed. */
public final class Membership implements AutoCloseable {

  private static final String FILE = "identity.pem";

  private final OwnIdentity own;
  private final Renewal renewal;

  /**
   * Takes an identity into use.
   *
   * @param issuer who renews it
   */
  Membership(
      Identity identity, IdentityFile file, Function<OwnIdentity, Issuer> issuer, Clock clock) {
    QuickVerification.prefer();
    this.own = new OwnIdentity(identity, clock);
    this.renewal = Renewal.start(own, file, issuer.apply(own), clock);
  }

  /** Where a machine keeps its identity. */
  static IdentityFile fileIn(Path data) {
    return new IdentityFile(data.resolve(FILE));
  }

  public Identity identity() {
    return own.get();
  }

  /** TLS with it, for the RPC port and for calls; stays good when the identity is renewed. */
  public RpcSecurity.MutualTls security() {
    return RpcTls.mutual(own);
  }

  /** TLS with it for people's clients, see {@link OwnIdentity#forPeople}. */
  public SSLContext forPeople() {
    return own.forPeople();
  }

  /**
   * Tells of the authorities that the cluster has now: those that are news are asked for.
   *
   * @param generation of the authorities
   * @param within the time over which machines are spread
   */
  public void hear(long generation, Duration within) {
    renewal.hear(generation, within);
  }

  /** Has somebody told each time that an authority is not believed any more. */
  public void onDistrust(Runnable hearer) {
    own.onDistrust(hearer);
  }

  @Override
  public void close() {
    renewal.close();
  }
}
