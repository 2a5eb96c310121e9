package fleet.trust;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.AuthorityStatus.Behind;
import fleet.cluster.AuthorityStatus.Standing;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.AuthorityRecord.Rotation;
import fleet.registry.records.AuthorityRecord.Stage;
import fleet.registry.records.IdentityRecord;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The progress of a replacement of the authority, and the possible next step: a function of the
 * registry, the present machines, and the time.
 *
 * @param stored the authority
 * @param machines the bindings of the machines that belong to the cluster, by id
 * @param present ids of the machines that are there
 */
record AuthorityProgress(
    AuthorityRecord stored,
    Authorities authorities,
    Map<String, IdentityRecord> machines,
    Set<String> present,
    Instant now) {

  /**
   * Reads the progress from the registry.
   *
   * @param machines by id, removed ones included
   */
  static AuthorityProgress of(
      AuthorityRecord stored,
      Map<String, IdentityRecord> machines,
      Set<String> present,
      Instant now)
      throws TrustException {
    Map<String, IdentityRecord> belonging = new TreeMap<>(machines);
    belonging
        .values()
        .removeIf(machine -> machine.removal().isPresent() || machine.key().isEmpty());
    return new AuthorityProgress(stored, Authorities.of(stored), belonging, present, now);
  }

  /**
   * The record that follows, once nothing is waited for.
   *
   * @param certain whether a machine that is not present is really away
   */
  Optional<AuthorityRecord> next(boolean certain) {
    Optional<Stage> stage = stored.rotation().map(Rotation::stage);
    if (stage.isEmpty() || !certain || behind().stream().anyMatch(Behind::awaited)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (stage.get()) {
          case INTRODUCED -> stored.signing(now);
          case SIGNING -> stored.rotated();
        });
  }

  /** Machines that the rotation has not reached; once it is over, those that it has lost. */
  List<Behind> behind() {
    List<Behind> behind = new ArrayList<>();
    machines.forEach((id, machine) -> {
      boolean isThere = present.contains(id);
      boolean ended = ends(machine).filter(end -> !now.isBefore(end)).isPresent() && !isThere;
      if (isBehind(machine) && !ended) {
        behind.add(
            new Behind(
                id,
                machine.role(),
                machine.trust().map(IdentityRecord.Trust::authority),
                machine.trust().map(IdentityRecord.Trust::ends),
                isThere,
                isThere || isAwaitedAway()));
      }
    });
    return behind;
  }

  /** The former authority is trusted for as long as any machine may need it. */
  private boolean isAwaitedAway() {
    return stored
        .rotation()
        .filter(going -> going.stage() == Stage.SIGNING && !going.finish())
        .isPresent();
  }

  private boolean isBehind(IdentityRecord machine) {
    Optional<Stage> stage = stored.rotation().map(Rotation::stage);
    if (stage.isEmpty()) {
      return machine.trust().isPresent() && !isBy(machine, authorities.signing());
    }
    return !switch (stage.get()) {
      case INTRODUCED ->
          machine
              .trust()
              .filter(said -> said.trusts().contains(sha256(authorities.others().getFirst())))
              .isPresent();
      case SIGNING -> isBy(machine, authorities.signing());
    };
  }

  private static boolean isBy(IdentityRecord machine, X509Certificate authority) {
    return machine.trust().filter(said -> said.authority().equals(sha256(authority))).isPresent();
  }

  private static String sha256(X509Certificate authority) {
    return Fingerprint.of(authority).sha256();
  }

  /** When the certificate of a machine ends at the latest, if that is known. */
  private Optional<Instant> ends(IdentityRecord machine) {
    Optional<Instant> said = machine.trust().map(IdentityRecord.Trust::ends);
    return said.isPresent() ? said : until();
  }

  /** When nothing by the former authority can be good any more. */
  Optional<Instant> until() {
    return stored
        .rotation()
        .filter(going -> going.stage() == Stage.SIGNING)
        .map(going -> going.since().plus(StoredAuthority.LIFE));
  }

  AuthorityStatus status(boolean serverKey, Map<String, Instant> etcd) {
    List<AuthorityStatus.Authority> all = new ArrayList<>();
    all.add(described(authorities.signing(), Standing.CURRENT));
    stored
        .rotation()
        .ifPresent(going ->
            all.add(
                described(
                    authorities.others().getFirst(),
                    going.stage() == Stage.SIGNING ? Standing.FORMER : Standing.NEXT)));
    return new AuthorityStatus(
        all,
        stored
            .rotation()
            .map(going ->
                new AuthorityStatus.Rotation(
                    going.stage() == Stage.SIGNING,
                    going.since(),
                    going.by(),
                    going.finish(),
                    until())),
        behind(),
        machines.values().stream()
            .flatMap(machine -> machine.trust().map(IdentityRecord.Trust::ends).stream())
            .filter(now::isBefore)
            .min(Comparator.naturalOrder()),
        serverKey,
        etcd);
  }

  private AuthorityStatus.Authority described(X509Certificate authority, Standing standing) {
    return new AuthorityStatus.Authority(
        sha256(authority),
        authority.getNotBefore().toInstant().plus(CertificateAuthority.SKEW),
        authority.getNotAfter().toInstant(),
        standing,
        (int) machines.values().stream().filter(machine -> isBy(machine, authority)).count());
  }
}
