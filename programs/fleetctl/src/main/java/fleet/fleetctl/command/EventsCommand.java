package fleet.fleetctl.command;

import fleet.core.requirements.Glob;
import fleet.entities.ContextEntity;
import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import fleet.entities.InvalidJsonException;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.Backoff;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnreachableException;
import fleet.fleetctl.event.EventLines;
import fleet.fleetctl.event.KnownStates;
import fleet.fleetctl.event.SilentUnits;
import fleet.fleetctl.event.SinceOption;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.ServerSentEvents;
import fleet.fleetctl.http.ServerSentEvents.ServerSentEvent;
import fleet.fleetctl.output.CleanEnd;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what happens in the cluster. */
@Command(
    name = "events",
    header = "Show what happens in the cluster, who asked for it, and why",
    customSynopsis =
        "[-f|--follow] [--since=TIME] [-n|--lines=N] [--machine=MACHINE] [-o FORMAT] [-l|--full]"
            + " [UNIT...]",
    description = {
      "Prints one line for each command with who gave it, each placement and move with its",
      "reason, each state of a unit, each machine that joins or is lost, and each change of the",
      "leader. fleetd keeps some thousand events, and none from before its engine began to lead;",
      "a line marks events that are missing.",
      "UNIT is a name, or a pattern in quotes: 'web@*'. With UNITs, only their events are",
      "printed. Units that do not exist are named on standard error."
    },
    exitCodeList = {
      "0:the events were printed",
      "1:fleetd could not be asked, or the stream broke off; or a unit does not exist, and there was"
          + "\nno event of it",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl events",
      "fleetctl events --since=10m web.service",
      "fleetctl events -n 20 -f 'web@*'",
      "fleetctl events --since=1h --machine=node1",
      "fleetctl events -f --json"
    })
final class EventsCommand extends UnitsCommand {

  private static final int UNAVAILABLE = 503;

