package fleet.fleetctl.client;

import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import fleet.entities.UnitPutResultEntity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Creates, replaces and changes many units in few requests. Safe for use by many threads. */
public final class UnitPutClient {

  /** Large enough to cost little per unit, small enough for fleetd to begin early. */
  private static final int UNITS = 200;

  /** Half of what fleetd takes, as escapes make a text longer. */
  private static final int CHARACTERS = 1 << 20;

  private static final int CHARACTERS_OF_OPTION = 40;

  private final FleetClient client;

  public UnitPutClient(FleetClient client) {
    this.client = client;
  }

  /**
   * Puts a unit for each of some things; refused ones do not hinder others.
   *
   * @param refused takes each thing whose unit was refused, and why
   * @return the other things, in their order
   */
  public <T> List<T> put(
      List<T> things, Function<T, UnitEntity> unit, BiConsumer<T, String> refused) {
    List<String> problems =
        Parallel.map(requests(things.stream().map(unit).toList()), this::request).stream()
            .flatMap(List::stream)
            .toList();
    List<T> put = new ArrayList<>();
    for (int i = 0; i < things.size(); i++) {
      if (problems.get(i).isEmpty()) {
        put.add(things.get(i));
      } else {
        refused.accept(things.get(i), problems.get(i));
      }
    }
    return put;
  }

  private static List<List<UnitEntity>> requests(List<UnitEntity> units) {
    List<List<UnitEntity>> requests = new ArrayList<>();
    List<UnitEntity> request = new ArrayList<>();
    long characters = 0;
    for (UnitEntity unit : units) {
      long more = characters(unit);
      if (!request.isEmpty() && (request.size() == UNITS || characters + more > CHARACTERS)) {
        requests.add(request);
        request = new ArrayList<>();
        characters = 0;
      }
      request.add(unit);
      characters += more;
    }
    if (!request.isEmpty()) {
      requests.add(request);
    }
    return requests;
  }

  private static long characters(UnitEntity unit) {
    long characters = (long) CHARACTERS_OF_OPTION + unit.text().length();
    for (UnitOptionEntity option : unit.options()) {
      characters += CHARACTERS_OF_OPTION + option.name().length() + option.value().length();
    }
    for (String asked : unit.require()) {
      characters += CHARACTERS_OF_OPTION + asked.length();
    }
    return characters;
  }

  private List<String> request(List<UnitEntity> units) {
    if (units.size() == 1) {
      return List.of(one(units.getFirst()));
    }
    try {
      Optional<List<UnitPutResultEntity>> results = client.put(units);
      return results.isPresent() ? problems(results.get()) : Parallel.map(units, this::one);
    } catch (FleetException e) {
      return Collections.nCopies(units.size(), message(e));
    }
  }

  private static List<String> problems(List<UnitPutResultEntity> results) {
    return results.stream().map(UnitPutClient::problem).toList();
  }

  private static String problem(UnitPutResultEntity result) {
    String message = result.message();
    return message.isEmpty() ? "" : message(new ApiException(result.status(), message));
  }

  private String one(UnitEntity unit) {
    try {
      client.put(unit);
      return "";
    } catch (FleetException e) {
      return message(e);
    }
  }

  private static String message(FleetException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
