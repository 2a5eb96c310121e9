package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a link to systemd: opens another when one ends. One thread reads, and reconnects; each new
 * link is prepared by a virtual thread meanwhile, and used by others when that is done.
 */
final class BusSession implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BusSession.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** How long a call waits for a lost connection: {@code daemon-reexec} takes less. */
  private static final Duration RECONNECTION = Duration.ofSeconds(10);

  private final ManagerAddress address;
  private final Owner owner;
  private final Thread reader;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile CompletableFuture<BusConnection> ready = new CompletableFuture<>();
  private volatile String trouble = "";
  private boolean established;

  BusSession(ManagerAddress address, Owner owner) {
    this.address = address;
    this.owner = owner;
    reader = Thread.ofPlatform().daemon().name("systemd").unstarted(this::run);
  }

  /**
   * Opens the first link.
   *
   * @throws SystemdException if that fails; there are no further attempts then
   */
  void start() {
    reader.start();
    try {
      PendingReplies.await(ready, Duration.ofSeconds(30));
    } catch (SystemdException e) {
      close();
      throw new SystemdException(
          e.error(), "cannot connect to systemd by " + address + ": " + e.getMessage(), e);
    }
  }

  /** The link, if it is there within a time that {@code daemon-reexec} does not exceed. */
  BusConnection link() {
    try {
      return ready.get(RECONNECTION.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new SystemdException("", "no connection to systemd by " + address + ": " + trouble, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SystemdException("", "interrupted while waiting for systemd", e);
    }
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    while (!isClosed()) {
      if (readOneLink()) {
        pause = FIRST_PAUSE;
      } else if (!established) {
        ready.completeExceptionally(new SystemdException("", trouble));
        return;
      }
      if (rest(pause)) {
        return;
      }
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }
  }

  /** Returns whether the link was there for others to use. */
  private boolean readOneLink() {
    BusConnection link;
    try {
      link = BusConnection.open(address);
    } catch (IOException | RuntimeException e) {
      trouble = String.valueOf(e.getMessage());
      return false;
    }
    Thread.ofVirtual().name("systemd-prepare").start(() -> prepare(link));
    String why;
    try {
      why = link.read(owner);
    } finally {
      link.close();
    }
    return withdraw(why);
  }

  private void prepare(BusConnection link) {
    try {
      owner.prepare(link);
    } catch (SystemdException e) {
      link.end(String.valueOf(e.getMessage()));
      return;
    }
    offer(link);
  }

  private synchronized void offer(BusConnection link) {
    if (link.isEnded()) {
      return;
    }
    boolean again = established;
    established = true;
    ready.complete(link);
    if (again && !isClosed()) {
      log.info("connected to systemd again, by {}", address);
      owner.restored();
    }
  }

  private synchronized boolean withdraw(String why) {
    trouble = why;
    if (!ready.isDone()) {
      return false;
    }
    if (!isClosed()) {
      ready = new CompletableFuture<>();
      log.warn("lost the connection to systemd: {}", why);
      owner.lost(why);
    }
    return true;
  }

  /** Runs something while neither this session nor its owner tells of links. */
  synchronized void inTurn(Runnable action) {
    action.run();
  }

  private boolean rest(Duration pause) {
    try {
      return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return isClosed();
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    closed.countDown();
    trouble = "closed";
    // Interrupting a thread closes the socket that it reads from or connects.
    reader.interrupt();
    ready.completeExceptionally(new SystemdException("", "closed"));
    if (!Thread.currentThread().equals(reader)) {
      joinReader();
    }
  }

  private void joinReader() {
    try {
      if (!reader.join(Duration.ofSeconds(5))) {
        log.warn("the thread that reads from systemd does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The owner of a session, which hears its signals and the losses of its link. */
  interface Owner extends BusConnection.SignalHandler {

    /** Subscribes on a new link, before others use it. Runs while the link is read. */
    void prepare(BusConnection link);

    void lost(String why);

    void restored();
  }
}
