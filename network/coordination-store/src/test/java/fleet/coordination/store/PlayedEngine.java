package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EngineCoordination;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.BidRecord;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.ReportRecord;
import fleet.registry.records.ScheduleRecord;
import java.util.List;

/** Does with the store what a leading engine does, as far as machines see it. */
public final class PlayedEngine {

  private final Registry registry;

  public PlayedEngine(Registry registry) {
    this.registry = registry;
  }

  /** The listener hears from now on of what machines write. */
  public Watch hear(EngineCoordination.Listener listener) {
    Snapshot snapshot = registry.read("");
    snapshot.entries().forEach(entry -> written(entry, listener));
    return registry.watch(
        "",
        snapshot,
        new Watcher() {
          @Override
          public void changed(Delta delta) {
            for (Change change : delta.changes()) {
              switch (change) {
                case Change.Written written -> PlayedEngine.this.written(written.entry(), listener);
                case Change.Deleted deleted -> deleted(deleted.key(), listener);
              }
            }
          }

          @Override
          public void failed(RegistryException why) {
            // The listener hears nothing more, which who waits for it notices.
          }
        });
  }

  /** An entry that cannot be read is passed over. */
  private void written(Entry entry, EngineCoordination.Listener listener) {
    try {
      tell(entry, listener);
    } catch (RegistryException e) {
      assertThat(e).hasMessageContaining(entry.key());
    }
  }

  private static void tell(Entry entry, EngineCoordination.Listener listener) {
    if (entry.key().startsWith(Keys.MACHINES)) {
      listener.present(MachineRecord.of(entry).machine());
    } else if (entry.key().startsWith(Keys.STATES)) {
      listener.reported(Keys.machineOf(entry.key()), List.of(ReportRecord.of(entry).report()));
    } else if (entry.key().startsWith(Keys.BIDS)) {
      BidRecord record = BidRecord.of(entry);
      listener.bid(record.machine(), record.bid());
    }
  }

  private static void deleted(String key, EngineCoordination.Listener listener) {
    if (key.startsWith(Keys.MACHINES)) {
      listener.absent(Keys.machineOf(key), "its lease has ended");
    } else if (key.startsWith(Keys.STATES)) {
      listener.reported(Keys.machineOf(key), List.of(new AgentReport.Freed(Keys.unitOf(key))));
    }
  }

  public void schedule(String machine, ScheduleEntry entry) {
    write(Keys.schedule(machine, entry.unit()), entry);
  }

  public void scheduleGlobal(ScheduleEntry entry) {
    write(Keys.global(entry.unit()), entry);
  }

  private void write(String key, ScheduleEntry entry) {
    String sha256 = entry.file().sha256();
    ScheduleRecord record =
        new ScheduleRecord(
                entry.incarnation(),
                sha256,
                entry.file().hash(),
                entry.target(),
                entry.restartCounter())
            .withRequire(entry.require());
    registry.commit(
        Transaction.when()
            .put(Keys.file(sha256), new FileRecord(entry.file().render()).json())
            .put(key, record.json())
            .build());
  }

  public void unschedule(String machine, UnitName unit) {
    delete(Keys.schedule(machine, unit));
  }

  public void delete(String key) {
    registry.commit(Transaction.when().delete(key).build());
  }

  public void put(String key, String value) {
    registry.commit(Transaction.when().put(key, value).build());
  }
}
