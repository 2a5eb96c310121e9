package fleet.fleetctl.command;

import fleet.core.text.SingleLine;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.entities.UsageEntity;
import fleet.fleetctl.client.Backoff;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpLines;
import fleet.fleetctl.output.ExitHook;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.TerminalMode;
import fleet.fleetctl.output.TerminalSize;
import fleet.fleetctl.top.Keyboard;
import fleet.fleetctl.top.UsageBoard;
import fleet.fleetctl.top.UsageOrder;
import fleet.fleetctl.top.UsageTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what machines and units use. */
@Command(
    name = "top",
    header = "Show the actual resource usage of machines and units",
    customSynopsis =
        "[--units] [--sort=FIELD] [--once] [--interval=TIME] [-o FORMAT] [--machine=MACHINE] [--no-legend] [-l|--full]",
    description = {
      "CPU is of all processors of the machine together; with --units, of one processor. RESERVED",
      "is the sum over the units on the machine of MemoryMax= (else MemoryHigh=) and CPUQuota=,",
      "or of Memory=, Cores= and Disk= in [X-Fleet] or --require. DISK is the file system with",
      "fleet's data directory. list-machines shows how much can be reserved.",
      "On a terminal the table is refreshed until q or Ctrl-C; c, m, d, u and n sort it by CPU,",
      "memory, disk, number of units and name. If the terminal is too small, the table leaves out",
      "reservations and the last rows. Elsewhere, and with --once, it is printed once, which takes",
      "a second."
    },
    exitCodeList = {
      "0:the table was printed, or ended by q",
      "1:fleetd or one of the machines could not be asked",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl top",
      "fleetctl top --units --once",
      "fleetctl top --sort=memory",
      "fleetctl top --json --machine=node1"
    })
final class TopCommand extends FleetCommand {

  private static final Path TERMINAL = Path.of("/dev/tty");
  private static final long ONCE_MILLIS = 1000;

  private static final long GATHERING_MILLIS = 100;

  /** The old table is overwritten and not blanked first, which would flicker. */
  private static final String HOME = "\033[H";

  private static final String EMPTY_LINE = "\033[2K";
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
  private static final String REST = "\033[J";
  private static final String CLEAR = "\033[2J";

  @Option(names = "--units", description = "One line per unit, the largest consumers first.")
  boolean units;

  @Option(
      names = "--sort",
      paramLabel = "FIELD",
      description = "cpu, memory, disk, units or name; default name, with --units cpu.")
  @Nullable UsageOrder sort;

