package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.requirements.Glob;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessGrantsTest {

  private static final Caller CALLER = new Caller("user root");
  private static final GrantHolder ALICE = GrantHolder.parse("alice").orElseThrow();
  private static final Grant OPERATOR =
      new Grant(ALICE, AccessRole.OPERATOR, List.of(new Glob("web@*")), Map.of("region", "eu"));

  @TempDir Path directory;
  private Registry registry;
  private AccessGrants grants;

  @BeforeEach
  void begin() {
    registry = EmbeddedRegistry.open(directory);
    grants = new RegistryAccessGrants(registry, Clock.systemUTC());
  }

  @AfterEach
  void end() {
    registry.close();
  }

  @Test
  void grantsOutliveFleetd() {
    grants.grant(OPERATOR, CALLER);
    registry.close();
    registry = EmbeddedRegistry.open(directory);
    assertThat(new RegistryAccessGrants(registry, Clock.systemUTC()).list())
        .containsExactly(new AccessGrants.Given(OPERATOR, "user root", List.of()));
  }

  @Test
  void aSubjectHasOneGrantUntilItIsRevoked() {
    grants.grant(OPERATOR, CALLER);
    Grant viewer = new Grant(ALICE, AccessRole.VIEWER, List.of(), Map.of());
    grants.grant(viewer, CALLER);
    assertThat(grants.list()).extracting(AccessGrants.Given::grant).containsExactly(viewer);
    assertThat(grants.revoke(ALICE, CALLER)).isTrue();
    assertThat(grants.revoke(ALICE, CALLER)).isFalse();
    assertThat(grants.list()).isEmpty();
  }

  @Test
  void whoFollowsTheClusterHearsOfGrants() {
    grants.grant(OPERATOR, CALLER);
    assertThat(told())
        .isEqualTo(new CommandRecord(ALICE.toString(), "grant", OPERATOR.text(), CALLER.name()));
    assertThat(grants.revoke(ALICE, CALLER)).isTrue();
    assertThat(told())
        .isEqualTo(new CommandRecord(ALICE.toString(), "revoke-grant", "", CALLER.name()));
  }

  private CommandRecord told() {
    return CommandRecord.of(registry.get(Keys.command(ALICE.toString())).orElseThrow());
  }

  @Test
  void changesAreFollowed() throws Exception {
    Semaphore changes = new Semaphore(0);
    try (AccessGrants.Following _ = grants.follow(changes::release)) {
      grants.grant(OPERATOR, CALLER);
      changes.acquire();
      grants.revoke(ALICE, CALLER);
      changes.acquire();
    }
  }

  /** Rather nobody gets in than somebody who should not. */
  @Test
  void grantsThatCannotBeReadAllowNothing() {
    registry.commit(Transaction.when().put("access/person:eve", "{\"format\":1}").build());
    assertThatThrownBy(() -> grants.list()).isInstanceOf(ClusterUnavailableException.class);
  }
}
