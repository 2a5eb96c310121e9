package fleet.core.access;

import fleet.core.unit.UnitName;
import java.util.List;

/** The object of a request. */
public sealed interface Target {

  /** All that the subject may see: the answer leaves out the rest. */
  Target SOMETHING = new Something();

  /** The cluster as a whole. */
  Target CLUSTER = new Cluster();

  record Something() implements Target {
    @Override
    public String toString() {
      return "";
    }
  }

  record Cluster() implements Target {
    @Override
    public String toString() {
      return "the cluster";
    }
  }

  /**
   * A unit.
   *
   * @param places where it is; a global unit has several
   */
  record OfUnit(UnitName unit, List<Place> places) implements Target {
    public OfUnit {
      places = List.copyOf(places);
    }

    @Override
    public String toString() {
      return unit.value();
    }
  }

  record OfMachine(Place place) implements Target {
    @Override
    public String toString() {
      return "machine " + place.machine();
    }
  }
}
