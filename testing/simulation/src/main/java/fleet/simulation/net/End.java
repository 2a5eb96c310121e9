package fleet.simulation.net;

import fleet.coordination.rpc.MessageStream;
import fleet.simulation.run.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection.
 *
 * @param <O> what goes out
 * @param <I> what comes in
 */
final class End<O, I> implements MessageStream<O> {

  /** How much is on its way or unread before the sender is to wait. */
  private static final int WINDOW = 4;

  private final SimulatedConnection connection;
  private final SimulatedProcess process;
  private final String machine;
  private final Deque<Packet<O>> outgoing = new ArrayDeque<>();
  private final Deque<I> unread = new ArrayDeque<>();
  private @Nullable End<I, O> peer;
  private MessageStream.@Nullable Listener<I> listener;
  private Optional<String> last = Optional.empty();
  private int room = 1;
  private boolean underWay;
  private boolean full;
  private boolean over;
  private boolean heardLast;
  private boolean vanished;

  private sealed interface Packet<T> {
    record Message<T>(T content) implements Packet<T> {}

    /** Nothing comes after it; what came before is read. */
    record Fin<T>() implements Packet<T> {}

    /** It is over at once. */
    record Reset<T>(String why) implements Packet<T> {}
  }

  End(SimulatedConnection connection, SimulatedProcess process, String machine) {
    this.connection = connection;
    this.process = process;
    this.machine = machine;
  }

  SimulatedProcess process() {
    return process;
  }

  void listener(MessageStream.Listener<I> hears) {
    listener = hears;
  }

  void connected(End<I, O> other) {
    peer = other;
    pump();
  }

  boolean isConnected() {
    return peer != null;
  }

  /** Whether nothing more is sent or heard here. */
  boolean isOver() {
    return over;
  }

  /** Whether nothing is left to be done here. */
  boolean isQuiet() {
    return over && (outgoing.isEmpty() || peer == null);
  }

  boolean hasVanished() {
    return vanished;
  }

  // ---- the line

  @Override
  public void send(O message) {
    if (!over) {
      outgoing.add(new Packet.Message<>(message));
      pump();
    }
  }

  @Override
  public boolean isReady() {
    boolean takes = !over && peer != null && load() < WINDOW;
    full |= !takes;
    return takes;
  }

  private int load() {
    return outgoing.size() + (peer == null ? 0 : peer.unread.size());
  }

  @Override
  public void next() {
    room++;
    read();
  }

  @Override
  public void end() {
    if (!over) {
      over = true;
      outgoing.add(new Packet.Fin<>());
      pump();
    }
  }

  @Override
  public void cut(String why) {
    if (!over) {
      over = true;
      outgoing.clear();
      outgoing.add(new Packet.Reset<>(why));
      pump();
      tellEnd(why);
    }
  }

  // ---- the way

  /** Sends what is to be sent, one after the other. */
  void pump() {
    if (underWay || outgoing.isEmpty() || peer == null || vanished || connection.isCut()) {
      return;
    }
    underWay = true;
    connection.carry(() -> {
      underWay = false;
      // A lost message is sent again, once something passes.
      if (!connection.isCut() && !outgoing.isEmpty() && peer != null) {
        deliver(outgoing.remove(), peer);
      }
      pump();
    });
  }

  private void deliver(Packet<O> packet, End<I, O> to) {
    if (to.vanished) {
      return;
    }
    switch (packet) {
      case Packet.Message<O>(O content) -> to.arrive(content);
      case Packet.Fin<O> _ -> to.finish();
      case Packet.Reset<O>(String why) -> to.broken(why);
    }
  }

  private void arrive(I message) {
    unread.add(message);
    read();
  }

  /** Read when the process gets round to it, as far as it has room. */
  private void read() {
    process.after(
        Duration.ZERO,
        () -> {
          while (room > 0 && !unread.isEmpty() && !heardLast && listener != null) {
            room--;
            I message = unread.remove();
            if (peer != null) {
              peer.relieved();
            }
            listener.heard(message);
          }
          if (unread.isEmpty() && last.isPresent()) {
            tellEnd(last.get());
          }
        });
  }

  /** The other side has read something. */
  private void relieved() {
    if (full && !over && load() < WINDOW) {
      full = false;
      process.after(
          Duration.ZERO,
          () -> {
            if (!over && listener != null) {
              listener.ready();
            }
          });
    }
  }

  // ---- the end

  /** The other side says no more. */
  private void finish() {
    last = Optional.of("it was ended");
    if (!over) {
      over = true;
      outgoing.clear();
      outgoing.add(new Packet.Fin<>());
      pump();
    }
    read();
  }

  /** The connection is no more. What has arrived and was not read is lost. */
  void broken(String why) {
    over = true;
    outgoing.clear();
    unread.clear();
    process.after(Duration.ZERO, () -> tellEnd(why));
    connection.forgetWhereOver();
  }

  private void tellEnd(String why) {
    if (!heardLast && listener != null) {
      heardLast = true;
      listener.ended(why);
    }
  }

  /** The process is no more, and its kernel says so. */
  void processEnded() {
    heardLast = true;
    over = true;
    if (outgoing.stream().noneMatch(packet -> packet instanceof Packet.Fin)) {
      outgoing.clear();
      outgoing.add(new Packet.Reset<>("connection reset by " + machine));
    }
    pump();
  }

  /** Nobody says anything. */
  void vanish() {
    vanished = true;
    heardLast = true;
    over = true;
    outgoing.clear();
  }
}
