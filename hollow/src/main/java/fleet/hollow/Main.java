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

/**
 * Runs hollow machines until its input ends. A line {@code lose N} takes the power from the last N
 * that have it; each line is answered by one.
 */
public final class Main {

  private static final int TIMERS = 2;
  private static final int AT_ONCE = 50;
  private static final long BETWEEN_MILLIS = 150;

  private Main() {}

  /** Starts the machines that the arguments ask for. */
  public static void main(String[] arguments) throws IOException {
    Options options = Options.of(arguments);
    PrintStream out = System.out;
    ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(
            TIMERS, Thread.ofPlatform().name("hollow-timer-", 0).daemon(true).factory());
    Deque<HollowMachine> machines = new ArrayDeque<>();
    try (Way way = options.way().get();
        var commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (int number = 0; number < options.machines(); number++) {
        var machine =
            new HollowMachine(
                number, options.machines(), options.directory(), options.ttl(), way, timer);
        machine.start();
        machines.addLast(machine);
        if (machines.size() % AT_ONCE == 0) {
          pause();
        }
      }
      out.println("started " + machines.size());
      String line;
      while ((line = commands.readLine()) != null) {
        out.println(answer(line, machines));
      }
    }
    // Threads of connections may go on; nobody needs them to.
    Runtime.getRuntime().halt(0);
  }

  /** Not even machines that get their power back at once are there in the same moment. */
  private static void pause() {
    try {
      Thread.sleep(BETWEEN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String answer(String line, Deque<HollowMachine> machines) {
    if (!line.startsWith("lose ")) {
      return "what is '" + line + "'?";
    }
    int count = Integer.parseInt(line.substring("lose ".length()));
    for (int i = 0; i < count; i++) {
      machines.removeLast().losePower();
    }
    return "lost " + count;
  }
}
