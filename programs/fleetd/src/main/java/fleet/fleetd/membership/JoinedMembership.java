package fleet.fleetd.membership;

import fleet.core.machine.HostPort;
import fleet.rpc.enrol.RemoteIssuers;
import fleet.trust.CertificateRequest;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.Identity;
import fleet.trust.IdentityFile;
import fleet.trust.Issuer;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine whose cluster's registry is with others. A token lets it in once; from then on it is
 * known by the identity that it keeps.
 */
public final class JoinedMembership {

  private static final Logger LOG = LoggerFactory.getLogger(JoinedMembership.class);

  private static final String REMEDY =
      "make a token on a server with \"fleetctl token create\", and start fleetd once with --token"
          + " TOKEN";

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofSeconds(15);

  private final List<HostPort> servers;
  private final Optional<String> configured;
  private final Optional<TokenText> token;
  private final IdentityFile file;
  private final String machine;
  private final Clock clock;
  private final Waiting waiting;

  /** Told why the machine is not let in yet, and how long it waits before it asks again. */
  @FunctionalInterface
  public interface Waiting {
    void because(String why, Duration retry);
  }

  /**
   * Nothing is done yet.
   *
   * @param servers to join, in this order
   * @param token as it was configured
   * @param data where the identity is kept
   * @param machine id
   */
  public JoinedMembership(
      List<HostPort> servers,
      Optional<String> token,
      Path data,
      String machine,
      Clock clock,
      Waiting waiting) {
    this.servers = List.copyOf(servers);
    this.configured = token;
    this.token = token.flatMap(JoinedMembership::read);
    this.file = Membership.fileIn(data);
    this.machine = machine;
    this.clock = clock;
    this.waiting = waiting;
  }

  /** Empty if it is none: a machine that has its identity needs none. */
  private static Optional<TokenText> read(String text) {
    try {
      return Optional.of(TokenText.parse(text));
    } catch (EnrolmentRefusedException e) {
      return Optional.empty();
    }
  }

  /**
   * Begins. Waits for a server if the machine has no identity yet.
   *
   * @throws EnrolmentRefusedException if it is not let in, and will not be without anybody's doing;
   *     the message says what to do
   * @throws TrustException if it is not let in for now
   * @throws IOException if the identity cannot be kept
   */
  public Membership begin() throws TrustException, IOException, InterruptedException {
    Optional<Identity> kept = kept();
    if (kept.isPresent() && configured.isPresent() && token.isEmpty()) {
      LOG.warn("token is not one, and is not needed any more: remove it from the configuration");
    }
    Identity identity = kept.isPresent() ? kept.get() : enrolled(tokenOrWhy());
    return new Membership(identity, file, own -> RemoteIssuers.renewing(own, () -> servers), clock);
  }

  private Optional<Identity> kept() throws IOException, TrustException {
    try {
      return file.kept(this::isGood);
    } catch (TrustException e) {
      if (token.isEmpty()) {
        throw new EnrolmentRefusedException(e.getMessage() + ": " + REMEDY, e);
      }
      LOG.warn("{}; it joins again with its token", e.getMessage());
      return Optional.empty();
    }
  }

  private boolean isGood(Identity identity) {
    return isOurs(identity) && !identity.hasExpired(clock.instant()) && isOfToken(identity);
  }

  private boolean isOurs(Identity identity) {
    return identity.peer().machine().equals(machine);
  }

  /** A token of another cluster means that the machine is to change over to that. */
  private boolean isOfToken(Identity identity) {
    return token.isEmpty() || identity.knows(token.get().authority());
  }

  private TokenText tokenOrWhy() throws IOException, TrustException {
    if (configured.isPresent()) {
      return TokenText.parse(configured.get());
    }
    Optional<Identity> unusable = file.kept(_ -> true);
    if (unusable.filter(this::isOurs).isPresent()) {
      // A clock that is wrong may be set right.
      throw new TrustException(
          "the certificate of this machine was good until %s, and here it is %s: %s"
              .formatted(unusable.get().expires(), clock.instant(), REMEDY));
    }
    String why =
        unusable
            .map(identity ->
                "the identity in %s is of machine %s, and this is %s"
                    .formatted(file, identity.peer().machine(), machine))
            .orElse("this machine is in no cluster yet");
    throw new EnrolmentRefusedException(why + ": " + REMEDY);
  }

  /** With the key that the cluster may know this machine by. */
  private CertificateRequest request() throws IOException {
    try {
      return file.kept(this::isOurs)
          .map(CertificateRequest::again)
          .orElseGet(() -> CertificateRequest.of(machine));
    } catch (TrustException e) {
      LOG.debug("the key of the former identity is not known", e);
      return CertificateRequest.of(machine);
    }
  }

  private Identity enrolled(TokenText with)
      throws TrustException, IOException, InterruptedException {
    LOG.info("joining the cluster of {} with {}", servers, with);
    Issuer issuer = RemoteIssuers.joining(with, machine, servers, clock);
    CertificateRequest request = request();
    Duration retry = FIRST_RETRY;
    while (true) {
      try {
        Identity identity = file.obtain(machine, request, issuer);
        LOG.info("joined as {}; from now on no token is needed", identity.peer());
        return identity;
      } catch (EnrolmentRefusedException e) {
        throw e;
      } catch (IOException | TrustException e) {
        String why = String.valueOf(e.getMessage());
        waiting.because(why, retry);
        LOG.warn("cannot join yet: {}; next try in {} s", why, retry.toSeconds());
      }
      long longest = retry.toNanos();
      // Spreads the attempts of a thousand machines that were asked to join at once.
      TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest));
      retry = retry.multipliedBy(2);
      retry = retry.compareTo(LAST_RETRY) < 0 ? retry : LAST_RETRY;
    }
  }
}
