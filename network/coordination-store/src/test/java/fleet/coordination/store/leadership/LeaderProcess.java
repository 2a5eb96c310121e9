package fleet.coordination.store.leadership;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.Leadership.Term;
import fleet.coordination.store.TestCluster;
import fleet.core.testing.Standstill;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.records.Keys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An engine in a process of its own, which can be killed and frozen. While it believes that it
 * leads, it writes in the name of its term without end.
 */
final class LeaderProcess implements AutoCloseable {

  /** Its value is the token of the term in whose name it was last written. */
  static final String WRITTEN = "placement/written";

  private static final long NONE = 0;

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  LeaderProcess(String machine, String prefix, URI etcd, Duration lease) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LeaderProcess.class.getName(),
                machine,
                prefix,
                etcd.toString(),
                lease.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader();
    Thread.ofVirtual().start(() -> output.lines().filter(LeaderProcess::isOurs).forEach(said::add));
  }

  /** Libraries may say something as well. */
  private static boolean isOurs(String line) {
    return line.matches("(lead|retire|refused|fault)\\b.*");
  }

  /** The next line of the process, such as {@code lead 17}. */
  String next() throws InterruptedException {
    return said.take();
  }

  /** The next line that is not a refused write, which may come a few times. */
  String nextButRefusals() throws InterruptedException {
    String next = next();
    while (next.equals("refused")) {
      next = next();
    }
    return next;
  }

  long awaitLead() throws InterruptedException {
    String next = nextButRefusals();
    if (!next.startsWith("lead ")) {
      throw new AssertionError("does not lead: " + next);
    }
    return Long.parseLong(next.substring("lead ".length()));
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void freeze() throws Exception {
    Standstill.freeze(process);
  }

  void thaw() throws Exception {
    Standstill.thaw(process);
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] arguments) throws InterruptedException {
    String machine = arguments[0];
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    var led = new Led();
    try (EtcdRegistry registry = TestCluster.open(arguments[1], machine, URI.create(arguments[2]));
        StoreLeadership leadership =
            new StoreLeadership(
                registry,
                Contestant.machine(machine),
                new LeadershipSettings(Duration.parse(arguments[3]), 0, Optional.empty(), false),
                EventThread::new)) {
      leadership.campaign(
          new Leadership.Candidate() {
            @Override
            public void lead(Term term) {
              led.begin(term.token());
              out.println("lead " + term.token());
            }

            @Override
            public void retire(String why) {
              out.println("retire " + why);
              led.begin(NONE);
            }

            @Override
            public void keepReady(boolean ready) {
              out.println("keep ready " + ready);
            }
          });
      while (true) {
        write(registry, led.awaitTerm(), out);
      }
    }
  }

  /** The term in which it leads. */
  private static final class Led {
    private long token = NONE;

    synchronized void begin(long next) {
      token = next;
      notifyAll();
    }

    synchronized long awaitTerm() throws InterruptedException {
      while (token == NONE) {
        wait();
      }
      return token;
    }
  }

  private static void write(EtcdRegistry registry, long term, PrintStream out) {
    try {
      Outcome outcome =
          registry.commit(
              Transaction.when().createdAt(Keys.LEADER, term).put(WRITTEN, "" + term).build());
      if (outcome instanceof Outcome.Refused) {
        out.println("refused");
      }
    } catch (RegistryException e) {
      out.println("fault " + e.getMessage());
    }
  }
}
