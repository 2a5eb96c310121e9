package fleet.fleetctl.journal;

import fleet.fleetctl.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wanted journals and entries.
 *
 * @param units names and patterns
 * @param lines how many of the newest entries of each machine; empty for what fleetd finds right
 * @param since entries before that are left out
 * @param follow whether to go on with what is written from now on
 * @param whole whether entries come with all of their fields
 * @param machine the beginning of the ids of the machines that are asked; empty for all
 * @param others further parameters, by name
 */
public record JournalRequest(
    List<String> units,
    String lines,
    Optional<Instant> since,
    boolean follow,
    boolean whole,
    String machine,
    Map<String, String> others) {

  public JournalRequest {
    units = List.copyOf(units);
    others = Map.copyOf(others);
  }

  /**
   * @param places by machine the cursor of the last entry that was read
   * @param begun when the first request was sent; empty for this one
   */
  String form(Map<String, String> places, Optional<Instant> begun) {
    StringBuilder form = new StringBuilder();
    units.forEach(unit -> put(form, "unit", unit));
    // Machines without entries so far have no position: all of their entries are new.
    String count = begun.isPresent() ? "all" : lines;
    if (!count.isEmpty()) {
      put(form, "lines", count);
    }
    since.or(() -> begun).ifPresent(time -> put(form, "since", time.toString()));
    places.forEach((on, cursor) -> put(form, "after", on + ":" + cursor));
    if (follow) {
      put(form, "follow", "1");
    }
    if (whole) {
      put(form, "whole", "1");
    }
    if (!machine.isEmpty()) {
      put(form, "machine", machine);
    }
    others.forEach((name, value) -> put(form, name, value));
    return form.toString();
  }

  private static void put(StringBuilder form, String name, String value) {
    form.append(form.isEmpty() ? "" : "&")
        .append(name)
        .append('=')
        .append(HttpRequest.escape(value));
  }
}
