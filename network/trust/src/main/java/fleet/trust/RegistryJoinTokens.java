package fleet.trust;

import static fleet.trust.RegistryCalls.answered;
import static fleet.trust.RegistryCalls.withCommandEvent;
import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokenRequest;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.TokenRecord;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Join tokens in the registry, as hashes of their secrets. Safe for use by many threads. */
public final class RegistryJoinTokens implements JoinTokens {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryJoinTokens.class);
  private static final SecureRandom CHANCE = new SecureRandom();

  /** So that people still see why a machine was refused. */
  private static final Duration KEPT = Duration.ofDays(1);

  /** Each is named in the token's record. */
  private static final int MOST_USES = 1_000;

  private final Registry registry;
  private final StoredAuthority authority;
  private final Clock clock;

  public RegistryJoinTokens(Registry registry, StoredAuthority authority, Clock clock) {
    this.registry = registry;
    this.authority = authority;
    this.clock = clock;
  }

  @Override
  public NewJoinToken create(JoinTokenRequest wish, Caller caller) {
    require(wish);
    return answered(() -> {
      forgetOld();
      Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
      TokenText text = TokenText.create(fingerprint(), CHANCE);
      TokenRecord token = record(wish, text, now, caller);
      String key = Keys.token(text.id());
      String what = described(token);
      Outcome outcome =
          registry.commit(
              withCommandEvent(
                      Transaction.when().absent(key).put(key, token.json()),
                      text.id(),
                      CommandRecord.TOKEN,
                      what,
                      caller.name())
                  .build());
      if (outcome instanceof Outcome.Refused) {
        throw new ClusterUnavailableException("a token of that id was there: try again");
      }
      LOG.info("token {} made by {}, {}", text.id(), caller, what);
      return new NewJoinToken(shown(text.id(), token, Set.of()), text.text());
    });
  }

  private static void require(JoinTokenRequest wish) {
    if (!wish.life().isPositive() || wish.life().compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a token is good for some time, and at most %d days".formatted(LONGEST.toDays()));
    }
    if (wish.most() < 0 || wish.most() > MOST_USES) {
      throw new IllegalArgumentException(
          "a token is for 1 to %d machines, or for any number".formatted(MOST_USES));
    }
    wish.machine().ifPresent(Peer::requireId);
  }

  private static TokenRecord record(
      JoinTokenRequest wish, TokenText text, Instant now, Caller caller) {
    return new TokenRecord(
        wish.role(),
        text.secretSha256(),
        now.plus(wish.life()),
        now,
        caller.name(),
        text.authority().sha256(),
        wish.machine().orElse(""),
        wish.most());
  }

  private static String described(TokenRecord token) {
    String machine = token.machine().isEmpty() ? "" : " of machine " + token.machine();
    String uses = token.uses() == 0 ? "" : ", for " + counted(token.uses());
    return "for role %s%s, good until %s%s"
        .formatted(token.role().text(), machine, token.expires(), uses);
  }

  private static String counted(int machines) {
    return machines == 1 ? "1 machine" : machines + " machines";
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
    return answered(() -> {
      Map<String, Set<String>> joined = joinedByToken();
      return registry.read(Keys.TOKENS).entries().stream()
          .map(entry ->
              shown(idOf(entry), TokenRecord.of(entry), joined.getOrDefault(idOf(entry), Set.of())))
          .sorted(Comparator.comparing(JoinToken::created).thenComparing(JoinToken::id))
          .toList();
    });
  }

  /** A token for any number of machines is not written to by each of them: that would jam. */
  private Map<String, Set<String>> joinedByToken() {
    Map<String, Set<String>> joined = new HashMap<>();
    for (Entry entry : registry.read(Keys.IDENTITIES).entries()) {
      joined
          .computeIfAbsent(IdentityRecord.of(entry).token(), _ -> new TreeSet<>())
          .add(entry.key().substring(Keys.IDENTITIES.length()));
    }
    return joined;
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
            withCommandEvent(
                    Transaction.when().delete(token.get().key()),
                    id,
                    CommandRecord.REVOKE_TOKEN,
                    "",
                    caller.name())
                .build());
        LOG.info("token {} revoked by {}", id, caller);
      }
      return token.isPresent();
    });
  }

  /**
   * A presented token.
   *
   * @param entry as it was read, for the transaction that uses it
   */
  record Shown(Entry entry, String id, TokenRecord token) {

    /** Whether an operator made it for this machine. */
    boolean isFor(String machine) {
      return token.machine().equals(machine);
    }

    /**
     * Uses it for a machine, in the transaction that admits it.
     *
     * @throws EnrolmentRefusedException if it was used as often as it may be
     */
    void use(String machine, Transaction.Builder transaction) throws EnrolmentRefusedException {
      if (token.isUsedUp()) {
        throw new EnrolmentRefusedException(
            "the token was for %s, and was used by %s: make another with \"fleetctl token create\""
                .formatted(counted(token.uses()), String.join(", ", token.usedBy())));
      }
      if (token.uses() > 0) {
        transaction.unmodified(entry).put(entry.key(), token.usedBy(machine).json());
      }
    }
  }

  /**
   * The token that was made with a secret.
   *
   * @throws EnrolmentRefusedException if it is unknown, revoked, expired, for another machine or of
   *     an authority before, or the secret is another
   */
  Shown shown(String id, String secret, String machine) throws TrustException {
    Optional<Entry> entry = TokenText.isId(id) ? registry.get(Keys.token(id)) : Optional.empty();
    Optional<TokenRecord> token = entry.map(TokenRecord::of);
    byte[] given = Fingerprint.sha256(secret.getBytes(US_ASCII)).getBytes(US_ASCII);
    if (token.isEmpty()
        || !MessageDigest.isEqual(given, token.get().secretSha256().getBytes(US_ASCII))) {
      throw new EnrolmentRefusedException(
          "the token is unknown, or was revoked: make another with \"fleetctl token create\"");
    }
    requireUsable(token.get(), machine);
    return new Shown(entry.get(), id, token.get());
  }

  private void requireUsable(TokenRecord token, String machine) throws TrustException {
    if (!clock.instant().isBefore(token.expires())) {
      throw new EnrolmentRefusedException(
          "the token expired at "
              + token.expires()
              + ": make another with \"fleetctl token create\"");
    }
    if (!isOfAuthority(token)) {
      throw new EnrolmentRefusedException(
          "the token was made under an authority that the cluster has no more: make another with"
              + " \"fleetctl token create\"");
    }
    if (!token.machine().isEmpty() && !token.machine().equals(machine)) {
      throw new EnrolmentRefusedException(
          "the token is for machine %s, and this is machine %s"
              .formatted(token.machine(), machine));
    }
  }

  /**
   * Tokens of an older version do not name their authority: those made before this one belong to
   * another.
   */
  private boolean isOfAuthority(TokenRecord token) throws TrustException {
    X509Certificate current = authority.certificate();
    return token.authority().isEmpty()
        ? !token.created().isBefore(current.getNotBefore().toInstant())
        : token.authority().equals(Fingerprint.of(current).sha256());
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

  private static JoinToken shown(String id, TokenRecord token, Set<String> joined) {
    Set<String> usedBy = new TreeSet<>(joined);
    usedBy.addAll(token.usedBy());
    return new JoinToken(
        id,
        token.role(),
        token.expires(),
        token.created(),
        token.by(),
        Optional.of(token.machine()).filter(machine -> !machine.isEmpty()),
        token.uses(),
        List.copyOf(usedBy));
  }
}
