package fleet.trust;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.KeyRequestRecord;
import fleet.registry.records.Keys;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key that only servers hold. The first server makes it; others ask through the registry, and
 * one that has it seals it for the one that asks. A reader of the registry learns nothing. Safe for
 * use by many threads; calls block.
 */
public final class ServerKeys {

  private static final Logger LOG = LoggerFactory.getLogger(ServerKeys.class);

  /** Others answer within moments, or are not there. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Registry registry;
  private final ServerKeyFile file;
  private final String self;
  private final Clock clock;
  private final Duration patience;

  /**
   * Nothing is read yet.
   *
   * @param self id of this server
   */
  public ServerKeys(Registry registry, ServerKeyFile file, String self, Clock clock) {
    this(registry, file, self, clock, PATIENCE);
  }

  ServerKeys(Registry registry, ServerKeyFile file, String self, Clock clock, Duration patience) {
    this.registry = registry;
    this.file = file;
    this.self = self;
    this.clock = clock;
    this.patience = patience;
  }

  /** The key of this server, made if there is none: for new seals. */
  ServerKey own() throws TrustException {
    return file.readOrCreate();
  }

  /** Whether a key is here. */
  boolean has(String id) {
    try {
      return file.read().filter(key -> key.id().equals(id)).isPresent();
    } catch (TrustException e) {
      return false;
    }
  }

  /**
   * The key of an existing seal, requested from other servers if this one has another or none.
   *
   * @param id of the key
   * @throws TrustException if no server gives it now; the message says what to do
   */
  ServerKey named(String id) throws TrustException {
    Optional<ServerKey> kept = file.read().filter(key -> key.id().equals(id));
    return kept.isPresent() ? kept.get() : asked(id);
  }

  // ---- a server that asks

  private synchronized ServerKey asked(String id) throws TrustException {
    var agreement = new KeyAgreement();
    String key = Keys.serverKey(self);
    var request = new KeyRequestRecord(id, agreement.publicKey(), clock.instant());
    var answered = new CompletableFuture<KeyRequestRecord>();
    Snapshot before = registry.read(key);
    var answer =
        new WrittenEntries(
            entry ->
                Optional.of(entry)
                    .filter(one -> one.key().equals(key))
                    .map(KeyRequestRecord::of)
                    .filter(now -> now.isAnswered() && now.publicKey().equals(request.publicKey()))
                    .ifPresent(answered::complete),
            answered::completeExceptionally);
    try (Watch _ = registry.watch(key, before, answer)) {
      registry.commit(Transaction.when().put(key, request.json()).build());
      KeyRequestRecord sealed = answered.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      ServerKey given =
          ServerKey.of(agreement.with(sealed.answerKey()).open(sealed.answer(), about(self, id)));
      if (!given.id().equals(id)) {
        throw new GeneralSecurityException("it is another key");
      }
      file.replace(given);
      LOG.info("another server gave this one the server key; it is kept in {}", file);
      return given;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw missing(id, e);
    } catch (TimeoutException | ExecutionException | GeneralSecurityException e) {
      throw missing(id, e);
    } finally {
      registry.commit(Transaction.when().delete(key).build());
    }
  }

  private TrustException missing(String id, Exception why) {
    LOG.debug("nobody gives the server key {}", id, why);
    return new TrustException(
        "%s is not the key that the authority's is sealed with (%s), and no other server gives it:"
                .formatted(file, id)
            + " start fleetd on one that has it, or copy its server.key, or that of a backup, to"
            + " here",
        why);
  }

  private static String about(String machine, String id) {
    return "server key " + id + " for " + machine;
  }

  // ---- a server that is asked

  /**
   * Gives the key to servers that ask for it, from now on.
   *
   * @return ends that
   */
  public Watch give() {
    var requests =
        new WrittenEntries(
            this::asked,
            why ->
                LOG.warn(
                    "this server gives the server key to no other any more until it is restarted: {}",
                    why.getMessage()));
    return requests.follow(registry, Keys.SERVER_KEYS);
  }

  private void asked(Entry entry) {
    Thread.ofVirtual().name("server-key").start(() -> answer(entry));
  }

  private void answer(Entry entry) {
    String machine = entry.key().substring(Keys.SERVER_KEYS.length());
    try {
      KeyRequestRecord request = KeyRequestRecord.of(entry);
      Optional<ServerKey> key = file.read().filter(own -> own.id().equals(request.wanted()));
      if (request.isAnswered() || key.isEmpty()) {
        // A request of this server's own is for a key that it lacks. A copy of this machine is
        // served: only the leader tells it later that another has its id.
        return;
      }
      if (isRemoved(machine)) {
        LOG.warn("machine {} asks for the server key, and was removed: it gets none", machine);
        return;
      }
      var agreement = new KeyAgreement();
      String sealed =
          agreement
              .with(request.publicKey())
              .seal(key.get().bytes(), about(machine, request.wanted()));
      Outcome outcome =
          registry.commit(
              Transaction.when()
                  .unmodified(entry)
                  .put(entry.key(), request.answered(agreement.publicKey(), sealed).json())
                  .build());
      if (outcome instanceof Outcome.Committed) {
        LOG.warn(
            "server {} asked for the server key through the registry, and has it now", machine);
      }
    } catch (TrustException | GeneralSecurityException | RegistryException e) {
      LOG.warn("machine {} asks for the server key and gets none: {}", machine, e.getMessage());
    }
  }

  private boolean isRemoved(String machine) {
    return registry
        .get(Keys.identity(machine))
        .map(IdentityRecord::of)
        .flatMap(IdentityRecord::removal)
        .isPresent();
  }
}