  @Option(names = "--once", description = "Print the table once, even on a terminal.")
  boolean once;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "2",
      converter = DurationConverter.class,
      description = "The time between measurements, such as 500ms, 10s or 1m; default 2s.")
  Duration interval = Duration.ZERO;

  @Mixin JsonOptions form = new JsonOptions();

  @Mixin MachineOption machine = new MachineOption();

  @Option(names = "--no-legend", description = "Print no header.")
  boolean noLegend;

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines.")
  boolean full;

  @Override
  int run() throws CommandException, FleetException {
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw CommandException.usage("Error: --interval must be at least 100ms");
    }
    boolean renewed = !once && output().isTerminal();
    try (ExitHook _ = output().endingCleanly()) {
      FleetClient client = client();
      String only = machine.id(client);
      return new Showing(client, only).run(renewed);
    }
  }

  /** One run. */
  private final class Showing {
    private final FleetClient client;
    private final Output output;
    private final String only;
    private final EntityJson json = new EntityJson();
    private final UsageBoard board = new UsageBoard();
    private final MachineDirectory machines;
    private final UsageTable table;
    private final TerminalSize size;
    private volatile UsageOrder order;
    private boolean incomplete;
    private long taken;
    private final Backoff backoff = new Backoff();

    Showing(FleetClient client, String only) {
      this.client = client;
      this.only = only;
      this.output = output();
      this.size = TerminalSize.of(session().environment());
      boolean forPeople = output.isTerminal() && !noLegend;
      this.machines = new MachineDirectory(client, full, forPeople);
      this.table = new UsageTable(machines::of, !noLegend, forPeople ? size.columns() : 0);
      this.order = sort == null ? (units ? UsageOrder.cpu : UsageOrder.name) : sort;
    }

    int run(boolean renewed) throws CommandException, FleetException {
      return renewed ? again() : once();
    }

    private int once() throws CommandException, FleetException {
      try (HttpAnswer stream = open(ONCE_MILLIS, OptionalInt.of(2))) {
        learnNames();
        read(stream);
      } catch (IOException e) {
        throw CommandException.failed("Error: the measurements broke off: " + e.getMessage());
      }
      if (!form.isJson()) {
        output.text(text());
      }
      return incomplete ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Ends when the user wants it to, or fleetd refuses. */
    private int again() throws CommandException, FleetException {
      learnNames();
      if (form.isJson()) {
        return follow();
      }
      CompletableFuture<Integer> end = new CompletableFuture<>();
      Thread.ofPlatform().daemon().name("painter").start(this::paint);
      Thread.ofPlatform().daemon().name("measurements").start(() -> follow(end));
      Optional<TerminalMode> keyboard = Keyboard.open(TERMINAL, key -> pressed(key, end));
      try {
        return end.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof CommandException refused) {
          throw refused;
        }
        if (e.getCause() instanceof FleetException unreachable) {
          throw unreachable;
        }
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return ExitCode.OK;
      } finally {
        keyboard.ifPresent(TerminalMode::close);
      }
    }

    private void follow(CompletableFuture<Integer> end) {
      try {
        end.complete(follow());
      } catch (CommandException | FleetException | RuntimeException e) {
        end.completeExceptionally(e);
      }
    }

    private void pressed(int key, CompletableFuture<Integer> end) {
      if (key == 'q') {
        end.complete(ExitCode.OK);
      }
      UsageOrder.ofKey(key)
          .ifPresent(wanted -> {
            synchronized (board) {
              order = wanted;
              board.notifyAll();
              taken++;
            }
          });
    }

    private int follow() throws CommandException, FleetException {
      boolean begun = false;
      while (true) {
        try (HttpAnswer stream = open(interval.toMillis(), OptionalInt.empty())) {
          begun = true;
          read(stream);
          status("fleetd ended the measurements");
        } catch (FleetException e) {
          if (!begun || !e.mayPass()) {
            throw e;
          }
          status(e.getMessage());
        } catch (IOException e) {
          status(e.getMessage());
        }
        if (!backoff.pause()) {
          return ExitCode.OK;
        }
      }
    }

    /** The whole id of a machine that is gone would make the table jump. */
    private void learnNames() {
      if (!form.isJson()) {
        machines.learn();
      }
    }

    private void status(@Nullable String why) {
      output.status("fleetd does not answer, waiting: " + why);
    }

    private HttpAnswer open(long intervalMillis, OptionalInt samples)
        throws CommandException, FleetException {
      Optional<HttpAnswer> stream = client.streams().usage(units, intervalMillis, samples, only);
      return stream.orElseThrow(
          () -> CommandException.failed(client.outdated("is too old to tell what machines use")));
    }

    private void read(HttpAnswer stream) throws IOException {
      HttpLines lines = new HttpLines(stream.stream());
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        if (line.get().length > 0) {
          backoff.reset();
          take(line.get());
        }
      }
    }

    private void take(byte[] line) throws IOException {
      UsageEntity usage;
      try {
        usage = json.read(UsageEntity.class, line);
      } catch (InvalidJsonException e) {
        throw new IOException("a measurement cannot be read: " + e.getMessage(), e);
      }
      incomplete |= !usage.problem().isEmpty();
      if (form.isJson()) {
        output.line(new String(line, StandardCharsets.UTF_8));
        output.flush();
      } else {
        synchronized (board) {
          board.take(usage);
          board.notifyAll();
          taken++;
        }
      }
    }

    private String text() {
      return units ? table.units(board, order) : table.machines(board, order);
    }

    /** The lines that a screen has room for; the cursor takes one. */
    private String onScreen(String text) {
      List<String> lines = text.lines().toList();
      if (lines.size() < size.rows()) {
        return text;
      }
      int shown = Math.max(1, size.rows() - 2);
      return String.join("\n", lines.subList(0, shown))
          + "\nand %d more\n".formatted(lines.size() - shown);
    }

    /** Machines measure at different moments: one table shows all of them. */
    private void paint() {
      try {
        long painted = 0;
        String before = CLEAR;
        while (true) {
          synchronized (board) {
            while (painted == taken) {
              board.wait();
            }
          }
          Thread.sleep(GATHERING_MILLIS);
          String text;
          synchronized (board) {
            painted = taken;
            text = onScreen(SingleLine.ofEach(text()));
          }
          output.clearStatus();
          output.screen(before + HOME + EMPTY_LINE + text.replace("\n", "\n" + EMPTY_LINE) + REST);
          output.flush();
          before = "";
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
