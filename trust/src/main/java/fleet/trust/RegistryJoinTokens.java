package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.TokenRecord;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Join tokens in the registry, as hashes of their secrets. Safe for use by many threads. */
public final class RegistryJoinTokens implements JoinTokens {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryJoinTokens.class);
  private static final SecureRandom CHANCE = new SecureRandom();

  /** So that people still see why a machine was refused. */
  private static final Duration KEPT = Duration.ofDays(1);

  private final Registry registry;
  private final StoredAuthority authority;
  private final Clock clock;

  public RegistryJoinTokens(Registry registry, StoredAuthority authority, Clock clock) {
    this.registry = registry;
    this.authority = authority;
    this.clock = clock;
  }

  @Override
  public NewJoinToken create(Role role, Duration life, Caller caller) {
    if (!life.isPositive() || life.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a token is good for some time, and at most %d days".formatted(LONGEST.toDays()));
    }
    return answered(() -> {
      forgetOld();
      Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
      TokenText text = TokenText.create(fingerprint(), CHANCE);
      var token = new TokenRecord(role, text.secretSha256(), now.plus(life), now, caller.name());
      String key = Keys.token(text.id());
      String what = "for role %s, good until %s".formatted(role.text(), token.expires());
      Outcome outcome =
          registry.commit(
              Transaction.when()
                  .absent(key)
                  .put(key, token.json())
                  .put(
                      Keys.command(text.id()),
                      new CommandRecord(text.id(), CommandRecord.TOKEN, what, caller.name()).json())
                  .build());
      if (outcome instanceof Outcome.Refused) {
        throw new ClusterUnavailableException("a token of that id was there: try again");
      }
      LOG.info("token {} made by {}, {}", text.id(), caller, what);
      return new NewJoinToken(shown(text.id(), token), text.text());
    });
  }

  private Fingerprint fingerprint() {
    try {
      return Fingerprint.of(authority.certificate());
    } catch (TrustException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  @Override
  public List<JoinToken> list() {
    return answered(() ->
        registry.read(Keys.TOKENS).entries().stream()
            .map(entry -> shown(idOf(entry), TokenRecord.of(entry)))
            .sorted(Comparator.comparing(JoinToken::created).thenComparing(JoinToken::id))
            .toList());
  }

  @Override
  public boolean revoke(String id, Caller caller) {
    if (!TokenText.isId(id)) {
      return false;
    }
    return answered(() -> {
      Optional<Entry> token = registry.get(Keys.token(id));
      if (token.isPresent()) {
        registry.commit(
            Transaction.when()
                .delete(token.get().key())
                .put(
                    Keys.command(id),
                    new CommandRecord(id, CommandRecord.REVOKE_TOKEN, "", caller.name()).json())
                .build());
        LOG.info("token {} revoked by {}", id, caller);
      }
      return token.isPresent();
    });
  }

  /**
   * What a token buys.
   *
   * @throws RefusedException where it is unknown, revoked or expired, or the secret another
   */
  Role redeem(String id, String secret) throws RefusedException {
    Optional<TokenRecord> token =
        TokenText.isId(id) ? registry.get(Keys.token(id)).map(TokenRecord::of) : Optional.empty();
    byte[] given = Fingerprint.sha256(secret.getBytes(US_ASCII)).getBytes(US_ASCII);
    if (token.isEmpty()
        || !MessageDigest.isEqual(given, token.get().secretSha256().getBytes(US_ASCII))) {
      throw new RefusedException(
          "the token is unknown, or was revoked: make another with \"fleetctl token create\"");
    }
    if (!clock.instant().isBefore(token.get().expires())) {
      throw new RefusedException(
          "the token expired at "
              + token.get().expires()
              + ": make another with \"fleetctl token create\"");
    }
    return token.get().role();
  }

  private void forgetOld() {
    Instant limit = clock.instant().minus(KEPT);
    registry.read(Keys.TOKENS).entries().stream()
        .filter(entry -> TokenRecord.of(entry).expires().isBefore(limit))
        .forEach(this::delete);
  }

  private void delete(Entry token) {
    registry.commit(Transaction.when().delete(token.key()).build());
  }

  private static String idOf(Entry entry) {
    return entry.key().substring(Keys.TOKENS.length());
  }

  private static JoinToken shown(String id, TokenRecord token) {
    return new JoinToken(id, token.role(), token.expires(), token.created(), token.by());
  }

  private static <T> T answered(Supplier<T> call) {
    try {
      return call.get();
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }
}
