package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.unit.UnitName;
import fleet.entities.IntentEntity;
import fleet.entities.UnitEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans: what would follow from a command. */
final class PlanResource {

  void answer(Exchange exchange) throws IOException {
    Intent intent = intent(exchange.cluster(), exchange.json(IntentEntity.class));
    Plan plan = exchange.cluster().plan(intent);
    if (!plan.refusal().isEmpty()) {
      throw new RefusedException(409, plan.refusal());
    }
    exchange.reply(EntityMapper.plan(plan));
  }

  private static Intent intent(Cluster cluster, IntentEntity asked) {
    long given =
        Stream.of(
                !asked.units().isEmpty(),
                !asked.destroy().isEmpty(),
                !asked.drain().isEmpty(),
                !asked.lose().isEmpty(),
                asked.rebalance() != null)
            .filter(one -> one)
            .count();
    if (given != 1) {
      throw RefusedException.badRequest("expect one of units, destroy, drain, lose and rebalance");
    }
    if (!asked.units().isEmpty()) {
      return new Intent.Put(puts(cluster, asked.units()));
    }
    if (!asked.destroy().isEmpty()) {
      return new Intent.Destroy(UnitsResource.names(asked.destroy()));
    }
    if (!asked.drain().isEmpty()) {
      return new Intent.Drain(known(cluster, asked.drain()), maxUnavailable(asked));
    }
    if (asked.rebalance() != null) {
      return new Intent.Rebalance(
          atLeastOne("within", asked.rebalance().within(), 1),
          atLeastOne("moves", asked.rebalance().moves(), Intent.Rebalance.MOST_MOVES),
          maxUnavailable(asked));
    }
    return new Intent.Lose(known(cluster, asked.lose()));
  }

  private static int maxUnavailable(IntentEntity asked) {
    return atLeastOne("maxUnavailable", asked.maxUnavailable(), 1);
  }

  private static int atLeastOne(String name, @Nullable Integer number, int otherwise) {
    int given = Optional.ofNullable(number).orElse(otherwise);
    if (given < 1) {
      throw RefusedException.badRequest(name + " must be at least 1, not " + given);
    }
    return given;
  }

  private static String known(Cluster cluster, String machine) {
    if (cluster.machines().stream().noneMatch(view -> view.id().equals(machine))) {
      throw new RefusedException(404, "no machine that is there has the id " + machine);
    }
    return machine;
  }

  private static List<UnitPut> puts(Cluster cluster, List<UnitEntity> asked) {
    Function<UnitName, Optional<Unit>> existing = PutRequest.existing(cluster, asked);
    List<UnitPut> puts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (UnitEntity unit : asked) {
      String name = unit.name();
      if (!names.add(name)) {
        throw RefusedException.badRequest("unit \"" + name + "\" is named twice");
      }
      puts.add(PutRequest.of(name, unit, existing));
    }
    return puts;
  }
}
