package fleet.fleetctl.wait;

import fleet.entities.AuthoritiesEntity;
import fleet.entities.BehindEntity;
import fleet.entities.RotationEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows the replacement of the authority until it is over, or waits only for absent machines. It
 * outlives the daemon, as {@link UnitWait} does.
 */
public final class RotationMonitor {

  private final FleetClient client;
  private final Output output;
  private final int windows;
  private final Map<String, String> pending = new LinkedHashMap<>();
  private String stage = "";
  private boolean complete;

  /**
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public RotationMonitor(FleetClient client, Output output, int windows) {
    this.client = client;
    this.output = output;
    this.windows = windows;
  }

  /**
   * Returns once nothing more happens by itself, with whether the former authority is no longer
   * trusted.
   */
  public boolean follow() {
    boolean _ =
        new ProgressMonitor(client, output, List.of("command"), windows).follow(new Replacement());
    return complete;
  }

  private final class Replacement implements ProgressMonitor.Subject {
    @Override
    public boolean isOver() throws FleetException {
      AuthoritiesEntity now = client.machines().authorities();
      pending.clear();
      RotationEntity rotation = now.rotation();
      if (rotation == null) {
        complete = true;
        say("The authority is replaced.");
        return true;
      }
      boolean signing = "signing".equals(rotation.stage());
      say(
          signing
              ? "The new authority signs; machines renew their certificates."
              : "Machines learn of the new authority.");
      List<BehindEntity> away = new ArrayList<>();
      for (BehindEntity machine : now.machines()) {
        if (machine.awaited() && machine.present()) {
          pending.put(
              "machine " + MachineNames.shortId(machine.machine()),
              signing ? "has no certificate by it yet" : "does not know it yet");
        } else if (machine.awaited()) {
          away.add(machine);
        }
      }
      if (away.isEmpty() || !pending.isEmpty()) {
        return false;
      }
      tellAway(away, rotation);
      return true;
    }

    @Override
    public Map<String, String> pending() {
      return pending;
    }

    @Override
    public String goesOn() {
      return "The replacement of the authority continues: run \"fleetctl ca rotate\" again to follow it,"
          + " or see \"fleetctl ca status\".";
    }
  }

  private void say(String text) {
    if (!text.equals(stage)) {
      stage = text;
      output.clearStatus();
      output.line(text);
      output.flush();
    }
  }

  private void tellAway(List<BehindEntity> away, RotationEntity rotation) {
    output.clearStatus();
    away.forEach(machine ->
        output.problem(
            "Machine %s is away; its certificate by the former authority ends %s"
                .formatted(
                    machine.machine(),
                    machine.ends().isEmpty() ? "at some time" : LocalTimes.of(machine.ends()))));
    output.problem(
        "The former authority is believed until these have come back, or their certificates have ended,"
            + " until %s at the latest. \"fleetctl ca rotate --finish\" ends it now: they then need a"
                .formatted(rotation.until().isEmpty() ? "then" : LocalTimes.of(rotation.until()))
            + " token to come back.");
  }
}
