package fleet.simulation.planted;

import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership;
import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.engine.EngineSettings;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import fleet.registry.records.OperationRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import fleet.simulation.Wiring;
import fleet.simulation.run.SimulatedProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Bugs of the leader: what it writes, what it relies on, and how long it waits. */
final class LeaderBugs {

  private static final int MANY = 9;
  private static final double SELDOM = 0.02;
  private static final double OFTEN = 0.2;

  private LeaderBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        writes("a leader writes without its token", LeaderBugs::withoutToken),
        writes("a leader writes under its token alone", LeaderBugs::withTokenAlone),
        writes(
            "a machine's units are given away though it is back",
            without(condition -> condition.key().startsWith(Keys.MACHINES))),
        writes("what has ended is not noted", LeaderBugs::withoutEnds),
        writes("a rollout is never taken back", LeaderBugs::withoutTurnBack),
        reads("a drain takes down as many as there are", LeaderBugs::drainingAll),
        reads("a rollout takes down as many as there are", LeaderBugs::rollingOutAll),
        new PlantedBug(
            "a machine has room for twice as much", process -> withMachine(LeaderBugs::larger)),
        new PlantedBug(
            "a new leader takes for lost what it has not heard of yet",
            process -> withSettings(LeaderBugs::impatient)),
        new PlantedBug(
            "a new leader takes itself for the one before",
            process ->
                new Wiring() {
                  @Override
                  public Leadership leadership(Leadership leadership) {
                    return new Continuous(leadership);
                  }
                }),
        new PlantedBug(
            "a leader is certain for ever",
            process ->
                new Wiring() {
                  @Override
                  public Leadership leadership(Leadership leadership) {
                    return new CertainForEver(leadership);
                  }
                }),
        new PlantedBug("changes of the store are lost on the way", LeaderBugs::withLostChanges),
        new PlantedBug(
            "an answer to an earlier entry counts for the last", LeaderBugs::withAnyAnswer),
        new PlantedBug("a machine is not told of changes", LeaderBugs::withLostDeltas));
  }

  // ---- what it writes

  private static PlantedBug writes(String text, UnaryOperator<Transaction> altered) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public SharedRegistry store(SharedRegistry store) {
                return new AlteredStore(store) {
                  @Override
                  public Outcome commit(Transaction transaction) {
                    return super.commit(
                        isLeaders(transaction) ? altered.apply(transaction) : transaction);
                  }
                };
              }
            });
  }

  static boolean isLeaders(Transaction transaction) {
    boolean isElection =
        transaction.writes().stream().map(Write::key).anyMatch(Keys.LEADER::equals);
    return !isElection
        && transaction.conditions().stream().map(Condition::key).anyMatch(Keys.LEADER::equals);
  }

  private static Transaction withoutToken(Transaction transaction) {
    return without(condition -> condition.key().equals(Keys.LEADER)).apply(transaction);
  }

  private static Transaction withTokenAlone(Transaction transaction) {
    return without(condition -> !condition.key().equals(Keys.LEADER)).apply(transaction);
  }

  private static UnaryOperator<Transaction> without(Predicate<Condition> forgotten) {
    return transaction ->
        new Transaction(
            transaction.conditions().stream().filter(forgotten.negate()).toList(),
            transaction.writes());
  }

  private static Transaction withoutEnds(Transaction transaction) {
    return new Transaction(
        transaction.conditions(), transaction.writes().stream().map(LeaderBugs::started).toList());
  }

  private static Write started(Write write) {
    if (write instanceof Write.Put put && put.key().startsWith(Keys.UNITS)) {
      UnitRecord record = UnitRecord.of(new Entry(put.key(), put.value(), 1, 1));
      var notEnded =
          new UnitRecord(
              record.incarnation(),
              record.sha256(),
              record.hash(),
              record.desired(),
              record.restartCounter(),
              record.by(),
              record.created(),
              record.require(),
              0,
              record.author(),
              record.source(),
              record.set(),
              record.highestCounter(),
              record.unknown());
      return new Write.Put(put.key(), notEnded.json());
    }
    return write;
  }

  private static Transaction withoutTurnBack(Transaction transaction) {
    return new Transaction(
        transaction.conditions(), transaction.writes().stream().map(LeaderBugs::onward).toList());
  }

  private static Write onward(Write write) {
    if (write instanceof Write.Put put && put.key().startsWith(Keys.OPERATIONS)) {
      OperationRecord record = OperationRecord.of(new Entry(put.key(), put.value(), 1, 1));
      boolean turnsBack = record.operation().stage() == Operation.Stage.BACK;
      return turnsBack
          ? new Write.Put(
              put.key(),
              record.with(record.operation().withStage(Operation.Stage.FORWARD, "")).json())
          : write;
    }
    return write;
  }

  // ---- what it relies on

  private static PlantedBug reads(String text, UnaryOperator<Entry> altered) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public SharedRegistry store(SharedRegistry store) {
                return new AlteredStore(store) {
                  @Override
                  Entry read(Entry entry) {
                    return altered.apply(entry);
                  }
                };
              }
            });
  }

  private static Entry with(Entry entry, String value) {
    return new Entry(entry.key(), value, entry.created(), entry.modified(), entry.lease());
  }

  private static Entry drainingAll(Entry entry) {
    if (!entry.key().startsWith(Keys.SETTINGS)) {
      return entry;
    }
    SettingsRecord record = SettingsRecord.of(entry);
    return record
        .drain()
        .map(drain ->
            with(entry, record.withDrain(new Drain(MANY, drain.by(), drain.started())).json()))
        .orElse(entry);
  }

  private static Entry rollingOutAll(Entry entry) {
    if (!entry.key().startsWith(Keys.OPERATIONS)) {
      return entry;
    }
    OperationRecord record = OperationRecord.of(entry);
    if (record.operation().id().kind() != OperationId.Kind.ROLLOUT) {
      return entry;
    }
    return with(entry, record.with(record.operation().withMaxUnavailable(MANY)).json());
  }

  private static Wiring withMachine(UnaryOperator<Machine> altered) {
    return new Wiring() {
      @Override
      public Machine machine(Machine machine) {
        return altered.apply(machine);
      }
    };
  }

  private static Machine larger(Machine machine) {
    return new Machine(
            machine.id(),
            machine.bootId(),
            machine.publicIp(),
            machine.metadata(),
            machine.version())
        .withIsolation(machine.isolation())
        .withResources(new Resources(0, 2 * machine.total().memory(), 0), Resources.UNKNOWN);
  }

  // ---- how long it waits

  private static Wiring withSettings(UnaryOperator<EngineSettings> altered) {
    return new Wiring() {
      @Override
      public EngineSettings settings(EngineSettings settings) {
        return altered.apply(settings);
      }
    };
  }

  private static EngineSettings impatient(EngineSettings settings) {
    return new EngineSettings(
            Duration.ofMillis(1),
            Duration.ZERO,
            Duration.ZERO,
            settings.storm(),
            settings.safetyPass(),
            settings.eventsKept(),
            settings.observerIdle(),
            settings.standby(),
            settings.rest(),
            settings.reach(),
            settings.patience(),
            settings.meter())
        .with(changed -> changed.reportsAwaited = Duration.ZERO);
  }

  private static final class Continuous extends AlteredLeadership {
    Continuous(Leadership real) {
      super(real);
    }

    @Override
    Term begun(Term term) {
      return new Term(term.token(), true, false);
    }
  }

  private static final class CertainForEver extends AlteredLeadership {
    private volatile boolean led;

    CertainForEver(Leadership real) {
      super(real);
    }

    @Override
    public boolean isCertain() {
      led |= super.isCertain();
      return led;
    }

    @Override
    public Optional<Duration> confirmedAgo() {
      return isCertain() ? Optional.of(Duration.ZERO) : super.confirmedAgo();
    }
  }

  // ---- what it hears and says

  private static Wiring withLostChanges(SimulatedProcess process) {
    return new Wiring() {
      @Override
      public SharedRegistry store(SharedRegistry store) {
        return new AlteredStore(store) {
          @Override
          boolean tells(Delta delta) {
            return !process.simulation().chance(SELDOM);
          }
        };
      }
    };
  }

  private static Wiring withAnyAnswer(SimulatedProcess process) {
    return new Wiring() {
      @Override
      public EngineCoordination engine(EngineCoordination coordination) {
        return new AnyAnswer(coordination);
      }
    };
  }

  /** Takes what a machine says of a unit for an answer to what it was told last. */
  private static final class AnyAnswer extends AlteredMachines {
    private final Map<String, ScheduleEntry> last = new HashMap<>();

    AnyAnswer(EngineCoordination real) {
      super(real);
    }

    @Override
    synchronized void sent(String machine, ScheduleEntry entry) {
      last.put(machine + "/" + entry.unit(), entry);
    }

    @Override
    synchronized AgentReport heard(String machine, AgentReport report) {
      ScheduleEntry entry = last.get(machine + "/" + report.unit());
      return report instanceof AgentReport.Gone && entry != null
          ? new AgentReport.Gone(report.unit(), entry.incarnation(), entry.revision())
          : report;
    }
  }

  private static Wiring withLostDeltas(SimulatedProcess process) {
    return new Wiring() {
      @Override
      public EngineCoordination engine(EngineCoordination coordination) {
        return new AlteredMachines(coordination) {
          @Override
          boolean tells(String machine) {
            return !process.simulation().chance(OFTEN);
          }
        };
      }
    };
  }
}
