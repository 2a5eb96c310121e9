package fleet.registry.embedded;

import fleet.registry.Outcome;
import fleet.registry.Transaction;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Commits as fast as it can from several threads until it is killed, and prints each commit once it
 * is acknowledged: its revision, the thread, and the number that all its keys were given.
 */
final class EndlessCommits {

  static final int THREADS = 4;
  static final int KEYS = 5;

  private EndlessCommits() {}

  /** The values of one commit say which commit wrote them, and are long enough to fill the log. */
  static String value(long number, int key) {
    return number + " " + key + " " + "x".repeat(new Random(number * KEYS + key).nextInt(2_000));
  }

  static String key(int thread, int key) {
    return "thread/" + thread + "/" + key;
  }

  public static void main(String[] arguments) throws InterruptedException {
    EmbeddedRegistry registry = EmbeddedRegistry.open(Path.of(arguments[0]));
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads.add(Thread.ofPlatform().start(() -> commit(registry, thread, out)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void commit(EmbeddedRegistry registry, int thread, PrintStream out) {
    long number =
        registry
            .get(key(thread, 0))
            .map(entry -> Long.parseLong(entry.value().substring(0, entry.value().indexOf(' '))))
            .orElse(0L);
    while (true) {
      number++;
      Transaction.Builder transaction = Transaction.when();
      for (int key = 0; key < KEYS; key++) {
        transaction.put(key(thread, key), value(number, key));
      }
      Outcome outcome = registry.commit(transaction.build());
      out.println(outcome.revision() + " " + thread + " " + number);
    }
  }
}
