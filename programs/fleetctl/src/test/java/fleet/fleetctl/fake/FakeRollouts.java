package fleet.fleetctl.fake;

import fleet.core.unit.UnitName;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.entities.OperationEntity;
import fleet.entities.RolloutRequestEntity;
import fleet.entities.StepEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rollouts that are over at once: well, or with a description of {@code fail the rollout} reverted.
 */
final class FakeRollouts {

  private final FakeDaemon daemon;
  private final Map<String, OperationEntity> operations = new LinkedHashMap<>();
  private final EntityJson json = new EntityJson();

  FakeRollouts(FakeDaemon daemon) {
    this.daemon = daemon;
  }

  synchronized List<String> names() {
    return operations.values().stream().map(OperationEntity::subject).toList();
  }

  boolean begin(Request request, String subject, OutputStream out) throws IOException {
    try {
      byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
      RolloutRequestEntity wanted = json.read(RolloutRequestEntity.class, body);
      if (describes(wanted, "not in turns")) {
        return FakeHttpServer.reply(
            out,
            409,
            "{\"error\":{\"code\":409,\"message\":\"everywhere\",\"type\":\"not-in-turns\"}}");
      }
      begin(subject, wanted);
      return FakeHttpServer.reply(out, 201, "");
    } catch (InvalidJsonException e) {
      return FakeHttpServer.refuse(out, 400, "unable to decode body");
    }
  }

  private synchronized void begin(String subject, RolloutRequestEntity wanted) {
    List<UnitEntity> units = new ArrayList<>();
    for (UnitEntity unit : daemon.allUnits()) {
      boolean isOne =
          unit.name().equals(subject)
              || UnitName.of(unit.name()).template().equals(Optional.of(UnitName.of(subject)));
      if (isOne && !wanted.except().contains(unit.name())) {
        units.add(unit);
      }
    }
    boolean fails = describes(wanted, "fail the rollout");
    if (!fails) {
      units.forEach(unit -> daemon.give(unit, wanted.options()));
    }
    operations.put(subject, operation(subject, fails ? "undone" : "done", units));
  }

  /** Whether the description of the new content says how the rollout is to be. */
  private static boolean describes(RolloutRequestEntity wanted, String how) {
    return UnitReader.file(UnitEntity.of("", "", wanted.options()))
        .values("Unit", "Description")
        .contains(how);
  }

  private static OperationEntity operation(String subject, String stage, List<UnitEntity> units) {
    return new OperationEntity(
        "rollout-" + subject,
        "rollout",
        subject,
        "user a",
        "2026-01-01T00:00:00Z",
        stage,
        null,
        "",
        "",
        1,
        "",
        0,
        units.stream()
            .map(unit -> new StepEntity(unit.name(), "done", "", "", "is active"))
            .toList(),
        null);
  }

  private synchronized void revert(String id) {
    String subject = id.substring("rollout-".length());
    operations.put(subject, operation(subject, "undone", List.of()));
  }

  private synchronized Optional<OperationEntity> find(String id) {
    return operations.values().stream().filter(one -> one.id().equals(id)).findFirst();
  }

  /**
   * Answers a request about the operation of an id; one with three parts in its path reverts it.
   */
  boolean answer(Request request, String id, int parts, OutputStream out) throws IOException {
    if (parts == 3 && request.method().equals("POST")) {
      revert(id);
      return FakeHttpServer.reply(out, 204, "");
    }
    Optional<OperationEntity> found = parts == 2 ? find(id) : Optional.empty();
    return found.isPresent()
        ? FakeHttpServer.reply(
            out, 200, new String(json.write(found.get()), StandardCharsets.UTF_8))
        : FakeHttpServer.refuse(out, 404, "no such operation");
  }
}