  @Option(
      names = {"-f", "--follow", "--f"},
      description = "Follow new events until Ctrl-C.")
  boolean follow;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "",
      description =
          "Since then: 10m, 1h30m ago, 14:30, \"2026-03-01 14:30:00\", all, or after an event's id.")
  String since = "";

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      defaultValue = "",
      description = "Only events of this machine: what comes, goes and happens there.")
  String machine = "";

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "",
      description = "Only the newest N events, or all.")
  String lines = "";

  @Mixin JsonOptions form = new JsonOptions();

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines.")
  boolean full;

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    JournalCommand.expectLines(lines);
    SinceOption from = from();
    List<Glob> patterns = patterns();
    List<String> names = namesBesidePatterns(session);
    SilentUnits silence = new SilentUnits(names, patterns);
    List<String> only =
        Stream.concat(patterns.stream().map(Glob::pattern), names.stream()).toList();
    try (CleanEnd _ = new CleanEnd(session.output())) {
      FleetClient client = client(session);
      machine = MachineSelector.chosen(client, machine);
      return new Telling(client, session.output(), only, silence, from).run();
    }
  }

  private SinceOption from() throws CommandException {
    if (since.isEmpty()) {
      return follow && lines.isEmpty() ? SinceOption.NOW : SinceOption.ALL;
    }
    return SinceOption.parse(since, ZonedDateTime.now(ZoneId.systemDefault()))
        .orElseThrow(() ->
            CommandException.usage(
                "Error: invalid --since=\""
                    + since
                    + "\": expected how long ago (10m, 1h30m), a time (14:30, 2026-03-01,"
                    + " \"2026-03-01 14:30:00\"), all, or the id of an event"));
  }

  /** One run: the stream, and the position to resume from when it breaks. */
  private final class Telling {
    private final FleetClient client;
    private final Output output;
    private final EntityJson json = new EntityJson();
    private final EventLines eventLines;
    private final KnownStates states = new KnownStates();
    private final List<String> only;
    private final SilentUnits silence;
    private SinceOption from;
    private final Backoff backoff = new Backoff();

    /** The last lines of the past, if only these are wanted. */
    private final Deque<String> newest = new ArrayDeque<>();

    /** Whether lines are printed as they come. */
    private boolean caughtUp = lines.isEmpty() || lines.equals("all");

    Telling(
        FleetClient client,
        Output output,
        List<String> only,
        SilentUnits silence,
        SinceOption from) {
      this.client = client;
      this.output = output;
      this.only = only;
      this.silence = silence;
      this.from = from;
      boolean forPeople = output.isTerminal() && !full;
      var machines = new MachineDirectory(client, full, forPeople);
      this.eventLines =
          new EventLines(
              ZoneId.systemDefault(),
              machines::of,
              forPeople ? machines::in : UnaryOperator.identity());
    }

    int run() throws CommandException, FleetException {
      boolean begun = false;
      while (true) {
        try (HttpAnswer stream = open(begun)) {
          if (follow && !begun) {
            silence
                .missing(client)
                .forEach(what -> output.problem(what + " now; waiting for events of it"));
          }
          begun = true;
          read(new ServerSentEvents(stream.stream()));
          boolean wasPast = !caughtUp;
          catchUp();
          if (!follow) {
            return end();
          }
          if (wasPast) {
            continue;
          }
        } catch (UnreachableException e) {
          giveUpUnless(follow && begun, e.getMessage());
        } catch (IOException e) {
          giveUpUnless(follow, "the stream of events broke off: " + e.getMessage());
        }
        if (!backoff.pause()) {
          return ExitCode.OK;
        }
      }
    }

    private void catchUp() {
      newest.forEach(output::line);
      newest.clear();
      caughtUp = true;
    }

    private void print(String line) {
      if (caughtUp) {
        output.line(line);
        return;
      }
      newest.add(line);
      if (newest.size() > Integer.parseInt(lines)) {
        newest.remove();
      }
    }

    private int end() throws FleetException {
      List<String> missing = silence.missing(client);
      missing.forEach(what -> output.problem(what + ", and no event of it is remembered"));
      return missing.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void giveUpUnless(boolean goOn, @Nullable String why) throws CommandException {
      if (!goOn) {
        throw CommandException.failed("Error: " + why);
      }
      output.status("fleetd does not answer, waiting: " + why);
    }

    /** While nobody leads, fleetd says that it cannot serve now. */
    private HttpAnswer open(boolean begun) throws CommandException, FleetException, IOException {
      Optional<HttpAnswer> stream;
      try {
        stream = client.streams().history(only, from.query(), from.position(), follow && caughtUp);
      } catch (ApiException e) {
        if (begun && e.code() == UNAVAILABLE) {
          throw new IOException(e.getMessage(), e);
        }
        throw CommandException.failed("Error: " + e.getMessage());
      }
      return stream.orElseThrow(
          () -> CommandException.failed(client.outdated("is too old to tell events")));
    }

    private void read(ServerSentEvents events) throws IOException {
      Optional<ServerSentEvent> next = events.next();
      while (next.isPresent()) {
        backoff.reset();
        take(next.get());
        next = events.next();
      }
    }

    private void take(ServerSentEvent event) throws IOException {
      if (!event.id().isEmpty()) {
        from = new SinceOption("", event.id());
      }
      if (event.data().isEmpty() || event.name().equals("start")) {
        output.clearStatus();
        return;
      }
      if (!silence.isBroken()) {
        silence.noteEvent(read(event));
      }
      if (!machine.isEmpty() && !concerns(machine, read(event))) {
        return;
      }
      if (form.isJson()) {
        print("{\"id\":\"" + event.id() + "\"," + event.data().substring(1));
      } else {
        EventEntity told = read(event);
        if (states.isNews(told)) {
          eventLines.of(told).ifPresent(this::print);
        }
      }
      if (follow) {
        output.flush();
      }
    }

    /** A gap may have been about any machine. */
    private static boolean concerns(String machine, EventEntity event) {
      ContextEntity context = event.context();
      return event.name().equals("gap")
          || context.machine().equals(machine)
          || context.from().equals(machine);
    }

    private EventEntity read(ServerSentEvent event) throws IOException {
      try {
        return json.read(EventEntity.class, event.data().getBytes(StandardCharsets.UTF_8));
      } catch (InvalidJsonException e) {
        throw new IOException("an event cannot be read: " + e.getMessage(), e);
      }
    }
  }
}
