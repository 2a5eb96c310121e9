package fleet.scheduler;

import fleet.core.requirements.Requirements;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The machines that are there, the least loaded first, and of equals the first by id: all of them,
 * and those with a certain metadata. So choosing a machine looks at few, however many there are.
 * What has changed is put in its place when somebody looks.
 */
final class LoadOrder {

  private final NavigableSet<Place> all = new TreeSet<>(Place.ORDER);
  private final Map<Metadata, NavigableSet<Place>> byMetadata = new HashMap<>();
  private final Map<MachineView, Filed> filed = new HashMap<>();
  private final Set<MachineView> changed = new HashSet<>();

  private record Metadata(String key, String value) {}

  private record Place(int load, MachineView machine) {
    static final Comparator<Place> ORDER =
        Comparator.comparingInt(Place::load).thenComparing(place -> place.machine.id());
  }

  /** Where a machine stands, and by which metadata it is found there. */
  private record Filed(Place place, List<Metadata> metadata) {}

  /** Something about the machine is different, or it came, or went. */
  void changed(MachineView machine) {
    changed.add(machine);
  }

  /**
   * Machines in this order, at least all those with the metadata that is asked for.
   *
   * <p>To be read before anything changes again.
   */
  Iterable<MachineView> candidates(Requirements requirements) {
    settle();
    NavigableSet<Place> fewest = all;
    for (Map.Entry<String, Set<String>> asked : requirements.metadata().entrySet()) {
      if (asked.getValue().size() == 1) {
        var metadata = new Metadata(asked.getKey(), asked.getValue().iterator().next());
        NavigableSet<Place> having =
            byMetadata.getOrDefault(metadata, Collections.emptyNavigableSet());
        fewest = having.size() < fewest.size() ? having : fewest;
      }
    }
    NavigableSet<Place> places = fewest;
    return () -> machines(places.iterator());
  }

  private static Iterator<MachineView> machines(Iterator<Place> places) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return places.hasNext();
      }

      @Override
      public MachineView next() {
        return places.next().machine();
      }
    };
  }

  /** All that is out of date goes before anything comes: a machine may be there twice meanwhile. */
  private void settle() {
    for (MachineView machine : changed) {
      Filed before = filed.get(machine);
      if (before != null && !isCurrent(before, machine)) {
        filed.remove(machine);
        take(before);
      }
    }
    for (MachineView machine : changed) {
      if (machine.isPresent() && !filed.containsKey(machine)) {
        put(machine);
      }
    }
    changed.clear();
  }

  private static boolean isCurrent(Filed filed, MachineView machine) {
    return machine.isPresent()
        && filed.place().load() == machine.load()
        && describes(filed.metadata(), machine);
  }

  private static boolean describes(List<Metadata> metadata, MachineView machine) {
    Map<String, String> now = machine.machine().metadata();
    return now.size() == metadata.size()
        && metadata.stream().allMatch(one -> one.value().equals(now.get(one.key())));
  }

  private void take(Filed before) {
    all.remove(before.place());
    for (Metadata one : before.metadata()) {
      byMetadata.computeIfPresent(one, (_, places) -> without(places, before.place()));
    }
  }

  private static @Nullable NavigableSet<Place> without(NavigableSet<Place> places, Place gone) {
    return places.remove(gone) && places.isEmpty() ? null : places;
  }

  private void put(MachineView machine) {
    List<Metadata> metadata = new ArrayList<>();
    machine.machine().metadata().forEach((key, value) -> metadata.add(new Metadata(key, value)));
    var place = new Place(machine.load(), machine);
    filed.put(machine, new Filed(place, metadata));
    all.add(place);
    for (Metadata one : metadata) {
      byMetadata.computeIfAbsent(one, _ -> new TreeSet<>(Place.ORDER)).add(place);
    }
  }
}
