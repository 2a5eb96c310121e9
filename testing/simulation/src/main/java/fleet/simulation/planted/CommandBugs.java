package fleet.simulation.planted;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import fleet.simulation.Wiring;
import fleet.simulation.run.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Bugs of commands: acknowledged and not written, written late, or written more than once. */
final class CommandBugs {

  private static final double NOW_AND_THEN = 0.1;
  private static final Duration LATE = Duration.ofMillis(400);

  private CommandBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        commits("a command is acknowledged and not written", NotWritten::new),
        commits("a command is acknowledged before it is written", WrittenLate::new),
        commits("a restart counts twice", CountedTwice::new),
        commits("a command overwrites what others have asked for meanwhile", Unconditional::new),
        new PlantedBug(
            "a reader is shown what was a while ago",
            process ->
                new Wiring() {
                  @Override
                  public SharedRegistry store(SharedRegistry store) {
                    return new Deaf(store, process);
                  }
                }));
  }

  private interface Made {
    SharedRegistry of(SharedRegistry store, SimulatedProcess process);
  }

  private static PlantedBug commits(String text, Made made) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public SharedRegistry store(SharedRegistry store) {
                return made.of(store, process);
              }
            });
  }

  private abstract static class Altered extends AlteredStore {
    private final SimulatedProcess process;

    Altered(SharedRegistry real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    SimulatedProcess process() {
      return process;
    }

    boolean nowAndThen() {
      return process.simulation().chance(NOW_AND_THEN);
    }

    static boolean isCommand(Transaction transaction) {
      return !LeaderBugs.isLeaders(transaction)
          && transaction.writes().stream().anyMatch(write -> write.key().startsWith(Keys.UNITS));
    }

    final Outcome forReal(Transaction transaction) {
      return super.commit(transaction);
    }

    final Outcome asIfWritten() {
      return new Outcome.Committed(read(Keys.UNITS).revision());
    }
  }

  private static final class NotWritten extends Altered {
    NotWritten(SharedRegistry real, SimulatedProcess process) {
      super(real, process);
    }

    @Override
    public Outcome commit(Transaction transaction) {
      return isCommand(transaction) && nowAndThen() ? asIfWritten() : forReal(transaction);
    }
  }

  private static final class WrittenLate extends Altered {
    WrittenLate(SharedRegistry real, SimulatedProcess process) {
      super(real, process);
    }

    @Override
    public Outcome commit(Transaction transaction) {
      if (!isCommand(transaction)) {
        return forReal(transaction);
      }
      process().spawn("late", () -> write(transaction));
      return asIfWritten();
    }

    private void write(Transaction transaction) {
      process().sleep(LATE);
      try {
        Outcome _ = forReal(transaction);
      } catch (RegistryException e) {
        process().simulation().remark("a command that was acknowledged is lost: " + e);
      }
    }
  }

  private static final class CountedTwice extends Altered {
    CountedTwice(SharedRegistry real, SimulatedProcess process) {
      super(real, process);
    }

    @Override
    public Outcome commit(Transaction transaction) {
      Outcome outcome = forReal(transaction);
      if (isCommand(transaction)
          && outcome instanceof Outcome.Committed
          && transaction.writes().size() == 1
          && transaction.writes().getFirst() instanceof Write.Put put) {
        UnitRecord record = UnitRecord.of(new Entry(put.key(), put.value(), 1, 1));
        Optional<Entry> now = get(put.key());
        if (record.restartCounter() > 1 && now.isPresent()) {
          return forReal(
              Transaction.when()
                  .unmodified(now.get())
                  .put(put.key(), record.withAnotherStart(record.by()).json())
                  .build());
        }
      }
      return outcome;
    }
  }

  private static final class Unconditional extends Altered {
    Unconditional(SharedRegistry real, SimulatedProcess process) {
      super(real, process);
    }

    @Override
    public Outcome commit(Transaction transaction) {
      if (!isCommand(transaction)) {
        return forReal(transaction);
      }
      // The entry to be overwritten has time to become something else.
      process().sleep(LATE);
      return forReal(new Transaction(List.of(), transaction.writes()));
    }
  }

  /** Tells whoever watches half a minute late. */
  private static final class Deaf extends AlteredStore {
    private static final Duration BEHIND = Duration.ofSeconds(30);

    private final SimulatedProcess process;

    Deaf(SharedRegistry real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    boolean tells(Delta delta) {
      if (process.simulation().chance(0.01)) {
        process.sleep(BEHIND);
      }
      return true;
    }
  }
}
