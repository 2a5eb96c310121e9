package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Affinity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The present machines in a strategy's order: all of them, and those with a given metadata, so that
 * a choice looks at few. Changed machines are moved to their place at the next look.
 */
final class Ranking {

  private final Strategy strategy;
  private final MachineGroup all = new MachineGroup();
  private final Map<String, NavigableMap<String, MachineGroup>> byMetadata = new HashMap<>();
  private final Map<MachineInfo, Place> places = new HashMap<>();
  private final List<Place> changed = new ArrayList<>();

  /** Where a machine is found. */
  private static final class Place {
    private final MachineInfo machine;
    private final List<TreeLeaf> seats = new ArrayList<>();
    private final List<MachineGroup> groups = new ArrayList<>();
    private boolean pending;
    private Machine description;
    private Size size;

    Place(MachineInfo machine) {
      this.machine = machine;
      this.description = machine.machine();
      this.size = machine.size();
    }
  }

  Ranking(Strategy strategy) {
    this.strategy = strategy;
  }

  /** The machine has changed, came, or went. */
  void changed(MachineInfo machine) {
    Place place = places.computeIfAbsent(machine, Place::new);
    if (!place.pending) {
      place.pending = true;
      changed.add(place);
    }
  }

  /** Call before any look-up. */
  void settle() {
    for (Place place : changed) {
      place.pending = false;
      settle(place);
    }
    changed.clear();
  }

  private void settle(Place place) {
    MachineInfo machine = place.machine;
    int standing = machine.isPresent() ? strategy.standing(machine) : 0;
    boolean same = place.description.equals(machine.machine()) && !place.seats.isEmpty();
    if (machine.isPresent() && same) {
      for (TreeLeaf seat : place.seats) {
        seat.update(standing);
      }
      return;
    }
    takeOut(place);
    if (machine.isPresent()) {
      putIn(place, standing);
    } else {
      places.remove(machine);
    }
  }

  private void takeOut(Place place) {
    for (int i = 0; i < place.seats.size(); i++) {
      place.groups.get(i).remove(place.seats.get(i), place.size);
    }
    if (!place.seats.isEmpty()) {
      place
          .description
          .metadata()
          .forEach((key, value) ->
              byMetadata.computeIfPresent(key, (_, values) -> without(values, value)));
    }
    place.seats.clear();
    place.groups.clear();
  }

  private static @Nullable NavigableMap<String, MachineGroup> without(
      NavigableMap<String, MachineGroup> values, String value) {
    values.computeIfPresent(value, (_, group) -> group.count() == 0 ? null : group);
    return values.isEmpty() ? null : values;
  }

  private void putIn(Place place, int standing) {
    place.description = place.machine.machine();
    place.size = place.machine.size();
    putIn(place, all, standing);
    place
        .description
        .metadata()
        .forEach((key, value) ->
            putIn(
                place,
                byMetadata
                    .computeIfAbsent(key, _ -> new TreeMap<>())
                    .computeIfAbsent(value, _ -> new MachineGroup()),
                standing));
  }

  private static void putIn(Place place, MachineGroup group, int standing) {
    place.groups.add(group);
    place.seats.add(group.add(place.machine, standing));
  }

  // ---- who there is

  List<MachineGroup> everybody() {
    return List.of(all);
  }

  /** The machines with any of these values, none of them twice. */
  List<MachineGroup> having(String key, Set<String> values) {
    NavigableMap<String, MachineGroup> known = values(key);
    List<MachineGroup> groups = new ArrayList<>(values.size());
    for (String value : values) {
      MachineGroup group = known.get(value);
      if (group != null) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** The machines with a value that such an affinity to metadata asks for. */
  List<MachineGroup> having(Affinity affinity) {
    List<MachineGroup> groups = new ArrayList<>();
    values(affinity.subject())
        .forEach((value, group) -> {
          if (affinity.holds(value)) {
            groups.add(group);
          }
        });
    return groups;
  }

  /** The machines that have the key, by its value. */
  NavigableMap<String, MachineGroup> values(String key) {
    return byMetadata.getOrDefault(key, Collections.emptyNavigableMap());
  }

  static int count(Collection<MachineGroup> groups) {
    int count = 0;
    for (MachineGroup group : groups) {
      count += group.count();
    }
    return count;
  }
}
