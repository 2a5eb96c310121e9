package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.Intent;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.unit.UnitName;
import fleet.entities.IntentEntity;
import fleet.entities.UnitEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Plans: what would follow if something were asked for. */
final class PlanResource {

  private final Cluster cluster;

  PlanResource(Cluster cluster) {
    this.cluster = cluster;
  }

  void answer(Exchange exchange) throws IOException {
    exchange.allow("only POST supported against this resource", "POST");
    PutRequest.checkContentType(exchange);
    Intent intent = intent(exchange.body(IntentEntity.class));
    exchange.reply(EntityOf.plan(cluster.plan(intent)));
  }

  private Intent intent(IntentEntity asked) {
    long given =
        Stream.of(asked.units(), asked.destroy(), asked.drain(), asked.lose())
            .filter(Objects::nonNull)
            .count();
    if (given != 1) {
      throw RefusedException.badRequest("expect one of units, destroy, drain and lose");
    }
    if (asked.units() != null) {
      return new Intent.Put(puts(asked.units()));
    }
    if (asked.destroy() != null) {
      return new Intent.Destroy(UnitsResource.names(asked.destroy()));
    }
    if (asked.drain() != null) {
      int most = Optional.ofNullable(asked.maxUnavailable()).orElse(1);
      if (most < 1) {
        throw RefusedException.badRequest("maxUnavailable must be at least 1, not " + most);
      }
      return new Intent.Drain(known(asked.drain()), most);
    }
    return new Intent.Lose(known(Objects.requireNonNull(asked.lose())));
  }

  private String known(String machine) {
    if (cluster.machines().stream().noneMatch(view -> view.id().equals(machine))) {
      throw new RefusedException(404, "no machine that is there has the id " + machine);
    }
    return machine;
  }

  private List<UnitPut> puts(List<UnitEntity> asked) {
    Function<UnitName, Optional<UnitView>> existing = PutRequest.existing(cluster, asked);
    List<UnitPut> puts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (UnitEntity unit : asked) {
      String name = Objects.requireNonNullElse(unit.name(), "");
      if (!names.add(name)) {
        throw RefusedException.badRequest("unit \"" + name + "\" is named twice");
      }
      puts.add(PutRequest.of(name, unit, existing));
    }
    return puts;
  }
}
