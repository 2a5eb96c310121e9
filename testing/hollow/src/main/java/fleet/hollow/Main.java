package fleet.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;

/**
 * Runs hollow machines until its input ends. A line {@code enrol} has all of them let in, {@code
 * start} gives them power, and {@code lose N} takes it from the last N that have it; each line is
 * answered by one.
 */
public final class Main {

  private static final int AT_ONCE = 50;
  private static final long BETWEEN_MILLIS = 150;

  private final Options options;
  private final HollowTransport transport;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("hollow-timer").daemon(true).factory());
  private final Deque<HollowMachine> machines = new ArrayDeque<>();

  private Main(Options options, HollowTransport transport) {
    this.options = options;
    this.transport = transport;
  }

  /** Starts the machines that the arguments ask for, when it is told to. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Options options = Options.of(arguments);
    try (HollowTransport transport = options.transport().get();
        var commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      new Main(options, transport).obey(commands, System.out);
    }
    // Threads of connections may go on; nobody needs them to.
    Runtime.getRuntime().halt(0);
  }

  private void obey(BufferedReader commands, PrintStream answers)
      throws IOException, InterruptedException {
    answers.println("ready");
    String line;
    while ((line = commands.readLine()) != null) {
      answers.println(answer(line));
    }
  }

  private String answer(String line) throws IOException, InterruptedException {
    if (line.equals("enrol")) {
      transport.enrol(IntStream.range(0, options.machines()).mapToObj(HollowMachine::id).toList());
      return "enrolled " + options.machines();
    }
    if (line.equals("start")) {
      start();
      return "started " + machines.size();
    }
    if (!line.startsWith("lose ")) {
      return "what is '" + line + "'?";
    }
    int count = Integer.parseInt(line.substring("lose ".length()));
    for (int i = 0; i < count; i++) {
      machines.removeLast().losePower();
    }
    return "lost " + count;
  }

  private void start() throws IOException {
    for (int number = 0; number < options.machines(); number++) {
      var machine =
          new HollowMachine(
              number, options.machines(), options.directory(), options.ttl(), transport, timer);
      machine.start();
      machines.addLast(machine);
      if (machines.size() % AT_ONCE == 0) {
        pause();
      }
    }
  }

  /** Not even machines that get their power back at once are there in the same moment. */
  private static void pause() {
    try {
      Thread.sleep(BETWEEN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
