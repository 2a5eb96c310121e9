package fleet.registry.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryMoveTest {

  private static final int UNITS = 400;

  @TempDir Path directory;

  private EmbeddedRegistry from;
  private EmbeddedRegistry to;

  @BeforeEach
  void open() {
    from = EmbeddedRegistry.open(directory.resolve("from"));
    to = EmbeddedRegistry.open(directory.resolve("to"));
    put(from, Keys.AUTHORITY, "who vouches");
    put(from, Keys.TOKENS + "5a1f03c2", "a token");
    put(from, Keys.SETTINGS + "m1", "settings");
    for (int i = 0; i < UNITS; i++) {
      put(from, Keys.UNITS + "u" + i + ".service", "unit " + i);
      put(from, Keys.FILES + i, "x".repeat(3000));
    }
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
  }

  private static void put(Registry registry, String key, String value) {
    registry.commit(Transaction.when().put(key, value).build());
  }

  private static Map<String, String> all(Registry registry) {
    return registry.read("").entries().stream()
        .filter(entry -> !entry.key().equals(Keys.MOVED))
        .collect(Collectors.toMap(Entry::key, Entry::value, (one, _) -> one, TreeMap::new));
  }

  private RegistryMove move(Registry into) {
    return new RegistryMove(from, into, "m1", Clock.systemUTC());
  }

  @Test
  void allIsThereAndTheFirstOneIsAsItWas() throws Exception {
    Map<String, String> before = all(from);

    assertThat(move(to).carryOut()).isEqualTo(new RegistryMove.Result.Done(before.size(), UNITS));

    assertThat(all(to)).isEqualTo(before);
    assertThat(from.read("").entries()).hasSameSizeAs(before.keySet());
    assertThat(RegistryMove.underWay(to)).isEmpty();
  }

  @Test
  void whatChangedThereAfterwardsIsNotOverwritten() throws Exception {
    move(to).carryOut();
    put(to, Keys.UNITS + "u1.service", "newer");

    assertThat(move(to).carryOut()).isEqualTo(new RegistryMove.Result.DoneBefore());

    assertThat(to.get(Keys.UNITS + "u1.service").orElseThrow().value()).isEqualTo("newer");
  }

  @Test
  void whatLivesWithItsWriterStaysBehind() throws Exception {
    put(from, Keys.MACHINES + "m1", "a machine");
    put(from, Keys.STATES + "m1/u1.service", "a state");

    move(to).carryOut();

    assertThat(all(to).keySet()).noneMatch(key -> key.startsWith(Keys.MACHINES));
    assertThat(all(to).keySet()).noneMatch(key -> key.startsWith(Keys.STATES));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 15, 18})
  void oneThatBreaksOffIsCarriedOnWith(int commits) throws Exception {
    assertThatThrownBy(() -> move(failingAfter(commits)).carryOut())
        .isInstanceOf(RegistryException.class);
    assertThat(RegistryMove.underWay(to).isPresent()).isEqualTo(commits > 0);
    // Somebody went back meanwhile, and changed things.
    put(from, Keys.UNITS + "u1.service", "newer");
    from.commit(Transaction.when().delete(Keys.UNITS + "u2.service").build());

    move(to).carryOut();

    assertThat(all(to)).isEqualTo(all(from));
    assertThat(RegistryMove.underWay(to)).isEmpty();
  }

  @Test
  void aRegistryInUseIsLeftAlone() {
    put(to, Keys.UNITS + "other.service", "another cluster's");

    assertThatThrownBy(() -> move(to).carryOut())
        .isInstanceOf(OccupiedException.class)
        .hasMessage("1 key is in it (unit/other.service)");
    assertThat(all(to)).hasSize(1);
    put(to, "junk", "somebody's");
    assertThatThrownBy(() -> move(to).carryOut())
        .hasMessage("2 keys are in it (junk, unit/other.service)");
    assertThat(to.get(Keys.MOVED)).isEmpty();
  }

  @Test
  void soIsOneThatAnotherMachineMovesTo() throws Exception {
    try (EmbeddedRegistry third = EmbeddedRegistry.open(directory.resolve("third"))) {
      put(third, Keys.UNITS + "third.service", "unit");
      new RegistryMove(third, to, "m3", Clock.systemUTC()).carryOut();

      assertThatThrownBy(() -> move(to).carryOut())
          .isInstanceOf(OccupiedException.class)
          .hasMessage("what machine m3 has moved there is in it");
    }
  }

  @Test
  void whoHasNothingToLoseGoesToOneInUse() throws Exception {
    from.read(Keys.UNITS)
        .entries()
        .forEach(unit -> from.commit(Transaction.when().delete(unit.key()).build()));
    put(to, Keys.UNITS + "other.service", "another cluster's");

    assertThat(move(to).carryOut()).isEqualTo(new RegistryMove.Result.Unneeded());
    assertThat(all(to)).hasSize(1);
  }

  @Test
  void anEngineThatLeadsThereMeanwhileIsNotGivenHalfOfIt() {
    Registry overtaken =
        intercepted(commits -> {
          if (commits == 2) {
            put(to, Keys.LEADER, "another");
          }
        });

    assertThatThrownBy(() -> move(overtaken).carryOut())
        .isInstanceOf(OccupiedException.class)
        .hasMessageContaining("leads in it already");
  }

  private Registry failingAfter(int commits) {
    return intercepted(made -> {
      if (made >= commits) {
        throw new RegistryException("etcd is away");
      }
    });
  }

  private interface BeforeCommit {
    void after(int commits);
  }

  /** The other registry, with something happening before each commit. */
  private Registry intercepted(BeforeCommit before) {
    int[] commits = {0};
    return (Registry)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Registry.class},
            (_, method, arguments) -> {
              if (method.getName().equals("commit")) {
                before.after(commits[0]++);
              }
              try {
                return method.invoke(to, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aRegistryThatHasMovedIsNotOpenedAnyMore() {
    Path moved = directory.resolve("moved");
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(moved)) {
      assertThat(EmbeddedRegistry.isIn(moved)).isTrue();
      Outcome _ = registry.commit(Transaction.when().put("a", "b").build());
      registry.movedTo("etcd at http://10.0.0.1:2379");
    }

    assertThat(EmbeddedRegistry.isIn(moved)).isFalse();
    assertThatThrownBy(() -> EmbeddedRegistry.open(moved))
        .isInstanceOf(RegistryException.class)
        .hasMessageContainingAll(
            "moved to etcd at http://10.0.0.1:2379", "set etcd_servers again", "delete");
    assertThat(List.of(moved.resolve("registry.db"))).allSatisfy(path -> assertThat(path).exists());
  }
}
