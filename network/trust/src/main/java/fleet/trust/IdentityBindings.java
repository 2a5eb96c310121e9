package fleet.trust;

import static fleet.trust.RegistryCalls.answered;
import static fleet.trust.RegistryCalls.withCommandEvent;

import fleet.cluster.Caller;
import fleet.cluster.MachineTrust;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds each machine to the key of its first certificate, in the registry. Another key for a known
 * id needs an operator's word. Safe for use by many threads; calls block, and throw {@link
 * RegistryException} if the registry does not answer.
 */
public final class IdentityBindings implements MachineTrust {

  private static final Logger LOG = LoggerFactory.getLogger(IdentityBindings.class);

  /** Time enough to reinstall a machine. */
  static final Duration READMISSION = Duration.ofDays(1);

  private final Registry registry;
  private final Clock clock;
  private final String self;

  /**
   * Nothing is read yet.
   *
   * @param self id of this server, which cannot throw itself out
   */
  public IdentityBindings(Registry registry, Clock clock, String self) {
    this.registry = registry;
    this.clock = clock;
    this.self = self;
  }

  // ---- machines that come

  /**
   * Admits a machine with a token.
   *
   * @return false after a concurrent change: then check everything again
   * @throws EnrolmentRefusedException if it is known by another key, or was removed, and no
   *     operator has readmitted it; or the token is used up
   */
  boolean letIn(Peer peer, RegistryJoinTokens.Shown token, X509Certificate certificate)
      throws EnrolmentRefusedException {
    String key = Fingerprint.ofKey(certificate.getPublicKey());
    Optional<Entry> entry = registry.get(Keys.identity(peer.machine()));
    Optional<IdentityRecord> known = entry.map(IdentityRecord::of);
    var transaction = Transaction.when();
    boolean again = known.filter(before -> isRepeated(before, key, token)).isPresent();
    if (known.isPresent() && !again) {
      requireWelcome(peer.machine(), known.get(), key, token);
    }
    if (!again) {
      // Its last attempt may have been answered, and the answer lost.
      token.use(peer.machine(), transaction);
    }
    return isCommitted(transaction, entry, peer, let(peer, key, certificate, token.id(), known));
  }

  private static boolean isRepeated(
      IdentityRecord known, String key, RegistryJoinTokens.Shown token) {
    return known.key().equals(key) && known.token().equals(token.id()) && known.removal().isEmpty();
  }

  private void requireWelcome(
      String machine, IdentityRecord known, String key, RegistryJoinTokens.Shown token)
      throws EnrolmentRefusedException {
    if (isReadmitted(known) || isWordOfOperator(machine, known, token)) {
      return;
    }
    if (known.removal().isPresent()) {
      throw new EnrolmentRefusedException(removed(machine, known.removal().get()));
    }
    if (!known.has(key)) {
      throw new EnrolmentRefusedException(
          "machine %s has been in the cluster since %s with another key: if it was installed again, say"
                  .formatted(machine, known.since())
              + " so on a server with \"fleetctl machines readmit %s\"; if it was not,"
                  .formatted(machine)
              + " another machine uses its id");
    }
  }

  private boolean isReadmitted(IdentityRecord known) {
    return known.readmitUntil().filter(clock.instant()::isBefore).isPresent();
  }

  /** Made later than whatever it is to overrule. */
  private static boolean isWordOfOperator(
      String machine, IdentityRecord known, RegistryJoinTokens.Shown token) {
    Instant made = token.token().created();
    Instant overruled = known.removal().map(IdentityRecord.Removal::at).orElse(known.since());
    return token.isFor(machine) && !made.isBefore(overruled.truncatedTo(ChronoUnit.SECONDS));
  }

  static String removed(String machine, IdentityRecord.Removal removal) {
    return "machine %s was removed from the cluster by %s at %s: \"fleetctl machines readmit %s\" on a"
            .formatted(machine, removal.by(), removal.at(), machine)
        + " server lets it join again, with a token";
  }

  private IdentityRecord let(
      Peer peer,
      String key,
      X509Certificate certificate,
      String token,
      Optional<IdentityRecord> known) {
    Instant since =
        known
            .filter(before -> before.has(key) && before.removal().isEmpty())
            .map(IdentityRecord::since)
            .orElseGet(this::now);
    return new IdentityRecord(peer.role(), key, serial(certificate), since, token);
  }

