package fleet.cluster.rpc;

import fleet.cluster.NewRollout;
import fleet.cluster.RolloutChange;
import fleet.cluster.RolloutProgress;
import fleet.cluster.RolloutProgress.OfUnit;
import fleet.cluster.RolloutProgress.Standing;
import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.FoundRollout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rollouts as messages. */
final class RolloutMessages {

  private RolloutMessages() {}

  /**
   * @param atLeast a revision of the store that is to be seen
   */
  static Command.RollOut message(NewRollout wanted, long atLeast) {
    return Command.RollOut.newBuilder()
        .setName(wanted.name().value())
        .setFile(wanted.file().render())
        .setMaxUnavailable(wanted.maxUnavailable())
        .setHealthySeconds(wanted.healthy().toSeconds())
        .setAtLeast(atLeast)
        .build();
  }

  static NewRollout wanted(Command.RollOut message) throws MalformedMessageException {
    return new NewRollout(
        UnitNames.of(message.getName()),
        new UnitFiles.Received().add(message.getFile()),
        DrainMessages.maxUnavailable(message.getMaxUnavailable()),
        Duration.ofSeconds(message.getHealthySeconds()));
  }

  static Command.ChangeRollout message(UnitName name, RolloutChange change) {
    return Command.ChangeRollout.newBuilder()
        .setName(name.value())
        .setChange(change.text())
        .build();
  }

  static RolloutChange change(Command.ChangeRollout message) throws MalformedMessageException {
    return RolloutChange.ofText(message.getChange())
        .orElseThrow(() ->
            new MalformedMessageException(
                "fleetd of the leader is too old to " + message.getChange() + " a rollout"));
  }

  /** Without its units. */
  static FoundRollout message(RolloutProgress progress) {
    return message(progress.rollout()).toBuilder().setWaitsFor(progress.waitsFor()).build();
  }

  static FoundRollout message(Rollout rollout) {
    return FoundRollout.newBuilder()
        .setName(rollout.name().value())
        .setHash(rollout.hash())
        .setMaxUnavailable(rollout.maxUnavailable())
        .setHealthySeconds(rollout.healthy().toSeconds())
        .setStage(rollout.stage().text())
        .setPaused(rollout.paused())
        .setBy(rollout.by())
        .setWhy(rollout.why())
        .setStartedMillis(rollout.started().toEpochMilli())
        .build();
  }

  static FoundRollout message(Rollout rollout, OfUnit unit) {
    return FoundRollout.newBuilder()
        .setName(rollout.name().value())
        .addUnits(
            FoundRollout.Unit.newBuilder()
                .setName(unit.unit().value())
                .setStanding(unit.standing().text())
                .setHow(unit.how()))
        .build();
  }

  static Rollout rollout(FoundRollout message) throws MalformedMessageException {
    return new Rollout(
        UnitNames.of(message.getName()),
        message.getHash(),
        DrainMessages.maxUnavailable(message.getMaxUnavailable()),
        Duration.ofSeconds(message.getHealthySeconds()),
        Stage.ofText(message.getStage())
            .orElseThrow(() ->
                new MalformedMessageException(
                    "\"" + message.getStage() + "\" is no stage of a rollout")),
        message.getPaused(),
        message.getBy(),
        message.getWhy(),
        Instant.ofEpochMilli(message.getStartedMillis()));
  }

  /** What only a later version knows is on its way, at least. */
  static OfUnit unit(FoundRollout.Unit message) throws MalformedMessageException {
    return new OfUnit(
        UnitNames.of(message.getName()),
        Standing.ofText(message.getStanding()).orElse(Standing.COMING),
        message.getHow());
  }

  /** Gathers how far one is out of the parts of the answer. */
  static final class Received {
    private final List<OfUnit> units = new ArrayList<>();
    private Optional<Rollout> rollout = Optional.empty();
    private String waitsFor = "";

    void add(FoundRollout message) throws MalformedMessageException {
      if (rollout.isEmpty()) {
        rollout = Optional.of(rollout(message));
        waitsFor = message.getWaitsFor();
      }
      for (FoundRollout.Unit unit : message.getUnitsList()) {
        units.add(unit(unit));
      }
    }

    Optional<RolloutProgress> progress() {
      return rollout.map(known -> new RolloutProgress(known, waitsFor, units));
    }
  }
}
