package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.SharedMachines;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Units of a fleet 1.0 cluster on a machine of this one. */
@ExtendWith(MachinesExtension.class)
class ImportTest {

  private static final String ROOT = "/_coreos.com/fleet";
  private static final String SLEEP = "[Service]\\nExecStart=/bin/sleep infinity\\n";

  @Test
  void aUnitWhoseKeysWereSavedRunsHere(SharedMachines machines) throws Exception {
    FleetMachine fleet = machines.server();
    fleet.machine().write("/root/keys.json", keys("imported.service"));

    assertThat(fleet.fleetctl("import", "keys.json").ok()).as("nobody agreed").isFalse();
    assertThat(fleet.succeed("import", "--yes", "keys.json"))
        .startsWith("imported.service  new, launched\n");
    fleet.awaitState("imported.service", "active running");
    assertThat(fleet.succeed("import", "keys.json")).endsWith(": 1 the same");
    fleet.succeed("destroy", "imported.service");
  }

  /** As etcd's API v2 has them. */
  private static String keys(String unit) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-1")
            .digest(SLEEP.translateEscapes().getBytes(StandardCharsets.UTF_8));
    var numbers = new StringJoiner(",");
    for (byte part : hash) {
      numbers.add(Integer.toString(part & 0xff));
    }
    return """
    {"action":"get","node":{"key":"%1$s","dir":true,"nodes":[
    {"key":"%1$s/job/%2$s","dir":true,"nodes":[
    {"key":"%1$s/job/%2$s/object","value":"{\\"Name\\":\\"%2$s\\",\\"UnitHash\\":[%3$s]}"},
    {"key":"%1$s/job/%2$s/target-state","value":"launched"}]},
    {"key":"%1$s/unit/%4$s","value":"{\\"Raw\\":\\"%5$s\\"}"}]}}
    """
        .formatted(
            ROOT, unit, numbers, HexFormat.of().formatHex(hash), SLEEP.replace("\\", "\\\\"));
  }
}
