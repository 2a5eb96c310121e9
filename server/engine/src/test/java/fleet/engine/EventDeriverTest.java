package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Command;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.StartResult;
import fleet.coordination.Certainty;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.machine.Role;
import fleet.core.schedule.TargetState;
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
class EventDeriverTest {

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
    String leader = new LeaderRecord("m7", "b", "", "2.0.0", 1, false).json();
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
    await(Kind.COMMAND);
    cluster.close();
    lead();
    assertThat(next("the leader"))
        .isEqualTo(new Event.Body(Kind.LEADER, Subject.of("m7"), Cause.of("token " + token)));
    assertThat(events.start().sequence()).isZero();
    desire(DesiredState.INACTIVE, ANN);
    // That the unit waits may be told meanwhile: that is so only now.
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.DESIRED, DesiredState.INACTIVE, ANN));
  }

  @Test
  void theElectedMachineIsTheOneThatLeads() throws Exception {
    machine("m1");
    machine("m7");
    await(Kind.MACHINE);
    await(Kind.MACHINE);
    assertThat(cluster.machines()).extracting(MachineView::leads).containsExactly(false, true);
    assertThat(cluster.machines()).extracting(MachineView::role).containsOnly(Role.SERVER);
  }

  @Test
  void whatWasAskedForBeforeIsNotToldAgainByTheNextLeader() throws Exception {
    said(new CommandRecord("5a1f", CommandRecord.TOKEN, "for role agent", ROOT.name()));
    await(Kind.COMMAND);
    cluster.close();
    lead();
    said(new CommandRecord("77b2", CommandRecord.TOKEN, "for role agent", ANN.name()));
    assertThat(await(Kind.COMMAND).cause().by()).isEqualTo(ANN.name());
  }

  @Test
  void commandsAreToldWithWhoAsked() throws Exception {
    machine("m1");
    put("", DesiredState.INACTIVE, ROOT);
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.CREATED, DesiredState.INACTIVE, ROOT));
    desire(DesiredState.LAUNCHED, ANN);
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.DESIRED, DesiredState.LAUNCHED, ANN));
    assertThat(cluster.restart(WEB, ROOT)).isEqualTo(StartResult.ACCEPTED);
    assertThat(await(Kind.COMMAND))
        .isEqualTo(told(Command.STARTED_AGAIN, DesiredState.LAUNCHED, ROOT));
    put("Conflicts=x.service", DesiredState.LAUNCHED, ANN);
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.REPLACED, DesiredState.LAUNCHED, ANN));
    assertThat(cluster.destroy(WEB, ROOT)).isTrue();
    assertThat(await(Kind.COMMAND))
        .isEqualTo(Event.Body.of(Command.DESTROYED, WEB, Optional.empty(), ROOT.name()));
    cluster.changeMetadata(
        List.of(
            new MetadataChange.Set("m1", "region", "eu"), new MetadataChange.Remove("m1", "disk")),
        ANN);
    assertThat(await(Kind.COMMAND))
        .isEqualTo(
            Event.Body.of(
                Command.METADATA,
                Subject.of("m1"),
                new Cause(ANN.name(), "region=eu, disk removed")));
  }

  @Test
  void grantsAreToldWithWhoGaveAndRevokedThem() throws Exception {
    said(new CommandRecord("alice", CommandRecord.GRANT, "viewer of alice", ROOT.name()));
    assertThat(await(Kind.COMMAND))
        .isEqualTo(told(Command.ACCESS_GRANTED, ROOT, "viewer of alice"));
    said(new CommandRecord("alice", CommandRecord.REVOKE_GRANT, "", ANN.name()));
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.ACCESS_REVOKED, ANN, "alice"));
  }

  @Test
  void tokensAreToldWithWhoMadeAndRevokedThem() throws Exception {
    said(new CommandRecord("5a1f", CommandRecord.TOKEN, "for role agent", ROOT.name()));
    assertThat(await(Kind.COMMAND))
        .isEqualTo(told(Command.TOKEN_CREATED, ROOT, "5a1f for role agent"));
    said(new CommandRecord("5a1f", CommandRecord.REVOKE_TOKEN, "", ANN.name()));
    assertThat(await(Kind.COMMAND)).isEqualTo(told(Command.TOKEN_REVOKED, ANN, "5a1f"));
  }

  private void said(CommandRecord command) {
    registry.commit(
        Transaction.when().put(Keys.command(command.subject()), command.json()).build());
  }

  @Test
  void placesAreToldWithTheirReasons() throws Exception {
    StoredMachine m1 = machine("m1");
    assertThat(await(Kind.MACHINE).cause()).isEqualTo(Cause.of("joined"));
    put("", DesiredState.LAUNCHED, ROOT);
    Event.Body placed = await(Kind.PLACED);
    assertThat(placed.subject()).isEqualTo(Subject.of(WEB, "m1"));
    assertThat(placed.cause().why()).isNotEmpty();
    machine("m2");
    m1.silent();
    Event.Body lost = await(Kind.MOVED);
    assertThat(lost.subject()).isEqualTo(new Subject(Optional.of(WEB), "m2", "m1"));
    assertThat(lost.cause().why()).startsWith("machine m1 is lost; ");
  }

  @Test
  void aUnitThatLeavesSaysWhyInTheRegistry() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    put("MachineMetadata=region=eu", DesiredState.LAUNCHED, ROOT);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    machine("m2", Map.of("region", "eu"));
    machine("m1", Map.of("region", "us"));
    Event.Body leaving = await(Kind.LEAVING);
    assertThat(leaving.cause().why()).contains("region=eu");
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    Event.Body moved = await(Kind.MOVED);
    assertThat(moved.subject().machine()).isEqualTo("m2");
    assertThat(moved.cause().why()).startsWith(leaving.cause().why() + "; ");
  }

  @Test
  void aUnitThatGoesNowhereHasLeft() throws Exception {
    StoredMachine m1 = machine("m1");
    put("", DesiredState.LAUNCHED, ROOT);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    desire(DesiredState.INACTIVE, ROOT);
    assertThat(await(Kind.LEAVING).cause().why()).isEqualTo("its desired state is inactive");
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    assertThat(await(Kind.LEFT))
        .isEqualTo(
            new Event.Body(
                Kind.LEFT, Subject.of(WEB, "m1"), Cause.of("its desired state is inactive")));
  }

  private static Event.Body told(Command command, DesiredState desired, Caller by) {
    return Event.Body.of(command, WEB, Optional.of(desired), by.name());
  }

  private static Event.Body told(Command command, Caller by, String details) {
    return Event.Body.of(command, Subject.NONE, new Cause(by.name(), details));
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

  private Event.Body await(Kind kind) throws Exception {
    while (true) {
      Event.Body body = next(kind.text());
      if (body.kind() == kind) {
        return body;
      }
    }
  }

  private Event.Body next(String awaited) throws Exception {
    if (pending.isEmpty()) {
      pending.addAll(events.next(Duration.ofMinutes(5)));
      assertThat(pending).as("events until %s", awaited).isNotEmpty();
    }
    return pending.removeFirst().body();
  }
}
