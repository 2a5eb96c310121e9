package fleet.coordination.rpc;

import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An in-process stream between the agent and the engine of one fleetd. A message is delivered at
 * once, on the sender's thread.
 */
final class LocalStream {

  /** Takes in who opens a stream. */
  @FunctionalInterface
  interface Host {
    MessageStream.Listener<FromAgent> arrived(MessageStream<FromLeader> stream);
  }

  private final Passage<FromAgent> toLeader;
  private final Passage<FromLeader> toAgent;

  private LocalStream(Host host, MessageStream.Listener<FromLeader> agent) {
    toLeader = new Passage<>(agent::ready);
    toAgent = new Passage<>(() -> toLeader.listener().ifPresent(MessageStream.Listener::ready));
    toAgent.leadsTo(agent);
    toLeader.leadsTo(host.arrived(new LeaderEnd()));
  }

  /**
   * Opens a stream.
   *
   * @return the agent's end
   */
  static MessageStream<FromAgent> open(Host host, MessageStream.Listener<FromLeader> agent) {
    return new LocalStream(host, agent).new AgentEnd();
  }

  private final class AgentEnd extends End<FromAgent, FromLeader> {

    private AgentEnd() {
      super(toLeader, toAgent);
    }

    @Override
    public void end() {
      toLeader.end("the agent has ended it");
      toAgent.end("it was ended");
    }

    @Override
    public void cut(String why) {
      toLeader.cut("it broke");
      toAgent.cut(why);
    }
  }

  private final class LeaderEnd extends End<FromLeader, FromAgent> {

    private LeaderEnd() {
      super(toAgent, toLeader);
    }

    @Override
    public void end() {
      toAgent.end("it was ended");
      toLeader.cut("it is complete");
    }

    @Override
    public void cut(String why) {
      toAgent.cut("the leader has cut it: " + why);
      toLeader.cut("it is complete");
    }
  }

  private abstract static class End<O, I> implements MessageStream<O> {

    private final Passage<O> out;
    private final Passage<I> in;

    private End(Passage<O> out, Passage<I> in) {
      this.out = out;
      this.in = in;
    }

    @Override
    public void send(O message) {
      out.send(message);
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void next() {
      in.next();
    }
  }

  /** One direction of the stream. Its listener is never called with a lock held. */
  private static final class Passage<T> {

    /** A sender that goes on beyond this many only adds to the queue. */
    private static final int MOST_WAITING = 8;

    private final Runnable onReady;
    private final Deque<T> waiting = new ArrayDeque<>();
    private Optional<MessageStream.Listener<T>> listener = Optional.empty();
    private Optional<String> ended = Optional.empty();
    private int room = 1;
    private boolean delivering;
    private boolean over;

    /**
     * @param onReady run when more can be sent again
     */
    private Passage(Runnable onReady) {
      this.onReady = onReady;
    }

    void leadsTo(MessageStream.Listener<T> hearing) {
      synchronized (this) {
        listener = Optional.of(hearing);
      }
      deliver();
    }

    synchronized Optional<MessageStream.Listener<T>> listener() {
      return listener;
    }

    void send(T message) {
      synchronized (this) {
        if (ended.isPresent()) {
          return;
        }
        waiting.add(message);
      }
      deliver();
    }

    synchronized boolean isReady() {
      return ended.isEmpty() && waiting.size() < MOST_WAITING;
    }

    void next() {
      synchronized (this) {
        room++;
      }
      deliver();
    }

    /** Messages sent before still arrive. */
    void end(String why) {
      synchronized (this) {
        ended = ended.or(() -> Optional.of(why));
      }
      deliver();
    }

    void cut(String why) {
      synchronized (this) {
        waiting.clear();
        ended = ended.or(() -> Optional.of(why));
      }
      deliver();
    }

    /** Delivers on one thread at a time, including messages that others add meanwhile. */
    private void deliver() {
      Runnable delivery;
      while ((delivery = begun()) != null) {
        try {
          delivery.run();
        } finally {
          done();
        }
      }
    }

    private synchronized @Nullable Runnable begun() {
      Runnable delivery = delivering || over ? null : listener.map(this::delivery).orElse(null);
      delivering |= delivery != null;
      return delivery;
    }

    private synchronized void done() {
      delivering = false;
    }

    private @Nullable Runnable delivery(MessageStream.Listener<T> to) {
      if (waiting.isEmpty() && ended.isPresent()) {
        over = true;
        String why = ended.get();
        return () -> to.ended(why);
      }
      if (waiting.isEmpty() || room == 0) {
        return null;
      }
      room--;
      boolean wasFull = waiting.size() >= MOST_WAITING;
      T message = waiting.remove();
      boolean readyAgain = wasFull && waiting.size() < MOST_WAITING;
      return () -> {
        to.heard(message);
        if (readyAgain) {
          onReady.run();
        }
      };
    }
  }
}
