package fleet.fleetctl.client;

import fleet.core.question.KillSignal;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Streamed answers: events, journals, resource usage. Empty if the daemon is of fleet 1.0. Safe for
 * use by many threads.
 */
public final class StreamsClient {

  private static final int FILTER_LIMIT = 4000;

  private final ApiCalls calls;

  StreamsClient(ApiCalls calls) {
    this.calls = calls;
  }

  /**
   * Follows what becomes of some units, without the options of their files.
   *
   * @param more names of other events
   * @param lastId where an earlier stream ended; empty to begin now
   * @return empty if the daemon is of fleet 1.0
   */
  public Optional<HttpAnswer> events(
      Collection<String> units, Collection<String> more, String lastId) throws FleetException {
    String all =
        ApiCalls.PREFIX
            + "/events?event=unit&event=unit-destroyed&event=state&event=state-gone&options=0"
            + more.stream()
                .map(name -> "&event=" + HttpRequest.escape(name))
                .collect(Collectors.joining());
    StringBuilder path = new StringBuilder(all);
    for (String unit : units) {
      path.append("&unit=").append(HttpRequest.escape(unit));
    }
    // Servers limit the length of a request; without a filter the reader drops what is not its own.
    String target = path.length() > FILTER_LIMIT ? all : path.toString();
    HttpRequest request = HttpRequest.get(target).with("Accept: text/event-stream");
    return calls.stream(lastId.isEmpty() ? request : request.with("Last-Event-ID: " + lastId));
  }

  /**
   * The events of the cluster, past and future.
   *
   * @param units only their events; all if there are none
   * @param since from when on, as the API takes it; empty for from now on
   * @param lastId where an earlier stream ended; empty for none
   * @param follow whether to go on with events from now on
   * @return empty if the daemon is of fleet 1.0
   */
  public Optional<HttpAnswer> history(
      Collection<String> units, String since, String lastId, boolean follow) throws FleetException {
    StringBuilder path =
        new StringBuilder(ApiCalls.PREFIX + "/events?follow=").append(follow ? "1" : "0");
    if (!since.isEmpty()) {
      path.append("&since=").append(HttpRequest.escape(since));
    }
    for (String unit : units) {
      path.append("&unit=").append(HttpRequest.escape(unit));
    }
    HttpRequest request = HttpRequest.get(path.toString()).with("Accept: text/event-stream");
    return calls.stream(lastId.isEmpty() ? request : request.with("Last-Event-ID: " + lastId));
  }

  /**
   * The output of {@code systemctl status} for a unit.
   *
   * @param machine empty for the machine that has it
   */
  public Optional<HttpAnswer> status(String unit, boolean colour, String machine)
      throws FleetException {
    return calls.retriedStream(
        HttpRequest.get(
            FleetClient.unitPath(unit)
                + "/status?colour="
                + (colour ? "1" : "0")
                + machineQuery(machine)));
  }

  /**
   * Has systemd of a machine do something with a unit, once. The answer is what systemctl printed.
   *
   * @param verb of systemctl
   * @throws ApiException also if the daemon is too old
   */
  public HttpAnswer systemctl(String unit, String verb, String machine, Optional<KillSignal> signal)
      throws FleetException {
    String kill =
        signal
            .map(sent -> "&signal=" + HttpRequest.escape(sent.signal()) + "&whom=" + sent.whom())
            .orElse("");
    HttpRequest request =
        HttpRequest.of(
            "POST",
            FleetClient.unitPath(unit)
                + ("/" + verb + "?machine=" + HttpRequest.escape(machine) + kill));
    return calls.retriedStream(request, "is too old to %s units".formatted(verb));
  }

  /**
   * The journal of a unit.
   *
   * @param machine empty for the machine that has it
   */
  public Optional<HttpAnswer> journal(
      String unit, int lines, boolean follow, String output, String machine) throws FleetException {
    return calls.retriedStream(
        HttpRequest.get(
            FleetClient.unitPath(unit)
                + ("/journal?lines=" + lines + "&follow=" + (follow ? "1" : "0"))
                + ("&output=" + HttpRequest.escape(output))
                + machineQuery(machine)));
  }

  /**
   * The journals of several units as one, an entry a line.
   *
   * @param form the parameters, escaped
   */
  public Optional<HttpAnswer> journals(String form) throws FleetException {
    return calls.stream(
        form.length() > FILTER_LIMIT
            ? HttpRequest.form(ApiCalls.PREFIX + "/journal", form)
            : HttpRequest.get(ApiCalls.PREFIX + "/journal?" + form));
  }

  /**
   * The audit logs of all servers as one, an entry a line.
   *
   * @param form the parameters, escaped
   */
  public Optional<HttpAnswer> audits(String form) throws FleetException {
    return calls.stream(HttpRequest.get(ApiCalls.PREFIX + "/audit?" + form));
  }

  /** A backup of the registry, as text. */
  public HttpAnswer backup() throws FleetException {
    return calls.retriedStream(
        HttpRequest.get(ApiCalls.PREFIX + "/backup"), "is too old to make backups");
  }

  /**
   * The resource usage of machines, a measurement a line.
   *
   * @param samples how many of each machine; empty for as long as they are read
   * @param machine the beginning of the ids of the machines that are asked; empty for all
   */
  public Optional<HttpAnswer> usage(
      boolean units, long intervalMillis, OptionalInt samples, String machine)
      throws FleetException {
    String count = samples.isPresent() ? Integer.toString(samples.getAsInt()) : "endless";
    return calls.stream(
        HttpRequest.get(
            ApiCalls.PREFIX
                + ("/usage?interval=" + intervalMillis + "&samples=" + count)
                + (units ? "&units=1" : "")
                + machineQuery(machine)));
  }

  private static String machineQuery(String machine) {
    return machine.isEmpty() ? "" : "&machine=" + HttpRequest.escape(machine);
  }
}
