package fleet.fleetd;

import fleet.coordination.Leadership;
import fleet.registry.etcd.Compaction;
import fleet.registry.etcd.EtcdRegistry;
import java.util.Optional;

/** A candidate that, if it is configured to, compacts etcd's history for as long as it leads. */
final class CompactionTask implements Leadership.Candidate {

  private final EtcdRegistry registry;
  private final Leadership.Candidate engine;
  private Optional<Compaction> compaction = Optional.empty();

  CompactionTask(EtcdRegistry registry, Leadership.Candidate engine) {
    this.registry = registry;
    this.engine = engine;
  }

  @Override
  public void lead(Leadership.Term term) {
    engine.lead(term);
    try {
      compaction = registry.startCompacting();
    } catch (RuntimeException e) {
      // A candidate that could not begin to lead is not told to retire, so the engine is told here.
      engine.retire("compaction cannot begin");
      throw e;
    }
  }

  @Override
  public void retire(String why) {
    compaction.ifPresent(Compaction::close);
    compaction = Optional.empty();
    engine.retire(why);
  }

  @Override
  public void keepReady(boolean ready) {
    engine.keepReady(ready);
  }
}
