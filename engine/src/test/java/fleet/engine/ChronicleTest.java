package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Command;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MetadataChange;
import fleet.cluster.StartResult;
import fleet.coordination.Certainty;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of commands and of the places of units. */
class ChronicleTest {

  private static final Caller ROOT = new Caller("user root");
  private static final Caller ANN = new Caller("certificate CN=ann");
  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private ScriptedStore store;
  private CurrentCluster cluster;
  private EventStream events;
  private final Deque<Event> pending = new ArrayDeque<>();
  private long token;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    String leader = new LeaderRecord("m7", "b", "", "2.0.0", 1).json();
    token = registry.commit(Transaction.when().put(Keys.LEADER, leader).build()).revision();
    lead();
  }

  private void lead() {
    cluster =
        new CurrentCluster(
            store,
            new LocalCoordination(),
            Certainty.ALWAYS,
            EngineSettings.of(Duration.ofHours(1)),
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    cluster.lead(new Term(token, true));
    pending.clear();
    events = cluster.follow(EventsFrom.BEGINNING);
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }

  @Test
  void theFirstEventSaysWhoLeadsAndWhatWasThereBeforeDidNotHappenAgain() throws Exception {
    put("", DesiredState.LAUNCHED, ROOT);
    await(Event.UnitCommanded.class);
    cluster.close();
    lead();
    assertThat(await(Event.Body.class))
        .isEqualTo(new Event.LeaderChanged(Optional.of("m7"), "token " + token));
    assertThat(events.start().sequence()).isZero();
    desire(DesiredState.INACTIVE, ANN);
    // That the unit waits may be told meanwhile: that is so only now.
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(told(Command.DESIRED, DesiredState.INACTIVE, ANN));
  }

  @Test
  void whatWasAskedForBeforeIsNotToldAgainByTheNextLeader() throws Exception {
    said(new CommandRecord("5a1f", CommandRecord.TOKEN, "for role agent", ROOT.name()));
    await(Event.TokenCommanded.class);
    cluster.close();
    lead();
    said(new CommandRecord("77b2", CommandRecord.TOKEN, "for role agent", ANN.name()));
    assertThat(await(Event.TokenCommanded.class).by()).isEqualTo(ANN.name());
  }

  @Test
  void commandsAreToldWithWhoAsked() throws Exception {
    machine("m1");
    put("", DesiredState.INACTIVE, ROOT);
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(told(Command.CREATED, DesiredState.INACTIVE, ROOT));
    desire(DesiredState.LAUNCHED, ANN);
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(told(Command.DESIRED, DesiredState.LAUNCHED, ANN));
    assertThat(cluster.restart(WEB, ROOT)).isEqualTo(StartResult.ACCEPTED);
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(told(Command.STARTED_AGAIN, DesiredState.LAUNCHED, ROOT));
    put("Conflicts=x.service", DesiredState.LAUNCHED, ANN);
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(told(Command.REPLACED, DesiredState.LAUNCHED, ANN));
    assertThat(cluster.destroy(WEB, ROOT)).isTrue();
    assertThat(await(Event.UnitCommanded.class))
        .isEqualTo(new Event.UnitCommanded(WEB, Command.DESTROYED, Optional.empty(), ROOT.name()));
    cluster.changeMetadata(
        List.of(
            new MetadataChange.Set("m1", "region", "eu"), new MetadataChange.Remove("m1", "disk")),
        ANN);
    assertThat(await(Event.MachineCommanded.class))
        .isEqualTo(
            new Event.MachineCommanded(
                "m1", Command.METADATA, "region=eu, disk removed", ANN.name()));
  }

  @Test
  void grantsAreToldWithWhoGaveAndRevokedThem() throws Exception {
    said(new CommandRecord("alice", CommandRecord.GRANT, "viewer of alice", ROOT.name()));
    Event.AccessCommanded granted = await(Event.AccessCommanded.class);
    assertThat(granted.command()).isEqualTo(Command.ACCESS_GRANTED);
    assertThat(granted.cause()).isEqualTo(new Cause(ROOT.name(), "viewer of alice"));
    said(new CommandRecord("alice", CommandRecord.REVOKE_GRANT, "", ANN.name()));
    Event.AccessCommanded revoked = await(Event.AccessCommanded.class);
    assertThat(revoked.command()).isEqualTo(Command.ACCESS_REVOKED);
    assertThat(revoked.cause()).isEqualTo(new Cause(ANN.name(), "alice"));
  }

  @Test
  void tokensAreToldWithWhoMadeAndRevokedThem() throws Exception {
    said(new CommandRecord("5a1f", CommandRecord.TOKEN, "for role agent", ROOT.name()));
    assertThat(await(Event.TokenCommanded.class))
        .isEqualTo(
            new Event.TokenCommanded("5a1f", Command.TOKEN_CREATED, "for role agent", ROOT.name()));
    said(new CommandRecord("5a1f", CommandRecord.REVOKE_TOKEN, "", ANN.name()));
    assertThat(await(Event.TokenCommanded.class))
        .isEqualTo(new Event.TokenCommanded("5a1f", Command.TOKEN_REVOKED, "", ANN.name()));
  }

  private void said(CommandRecord command) {
    registry.commit(
        Transaction.when().put(Keys.command(command.subject()), command.json()).build());
  }

  @Test
  void placesAreToldWithTheirReasons() throws Exception {
    StoredMachine m1 = machine("m1");
    assertThat(await(Event.MachineChanged.class).joined()).isTrue();
    put("", DesiredState.LAUNCHED, ROOT);
    Event.Placed placed = await(Event.Placed.class);
    assertThat(placed.machine()).isEqualTo("m1");
    assertThat(placed.why()).isNotEmpty();
    machine("m2");
    m1.silent();
    Event.Moved lost = await(Event.Moved.class);
    assertThat(lost.from()).isEqualTo("m1");
    assertThat(lost.to()).isEqualTo("m2");
    assertThat(lost.why()).startsWith("machine m1 is lost; ");
  }

  @Test
  void aUnitThatLeavesSaysWhyInTheRegistry() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    put("MachineMetadata=region=eu", DesiredState.LAUNCHED, ROOT);
    m1.awaitTarget(WEB, Target.LAUNCHED);
    machine("m2", Map.of("region", "eu"));
    machine("m1", Map.of("region", "us"));
    Event.Leaving leaving = await(Event.Leaving.class);
    assertThat(leaving.why()).contains("region=eu");
    m1.gone(m1.awaitTarget(WEB, Target.STOPPING));
    Event.Moved moved = await(Event.Moved.class);
    assertThat(moved.to()).isEqualTo("m2");
    assertThat(moved.why()).startsWith(leaving.why() + "; ");
  }

  @Test
  void aUnitThatGoesNowhereHasLeft() throws Exception {
    StoredMachine m1 = machine("m1");
    put("", DesiredState.LAUNCHED, ROOT);
    m1.awaitTarget(WEB, Target.LAUNCHED);
    desire(DesiredState.INACTIVE, ROOT);
    assertThat(await(Event.Leaving.class).why()).isEqualTo("it is to be inactive");
    m1.gone(m1.awaitTarget(WEB, Target.STOPPING));
    assertThat(await(Event.Left.class))
        .isEqualTo(new Event.Left(WEB, "m1", "it is to be inactive"));
  }

  private static Event.UnitCommanded told(Command command, DesiredState desired, Caller by) {
    return new Event.UnitCommanded(WEB, command, Optional.of(desired), by.name());
  }

  private StoredMachine machine(String id) {
    return machine(id, Map.of());
  }

  private StoredMachine machine(String id, Map<String, String> metadata) {
    return new StoredMachine(store, registry, id).present(metadata, Isolation.KEEP);
  }

  private void put(String fleet, DesiredState desired, Caller caller) {
    try {
      UnitFile file =
          UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
      var _ = cluster.put(WEB, Optional.of(file), Optional.of(desired), caller);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private void desire(DesiredState desired, Caller caller) {
    var _ = cluster.put(WEB, Optional.empty(), Optional.of(desired), caller);
  }

  private <T extends Event.Body> T await(Class<T> kind) throws Exception {
    while (true) {
      if (pending.isEmpty()) {
        pending.addAll(events.next(Duration.ofMinutes(5)));
        assertThat(pending).as("events until a %s", kind.getSimpleName()).isNotEmpty();
      }
      Event.Body body = pending.removeFirst().body();
      if (kind.isInstance(body)) {
        return kind.cast(body);
      }
    }
  }
}