  private static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Notes the next key of a machine that has proved itself with the one before.
   *
   * @throws EnrolmentRefusedException if that key does not count
   */
  void renewed(Peer peer, String presented, X509Certificate certificate)
      throws EnrolmentRefusedException {
    String next = Fingerprint.ofKey(certificate.getPublicKey());
    while (true) {
      Optional<Entry> entry = registry.get(Keys.identity(peer.machine()));
      IdentityRecord known =
          entry
              .map(IdentityRecord::of)
              .orElseGet(() -> let(peer, presented, certificate, "", Optional.empty()));
      Optional<String> objection = objection(peer.machine(), known, presented);
      if (objection.isPresent()) {
        throw new EnrolmentRefusedException(objection.get());
      }
      IdentityRecord renewed = known.renewed(presented, next, serial(certificate));
      if (isCommitted(Transaction.when(), entry, peer, renewed)) {
        return;
      }
    }
  }

  /**
   * Notes what a machine trusts.
   *
   * @throws EnrolmentRefusedException if it is not served
   */
  void reported(Peer peer, String presented, IdentityRecord.Trust trust)
      throws EnrolmentRefusedException {
    while (true) {
      Optional<Entry> entry = registry.get(Keys.identity(peer.machine()));
      IdentityRecord known =
          entry
              .map(IdentityRecord::of)
              .orElseGet(() -> new IdentityRecord(peer.role(), presented, "", now(), ""));
      Optional<String> objection = objection(peer.machine(), known, presented);
      if (objection.isPresent()) {
        throw new EnrolmentRefusedException(objection.get());
      }
      if (known.trust().filter(trust::equals).isPresent()
          || isCommitted(Transaction.when(), entry, peer, known.trusting(trust))) {
        return;
      }
    }
  }

  /** Why a machine that is known is not to be served; empty if it is. */
  static Optional<String> objection(String machine, IdentityRecord known, String presented) {
    if (known.removal().isPresent()) {
      return Optional.of(removed(machine, known.removal().get()));
    }
    return known.has(presented)
        ? Optional.empty()
        : Optional.of(
            "machine %s is known by another key, since %s: \"fleetctl machines readmit %s\" on a server"
                    .formatted(machine, known.since(), machine)
                + " lets it join again, with a token");
  }

  /** Binds a machine that joined before there were bindings; does nothing if it is bound. */
  void bind(Peer peer, String key) {
    boolean _ =
        isCommitted(
            Transaction.when(),
            Optional.empty(),
            peer,
            new IdentityRecord(peer.role(), key, "", now(), ""));
  }

  /**
   * Ends the removal of this server if it was readmitted.
   *
   * @throws EnrolmentRefusedException if it was removed, and not readmitted
   */
  public void requireMember() throws EnrolmentRefusedException {
    Peer server = new Peer(self, Role.SERVER);
    while (true) {
      Optional<Entry> entry = registry.get(Keys.identity(self));
      Optional<IdentityRecord> known = entry.map(IdentityRecord::of);
      if (known.isEmpty() || known.get().removal().isEmpty()) {
        return;
      }
      if (!isReadmitted(known.get())) {
        throw new EnrolmentRefusedException(removed(self, known.get().removal().get()));
      }
      if (isCommitted(
          Transaction.when(), entry, server, new IdentityRecord(Role.SERVER, "", "", now(), ""))) {
        return;
      }
    }
  }

  /**
   * Notes the key of this server, which has the registry, and so issues its own certificate, but
   * not with the id of another machine.
   *
   * @param kept fingerprint of the key that this server had before; empty if it has none
   * @throws EnrolmentRefusedException if the id belongs to another key, and no operator has
   *     readmitted this server
   */
  public void vouched(X509Certificate certificate, Optional<String> kept)
      throws EnrolmentRefusedException {
    Peer server = new Peer(self, Role.SERVER);
    String key = Fingerprint.ofKey(certificate.getPublicKey());
    while (true) {
      Optional<Entry> entry = registry.get(Keys.identity(self));
      Optional<IdentityRecord> known = entry.map(IdentityRecord::of);
      if (known.filter(before -> before.has(key)).isPresent()) {
        return;
      }
      Optional<String> objection = known.flatMap(before -> objection(before, kept));
      boolean welcome = known.filter(this::isReadmitted).isPresent();
      if (objection.isPresent() && !welcome && isLed()) {
        throw new EnrolmentRefusedException(objection.get());
      }
      IdentityRecord next =
          known
              .filter(_ -> !welcome)
              .map(before ->
                  before.renewed(
                      kept.filter(before::has).orElse(before.key()), key, serial(certificate)))
              .orElseGet(() -> let(server, key, certificate, "", Optional.empty()));
      if (isCommitted(Transaction.when(), entry, server, next)) {
        return;
      }
    }
  }

  /** Notes what this server trusts itself. */
  public void reported(Identity own) throws EnrolmentRefusedException {
    reported(
        own.peer(),
        Fingerprint.ofKey(own.certificate().getPublicKey()),
        new IdentityRecord.Trust(
            own.authorityFingerprint().sha256(),
            own.trusted().stream().map(Fingerprint::of).map(Fingerprint::sha256).toList(),
            own.expires()));
  }

