package fleet.fleetctl.fake;

import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.ResourcesEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The machine of a {@link FakeDaemon}, and others of which little is known. */
final class FakeDaemonMachines {

  private volatile String address = "10.0.0.3";
  private volatile List<MachineEntity> others = List.of();

  /** Has more machines, of which only ids and hostnames are known. */
  void others(Map<String, String> hostnamesById) {
    others =
        hostnamesById.entrySet().stream()
            .map(other ->
                new MachineEntity(
                    other.getKey(),
                    Map.of(),
                    "",
                    null,
                    null,
                    null,
                    null,
                    null,
                    other.getValue(),
                    "",
                    "",
                    "",
                    null,
                    "",
                    null,
                    "",
                    null))
            .toList();
  }

  /** Has the machine report another address. */
  void address(String now) {
    address = now;
  }

  MachinePageEntity page() {
    MachineEntity one =
        new MachineEntity(
            FakeDaemon.MACHINE,
            Map.of("region", "eu", "disk", "ssd"),
            address,
            new ResourcesEntity(3500L, null, 7L << 30, null),
            null,
            null,
            new ResourcesEntity(1500L, null, 1L << 29, null),
            new ResourcesEntity(4000L, 1L << 40, 8L << 30, null),
            "node1.example",
            "x86_64",
            "2.0.0",
            "server",
            true,
            "ready",
            2,
            "",
            null);
    List<MachineEntity> all = new ArrayList<>(List.of(one));
    all.addAll(others);
    return new MachinePageEntity(all, "");
  }
}
