package fleet.api;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.AuthorityStatus.Authority;
import fleet.cluster.AuthorityStatus.Behind;
import fleet.cluster.AuthorityStatus.Rotation;
import fleet.cluster.AuthorityStatus.Standing;
import fleet.cluster.Caller;
import fleet.cluster.ClusterAuthority;
import fleet.cluster.EtcdCertificates;
import fleet.core.machine.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One authority, and machine {@code m2} that has its certificate by it. */
final class FakeClusterAuthority implements ClusterAuthority {

  private static final Instant MADE = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant END = Instant.parse("2056-03-01T10:00:00Z");

  private Optional<Rotation> rotation = Optional.empty();

  @Override
  public synchronized AuthorityStatus status(Set<String> present) {
    return new AuthorityStatus(
        List.of(new Authority("ab".repeat(32), MADE, END, Standing.CURRENT, 1)),
        rotation,
        rotation.isEmpty()
            ? List.of()
            : List.of(
                new Behind(
                    "m2",
                    Role.AGENT,
                    Optional.empty(),
                    Optional.empty(),
                    present.contains("m2"),
                    true)),
        Optional.of(END),
        true,
        Map.of());
  }

  @Override
  public EtcdCertificates certifyEtcd(List<String> names, Caller caller) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no names");
    }
    return new EtcdCertificates("ca", "crt of " + names, "key", "client", "client key", END);
  }

  @Override
  public synchronized boolean rotate(boolean finish, Caller caller) {
    if (caller.name().isEmpty()) {
      throw new IllegalStateException("nobody asks");
    }
    boolean changes = rotation.filter(going -> going.finish() || !finish).isEmpty();
    rotation = Optional.of(new Rotation(false, MADE, caller.name(), finish, Optional.empty()));
    return changes;
  }
}
