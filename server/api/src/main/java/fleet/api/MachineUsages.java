package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.cluster.NotLeadingException;
import fleet.core.question.Answer;
import fleet.core.question.Question.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The measurements of all machines in the order in which they come. Machines measure no faster than
 * the reader takes. For one reader.
 */
final class MachineUsages implements AutoCloseable {

  private static final int MOST_WAITING = 64;
  private static final Duration EVENTS = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 2000;
  private static final byte[] NOTHING = {};

  private final Cluster cluster;
  private final Usage question;
  private final String prefix;
  private final BlockingQueue<byte[]> lines = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Set<String> asked = new HashSet<>();
  private final Set<Answer> answers = ConcurrentHashMap.newKeySet();
  private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
  private int answering;
  private volatile boolean leadLost;
  private volatile boolean closed;

  /**
   * Asks machines from now on.
   *
   * @param prefix the beginning of the ids of the machines that are asked; empty for all
   */
  MachineUsages(Cluster cluster, Usage question, String prefix) {
    this.cluster = cluster;
    this.question = question;
    this.prefix = prefix;
    cluster.machines().forEach(machine -> ask(machine.id()));
    if (isEndless()) {
      asking.execute(this::watch);
    }
  }

  private boolean isEndless() {
    return question.samples() == Usage.ENDLESS;
  }

  /** How many machines are asked. */
  synchronized int machines() {
    return asked.size();
  }

  private synchronized void ask(String machine) {
    if (machine.startsWith(prefix) && !closed && asked.add(machine)) {
      answering++;
      asking.execute(() -> run(machine));
    }
  }

  /** The next line, with its end; an empty one if none came within the time; nothing at the end. */
  Optional<byte[]> next(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (!closed) {
      if (leadLost) {
        throw new ClusterUnavailableException("another fleetd leads now");
      }
      byte[] line = lines.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (line == null) {
        return Optional.of(new byte[] {'\n'});
      }
      if (line.length > 0) {
        return Optional.of(line);
      }
      if (isOver()) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private synchronized boolean isOver() {
    return answering == 0 && lines.isEmpty();
  }

  private void run(String machine) {
    try {
      boolean again = true;
      while (again && !closed) {
        Optional<String> problem = readOnce(machine);
        if (problem.isPresent()) {
          lines.put(problem(machine, problem.get()));
        }
        again = isEndless() && isThere(machine);
        if (again) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
      synchronized (this) {
        answering--;
        // The machine is asked again when it is back.
        boolean _ = isEndless() && asked.remove(machine);
      }
      lines.put(NOTHING);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isThere(String machine) {
    try {
      return cluster.machines().stream().map(MachineView::id).anyMatch(machine::equals);
    } catch (ClusterUnavailableException | NotLeadingException e) {
      return true;
    }
  }

  private Optional<String> readOnce(String machine) throws InterruptedException {
    Answer open = null;
    try (Answer answer =
            cluster
                .ask(machine, question)
                .orElseThrow(() -> new IOException("it is not there, or cannot be reached"));
        var read = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
      open = answer;
      answers.add(answer);
      for (String line = read.readLine(); line != null && !closed; line = read.readLine()) {
        lines.put(withMachine(machine, line));
      }
      return Optional.empty();
    } catch (IOException
        | UncheckedIOException
        | ClusterUnavailableException
        | NotLeadingException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } finally {
      if (open != null) {
        answers.remove(open);
      }
    }
  }

  private static byte[] withMachine(String machine, String line) {
    return ("{\"machineID\":\""
            + machine
            + "\","
            + line.substring(Math.min(1, line.length()))
            + "\n")
        .getBytes(UTF_8);
  }

  private static byte[] problem(String machine, String why) {
    String text = why.replace('\\', '/').replace('"', '\'').replaceAll("[\\x00-\\x1f]", " ");
    return withMachine(machine, "{\"problem\":\"" + text + "\"}");
  }

  private void watch() {
    try {
      while (!closed) {
        try (EventStream events = cluster.follow(EventsFrom.NOW)) {
          cluster.machines().forEach(machine -> ask(machine.id()));
          watch(events);
        } catch (ClusterUnavailableException e) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
    } catch (NotLeadingException e) {
      leadLost = true;
      lines.offer(NOTHING);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(EventStream events) throws InterruptedException {
    while (!closed) {
      for (Event event : events.next(EVENTS)) {
        if (event.body().kind() == Event.Kind.MACHINE) {
          ask(event.body().subject().machine());
        } else if (event.body().kind() == Event.Kind.GAP) {
          cluster.machines().forEach(machine -> ask(machine.id()));
        }
      }
    }
  }

  /** Ends the wait for a next line as well. Safe to call from any thread. */
  @Override
  public void close() {
    closed = true;
    answers.forEach(Answer::close);
    asking.shutdownNow();
    boolean _ = lines.offer(NOTHING);
  }
}
