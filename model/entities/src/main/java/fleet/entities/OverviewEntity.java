package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at a glance.
 *
 * @param leader the id of the machine whose engine decides; empty if it is not known
 * @param leaderSince when it began to lead; empty if that is not known
 * @param machines how many are in each state
 * @param units how many are in each state, each unit counted once
 * @param versions how many machines run each version of fleet
 * @param problems the first of them
 * @param problemCounts how many there are of each kind, all of them
 * @param operations under way, without their steps
 * @param pause absent if rescheduling does not pause
 * @param store absent if the caller may not see it
 */
@Json
public record OverviewEntity(
    String leader,
    String leaderSince,
    Map<String, Integer> machines,
    Map<String, Integer> units,
    Map<String, Integer> versions,
    List<ProblemEntity> problems,
    Map<String, Integer> problemCounts,
    List<OperationEntity> operations,
    @Nullable PauseEntity pause,
    @Nullable StoreHealthEntity store)
    implements Entity {

  public OverviewEntity {
    leader = Empty.ifAbsent(leader);
    leaderSince = Empty.ifAbsent(leaderSince);
    machines = Empty.ifAbsent(machines);
    units = Empty.ifAbsent(units);
    versions = Empty.ifAbsent(versions);
    problems = Empty.ifAbsent(problems);
    problemCounts = Empty.ifAbsent(problemCounts);
    operations = Empty.ifAbsent(operations);
  }
}
