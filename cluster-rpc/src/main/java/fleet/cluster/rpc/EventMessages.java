package fleet.cluster.rpc;

import fleet.cluster.Absences;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventsFrom;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.ClusterEvent;
import fleet.rpc.v1.EventPosition;
import fleet.rpc.v1.FollowEvents;
import java.time.Instant;
import java.util.Optional;

/** Events as messages. */
final class EventMessages {

  private EventMessages() {}

  static EventPosition message(EventId id) {
    return EventPosition.newBuilder().setEpoch(id.epoch()).setSequence(id.sequence()).build();
  }

  static EventId id(EventPosition message) {
    return new EventId(message.getEpoch(), message.getSequence());
  }

  static FollowEvents message(EventsFrom from) {
    FollowEvents.Builder message = FollowEvents.newBuilder();
    switch (from) {
      case EventsFrom.Now _ -> message.setNow(FollowEvents.Now.getDefaultInstance());
      case EventsFrom.Beginning _ ->
          message.setBeginning(FollowEvents.Beginning.getDefaultInstance());
      case EventsFrom.After(EventId id) -> message.setAfter(message(id));
      case EventsFrom.Since(Instant time) -> message.setSinceMillis(millis(time));
    }
    return message.build();
  }

  private static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
  }

  static EventsFrom from(FollowEvents message) {
    return switch (message.getFromCase()) {
      case BEGINNING -> EventsFrom.BEGINNING;
      case AFTER -> new EventsFrom.After(id(message.getAfter()));
      case SINCE_MILLIS -> new EventsFrom.Since(Instant.ofEpochMilli(message.getSinceMillis()));
      case NOW, FROM_NOT_SET -> EventsFrom.NOW;
    };
  }

  static ClusterEvent message(Event event, UnitFiles.Sent files) {
    Instant time = event.time();
    ClusterEvent.Builder message =
        ClusterEvent.newBuilder()
            .setPosition(message(event.id()))
            .setRevision(event.revision())
            .setTimeSeconds(time.getEpochSecond())
            .setTimeNanos(time.getNano());
    switch (event.body()) {
      case Event.UnitCommanded told -> message.setUnitTold(message(told));
      case Event.MachineCommanded told -> message.setMachineTold(message(told));
      case Event.TokenCommanded(String token, Event.Command command, String details, String by) ->
          message.setTokenTold(
              ClusterEvent.TokenTold.newBuilder()
                  .setToken(token)
                  .setCommand(command.text())
                  .setDetails(details)
                  .setBy(by));
      case Event.Configured(String setting, String value, String by) ->
          message.setConfigured(
              ClusterEvent.SettingTold.newBuilder().setSetting(setting).setValue(value).setBy(by));
      case Event.RolloutTold(UnitName rollout, String what, String by) ->
          message.setRollout(
              ClusterEvent.RolloutTold.newBuilder()
                  .setRollout(rollout.value())
                  .setWhat(what)
                  .setBy(by));
      case Event.Placed(UnitName unit, String machine, String why) ->
          message.setPlaced(place(unit, machine, "", why));
      case Event.Moved(UnitName unit, String from, String to, String why) ->
          message.setMoved(place(unit, to, from, why));
      case Event.Leaving(UnitName unit, String machine, String why) ->
          message.setLeaving(place(unit, machine, "", why));
      case Event.Left(UnitName unit, String machine, String why) ->
          message.setLeft(place(unit, machine, "", why));
      case Event.LeaderChanged(Optional<String> machine, String why) -> {
        ClusterEvent.LeaderNow.Builder leader = ClusterEvent.LeaderNow.newBuilder().setWhy(why);
        machine.ifPresent(leader::setMachine);
        message.setLeader(leader);
      }
      case Event.UnitChanged(UnitView unit) -> message.setUnit(ViewMessages.message(unit, files));
      case Event.UnitDestroyed(UnitName unit) -> message.setUnitDestroyed(unit.value());
      case Event.StateChanged(UnitState state) -> message.setState(ViewMessages.message(state));
      case Event.StateGone(UnitName unit, String machine) ->
          message.setStateGone(
              ClusterEvent.StateAway.newBuilder().setUnit(unit.value()).setMachine(machine));
      case Event.MachineChanged changed ->
          message.setMachine(
              ClusterEvent.MachineThere.newBuilder()
                  .setMachine(MachineMessages.message(changed.machine()))
                  .setJoined(changed.joined()));
      case Event.MachineGone(String machine, String why) ->
          message.setMachineGone(
              ClusterEvent.MachineAway.newBuilder().setMachine(machine).setWhy(why));
      case Event.ReschedulingPaused(Absences.Pause pause) ->
          message.setPaused(ViewMessages.message(pause));
      case Event.ReschedulingResumed(String by, String why) ->
          message.setResumed(why).setResumedBy(by);
      case Event.RebalanceCommanded told ->
          message.setRebalanceTold(RebalanceMessages.message(told));
      case Event.RebalanceEnded(String result) -> message.setRebalanceEnded(result);
      case Event.Gap() -> message.setGap(ClusterEvent.Missing.getDefaultInstance());
    }
    return message.build();
  }

  private static ClusterEvent.UnitTold message(Event.UnitCommanded told) {
    ClusterEvent.UnitTold.Builder message =
        ClusterEvent.UnitTold.newBuilder()
            .setUnit(told.unit().value())
            .setCommand(told.command().text())
            .setBy(told.by());
    told.desired().ifPresent(desired -> message.setDesired(desired.text()));
    return message.build();
  }

  private static ClusterEvent.MachineTold message(Event.MachineCommanded told) {
    return ClusterEvent.MachineTold.newBuilder()
        .setMachine(told.machine())
        .setCommand(told.command().text())
        .setDetails(told.details())
        .setBy(told.by())
        .build();
  }

  private static ClusterEvent.UnitPlace place(
      UnitName unit, String machine, String from, String why) {
    return ClusterEvent.UnitPlace.newBuilder()
        .setUnit(unit.value())
        .setMachine(machine)
        .setFrom(from)
        .setWhy(why)
        .build();
  }

  /** What a message tells; empty where only a later version knows what that is. */
  static Optional<Event> event(ClusterEvent message, UnitFiles.Received files)
      throws MalformedMessageException {
    return body(message, files)
        .map(body ->
            new Event(
                id(message.getPosition()),
                message.getRevision(),
                Instant.ofEpochSecond(message.getTimeSeconds(), message.getTimeNanos()),
                body));
  }

  private static Optional<Event.Body> body(ClusterEvent message, UnitFiles.Received files)
      throws MalformedMessageException {
    return switch (message.getBodyCase()) {
      case UNIT_TOLD -> told(message.getUnitTold());
      case MACHINE_TOLD -> told(message.getMachineTold());
      case TOKEN_TOLD -> {
        ClusterEvent.TokenTold told = message.getTokenTold();
        yield command(told.getCommand())
            .map(command ->
                new Event.TokenCommanded(
                    told.getToken(), command, told.getDetails(), told.getBy()));
      }
      case CONFIGURED -> {
        ClusterEvent.SettingTold told = message.getConfigured();
        yield Optional.of(new Event.Configured(told.getSetting(), told.getValue(), told.getBy()));
      }
      case ROLLOUT -> {
        ClusterEvent.RolloutTold told = message.getRollout();
        yield Optional.of(
            new Event.RolloutTold(UnitNames.of(told.getRollout()), told.getWhat(), told.getBy()));
      }
      case PLACED -> {
        ClusterEvent.UnitPlace place = message.getPlaced();
        yield Optional.of(new Event.Placed(unit(place), place.getMachine(), place.getWhy()));
      }
      case MOVED -> {
        ClusterEvent.UnitPlace place = message.getMoved();
        yield Optional.of(
            new Event.Moved(unit(place), place.getFrom(), place.getMachine(), place.getWhy()));
      }
      case LEAVING -> {
        ClusterEvent.UnitPlace place = message.getLeaving();
        yield Optional.of(new Event.Leaving(unit(place), place.getMachine(), place.getWhy()));
      }
      case LEFT -> {
        ClusterEvent.UnitPlace place = message.getLeft();
        yield Optional.of(new Event.Left(unit(place), place.getMachine(), place.getWhy()));
      }
      case LEADER -> {
        ClusterEvent.LeaderNow leader = message.getLeader();
        yield Optional.of(
            new Event.LeaderChanged(
                leader.hasMachine() ? Optional.of(leader.getMachine()) : Optional.empty(),
                leader.getWhy()));
      }
      case UNIT -> Optional.of(new Event.UnitChanged(ViewMessages.view(message.getUnit(), files)));
      case UNIT_DESTROYED ->
          Optional.of(new Event.UnitDestroyed(UnitNames.of(message.getUnitDestroyed())));
      case STATE -> Optional.of(new Event.StateChanged(ViewMessages.state(message.getState())));
      case STATE_GONE ->
          Optional.of(
              new Event.StateGone(
                  UnitNames.of(message.getStateGone().getUnit()),
                  message.getStateGone().getMachine()));
      case MACHINE ->
          Optional.of(
              new Event.MachineChanged(
                  MachineMessages.machine(message.getMachine().getMachine()),
                  message.getMachine().getJoined()));
      case MACHINE_GONE ->
          Optional.of(
              new Event.MachineGone(
                  message.getMachineGone().getMachine(), message.getMachineGone().getWhy()));
      case PAUSED ->
          Optional.of(new Event.ReschedulingPaused(ViewMessages.pause(message.getPaused())));
      case RESUMED ->
          Optional.of(new Event.ReschedulingResumed(message.getResumedBy(), message.getResumed()));
      case REBALANCE_TOLD -> RebalanceMessages.told(message.getRebalanceTold());
      case REBALANCE_ENDED -> Optional.of(new Event.RebalanceEnded(message.getRebalanceEnded()));
      case GAP -> Optional.of(new Event.Gap());
      case BODY_NOT_SET -> Optional.empty();
    };
  }

  private static UnitName unit(ClusterEvent.UnitPlace place) throws MalformedMessageException {
    return UnitNames.of(place.getUnit());
  }

  private static Optional<Event.Body> told(ClusterEvent.UnitTold message)
      throws MalformedMessageException {
    UnitName unit = UnitNames.of(message.getUnit());
    Optional<DesiredState> desired =
        message.hasDesired()
            ? Optional.of(ViewMessages.desired(message.getDesired()))
            : Optional.empty();
    return command(message.getCommand())
        .map(command -> new Event.UnitCommanded(unit, command, desired, message.getBy()));
  }

  private static Optional<Event.Body> told(ClusterEvent.MachineTold message) {
    return command(message.getCommand())
        .map(command ->
            new Event.MachineCommanded(
                message.getMachine(), command, message.getDetails(), message.getBy()));
  }

  private static Optional<Event.Command> command(String text) {
    for (Event.Command command : Event.Command.values()) {
      if (command.text().equals(text)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }
}
