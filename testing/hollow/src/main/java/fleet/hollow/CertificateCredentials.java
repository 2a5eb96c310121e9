package fleet.hollow;

import fleet.core.machine.HostPort;
import fleet.rpc.RpcSecurity;
import fleet.rpc.enrol.RemoteIssuers;
import fleet.rpc.secure.RpcTls;
import fleet.trust.IdentityFile;
import fleet.trust.OwnIdentity;
import fleet.trust.QuickVerification;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Each machine has a certificate, which a token has bought. */
final class CertificateCredentials implements Credentials {

  /** Any number of machines may ask at once; these two cores are kept busy by a few. */
  private static final int AT_ONCE = 4;

  private final List<HostPort> servers;
  private final TokenText token;
  private final Path directory;
  private final Map<String, OwnIdentity> identities = new ConcurrentHashMap<>();

  /**
   * @param servers who make certificates
   * @param directory for what machines keep
   */
  CertificateCredentials(List<HostPort> servers, TokenText token, Path directory) {
    QuickVerification.prefer();
    this.servers = List.copyOf(servers);
    this.token = token;
    this.directory = directory;
  }

  @Override
  public void obtain(List<String> machines) throws InterruptedException {
    try (var pool = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> asked = new ArrayList<>();
      for (String machine : machines) {
        asked.add(pool.submit(() -> obtain(machine)));
      }
      for (Future<?> one : asked) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a hollow machine is not let in", e.getCause());
    }
  }

  private void obtain(String machine) {
    Clock clock = Clock.systemUTC();
    var file = new IdentityFile(directory.resolve(machine + ".pem"));
    try {
      var issuer = RemoteIssuers.joining(token, machine, servers, clock);
      identities.put(machine, new OwnIdentity(file.obtain(machine, issuer), clock));
    } catch (TrustException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public RpcSecurity of(String machine) {
    return RpcTls.mutual(Optional.ofNullable(identities.get(machine)).orElseThrow());
  }
}
