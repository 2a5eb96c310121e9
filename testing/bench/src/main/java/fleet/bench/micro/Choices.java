package fleet.bench.micro;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.scheduler.ClusterLayout;
import fleet.scheduler.Decision;
import fleet.scheduler.Demand;
import fleet.scheduler.Scheduler;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One placement, on a cluster with ten units a machine. */
@State(Scope.Benchmark)
public class Choices {

  private static final int UNITS_PER_MACHINE = 10;
  private static final UnitName NEW = UnitName.of("new@1.service");

  /** How many machines there are. */
  @Param({"1", "100"})
  public int machines;

  private final Scheduler scheduler = new Scheduler();
  private final ClusterLayout layout = new ClusterLayout();
  private final Requirements plain = requirements("");
  private final Requirements demanding =
      requirements("MachineMetadata=region=eu\nConflicts=new@*.service\n");

  /** Makes the cluster: every other machine is in the region that is asked for. */
  @Setup
  public void populate() {
    for (int machine = 0; machine < machines; machine++) {
      String id = "%032x".formatted(machine);
      String region = machine % 2 == 0 ? "eu" : "us";
      layout.putMachine(new Machine(id, "boot", "10.0.0.1", Map.of("region", region), "2.0.0"));
      for (int unit = 0; unit < UNITS_PER_MACHINE; unit++) {
        UnitName name = UnitName.of("web@%d-%d.service".formatted(machine, unit));
        layout.place(name, plain, id);
      }
    }
  }

  /** A unit that goes anywhere. */
  @Benchmark
  public Decision choosePlain() {
    return scheduler.choose(new Demand(NEW, plain), layout);
  }

  /** One that asks for a region and keeps away from its kind. */
  @Benchmark
  public Decision chooseDemanding() {
    return scheduler.choose(new Demand(NEW, demanding), layout);
  }

  private static Requirements requirements(String lines) {
    try {
      return Requirements.of(NEW, UnitFile.parse("[X-Fleet]\n" + lines));
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
