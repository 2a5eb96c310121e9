package fleet.trust;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The present identity of this machine. TLS objects made from it stay valid when another identity
 * replaces it: new connections use the new one, existing ones are left alone. Safe for use by many
 * threads.
 */
public final class OwnIdentity implements Supplier<Identity> {

  private final X509ExtendedKeyManager keys = new IdentityKeys(this);
  private final X509ExtendedTrustManager trust;
  private final List<Runnable> hearers = new CopyOnWriteArrayList<>();
  private volatile Generations generations;

  private record Generations(Identity current, Identity former) {}

  public OwnIdentity(Identity first, Clock clock) {
    this.generations = new Generations(first, first);
    this.trust = new ClusterTrust(this, clock);
  }

  @Override
  public Identity get() {
    return generations.current();
  }

  void replace(Identity next) {
    Identity before = generations.current();
    generations = new Generations(next, before);
    if (!next.trusted().containsAll(before.trusted())
        || !before.removedServers().containsAll(next.removedServers())) {
      hearers.forEach(Runnable::run);
    }
  }

  /** Calls a listener whenever an authority or a server is no longer trusted. */
  public void onDistrust(Runnable hearer) {
    hearers.add(hearer);
  }

  /**
   * Whether a formerly valid certificate is by a trusted authority, or one that such an authority
   * has cross-signed, and not of a removed server.
   *
   * @param chain as the other side showed it, the certificate first
   */
  public boolean believes(X509Certificate[] chain) {
    Identity now = get();
    return !now.hasRemoved(chain[0]) && CertificateCheck.isVouchedFor(chain, now.trusted());
  }

  /** The current or the former one. */
  Identity withSerial(BigInteger serial) {
    Generations seen = generations;
    return seen.current().certificate().getSerialNumber().equals(serial)
        ? seen.current()
        : seen.former();
  }

  /** The keys and certificates that this machine shows others. */
  public X509ExtendedKeyManager keys() {
    return keys;
  }

  /**
   * TLS for people's clients: shows them this machine's identity, and accepts any certificate. The
   * caller has to check it.
   */
  public SSLContext forPeople() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, new TrustManager[] {new UncheckedClients()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }

  /** The trust of this machine in others. */
  public X509ExtendedTrustManager trust() {
    return trust;
  }
}