  /** If no server leads, an operator has no other server for that command. */
  private boolean isLed() {
    return registry.get(Keys.LEADER).isPresent();
  }

  /**
   * Why this server is not the machine that the cluster knows by its id; empty if it may be.
   *
   * @param kept fingerprint of the key that it has; empty if it has none
   */
  public Optional<String> objection(Optional<String> kept) {
    return registry
        .get(Keys.identity(self))
        .map(IdentityRecord::of)
        .flatMap(known -> objection(known, kept));
  }

  private Optional<String> objection(IdentityRecord known, Optional<String> kept) {
    boolean same = known.key().isEmpty() || kept.filter(known::has).isPresent();
    return same
        ? Optional.empty()
        : Optional.of(
            "machine %s has been in the cluster since %s with another key: if this is a copy of it, remove"
                    .formatted(self, known.since())
                + " /etc/machine-id here, run systemd-machine-id-setup and reboot; if it was"
                + " installed again or lost identity.pem, run on another server:"
                + " fleetctl machines readmit %s".formatted(self));
  }

  private boolean isCommitted(
      Transaction.Builder transaction, Optional<Entry> entry, Peer peer, IdentityRecord record) {
    String key = Keys.identity(peer.machine());
    return registry.commit(transaction.unchanged(key, entry).put(key, record.json()).build())
        instanceof Outcome.Committed;
  }

  // ---- machines that are to go, and to come back

  @Override
  public Optional<Boolean> remove(String machine, Caller caller) {
    if (machine.equals(self)) {
      throw new IllegalArgumentException(
          "machine %s is the server that answers this: remove it by asking another server"
              .formatted(machine));
    }
    return answered(() -> {
      Instant at = now();
      while (true) {
        Optional<Entry> entry = registry.get(Keys.identity(machine));
        Optional<IdentityRecord> known = known(machine, entry);
        if (known.isEmpty()) {
          return Optional.empty();
        }
        boolean before = known.get().removal().isPresent() && known.get().readmitUntil().isEmpty();
        if (before) {
          return Optional.of(false);
        }
        var transaction = Transaction.when();
        if (known.get().role() == Role.SERVER) {
          distrust(known.get(), at, transaction);
        }
        if (isDone(
            transaction,
            machine,
            entry,
            known.get().removed(at, caller.name()),
            CommandRecord.REMOVE,
            "",
            caller)) {
          LOG.warn("machine {} was removed from the cluster by {}", machine, caller);
          return Optional.of(true);
        }
      }
    });
  }

  @Override
  public Optional<Instant> readmit(String machine, Caller caller) {
    Instant until = now().plus(READMISSION);
    return answered(() -> {
      while (true) {
        Optional<Entry> entry = registry.get(Keys.identity(machine));
        Optional<IdentityRecord> known = known(machine, entry);
        if (known.isEmpty()) {
          return Optional.empty();
        }
        if (isDone(
            Transaction.when(),
            machine,
            entry,
            known.get().readmitted(until),
            CommandRecord.READMIT,
            "once, until " + until,
            caller)) {
          LOG.info("machine {} may join once more until {}, says {}", machine, until, caller);
          return Optional.of(until);
        }
      }
    });
  }

  /** A machine that never showed a certificate is known by its records in the registry. */
  private Optional<IdentityRecord> known(String machine, Optional<Entry> entry) {
    if (entry.isPresent()) {
      return entry.map(IdentityRecord::of);
    }
    boolean there =
        Peer.isId(machine)
            && (registry.get(Keys.machine(machine)).isPresent()
                || !registry.read(Keys.schedules(machine)).entries().isEmpty());
    return there
        ? Optional.of(new IdentityRecord(Role.AGENT, "", "", now(), ""))
        : Optional.empty();
  }

  /** Machines get it with their authorities: otherwise they would obey such a server. */
  private void distrust(IdentityRecord server, Instant at, Transaction.Builder transaction) {
    Optional<Entry> entry = registry.get(Keys.AUTHORITY);
    if (entry.isPresent()) {
      AuthorityRecord next =
          AuthorityRecord.of(entry.get())
              .withoutServer(server.keys(), at, at.plus(StoredAuthority.LIFE));
      transaction.unmodified(entry.get()).put(Keys.AUTHORITY, next.json());
    }
  }

  private boolean isDone(
      Transaction.Builder transaction,
      String machine,
      Optional<Entry> entry,
      IdentityRecord record,
      String command,
      String details,
      Caller caller) {
    String key = Keys.identity(machine);
    Transaction.Builder change = transaction.unchanged(key, entry).put(key, record.json());
    return registry.commit(
            withCommandEvent(change, machine, command, details, caller.name()).build())
        instanceof Outcome.Committed;
  }
}
