package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Instant;

/**
 * One change of the cluster.
 *
 * @param revision of the registry when it happened
 */
public record Event(EventId id, long revision, Instant time, Body body) {

  /** What changed. */
  public sealed interface Body {

    /** The API's name of this kind of event. */
    String name();
  }

  /** A unit is new, or something about it changed: content, desired or current state, place. */
  public record UnitChanged(UnitView unit) implements Body {
    @Override
    public String name() {
      return "unit";
    }
  }

  public record UnitDestroyed(UnitName unit) implements Body {
    @Override
    public String name() {
      return "unit-destroyed";
    }
  }

  public record StateChanged(UnitState state) implements Body {
    @Override
    public String name() {
      return "state";
    }
  }

  /** A machine no longer has the unit. */
  public record StateGone(UnitName unit, String machine) implements Body {
    @Override
    public String name() {
      return "state-gone";
    }
  }

  /** A machine came, or its description changed. */
  public record MachineChanged(Machine machine) implements Body {
    @Override
    public String name() {
      return "machine";
    }
  }

  public record MachineGone(String machine, String why) implements Body {
    @Override
    public String name() {
      return "machine-gone";
    }
  }

  /** Events between the asked position and this one are no longer kept: read everything again. */
  public record Gap() implements Body {
    @Override
    public String name() {
      return "gap";
    }
  }
}
