package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, from its opening to its end.
 *
 * <p>Any thread may call; one thread reads. Calls are written by a thread of their own, so that an
 * interrupted caller does not close the socket under all others, and many small calls leave with
 * one write.
 */
final class BusConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BusConnection.class);

  /** Calls under way at a time: dbus-daemon refuses more than 128 for one connection. */
  private static final int WINDOW = 100;

  private static final int MOST_BUFFERS = 64;

  private final boolean onBus;
  private final SocketChannel channel;
  private final AtomicInteger serials = new AtomicInteger();
  private final BlockingQueue<ByteBuffer> outgoing = new LinkedBlockingQueue<>();
  private final Map<Long, Pending<?>> pending = new ConcurrentHashMap<>();
  private final Semaphore window = new Semaphore(WINDOW);
  private volatile String end = "";
  private final Thread writer;

  private BusConnection(boolean onBus, SocketChannel channel) {
    this.onBus = onBus;
    this.channel = channel;
    writer = Thread.ofVirtual().name("systemd-writer").unstarted(this::write);
  }

  /** Connects and authenticates; nothing is read before {@link #read}. */
  static BusConnection open(ManagerAddress address) throws IOException {
    BusConnection link =
        new BusConnection(address instanceof ManagerAddress.Bus, BusConnector.dial(address));
    link.writer.start();
    return link;
  }

  boolean isOnBus() {
    return onBus;
  }

  /**
   * Sends a call; waits while too many are under way, so never to be used by the reading thread.
   *
   * @return what the decoder made of the answer, or a {@link SystemdException}; what follows on it
   *     runs on the reading thread unless it is there already
   */
  <T> CompletableFuture<T> call(MethodCall call, Decoder<T> decoder) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      window.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.completeExceptionally(
          new SystemdException("", "interrupted before systemd could " + call.purpose(), e));
      return answer;
    }
    send(call, decoder, answer);
    return answer;
  }

  /**
   * Sends a call unless too many are under way already; for the reading thread.
   *
   * @return whether it was sent
   */
  boolean tryCall(MethodCall call, BiConsumer<Boolean, @Nullable Throwable> done) {
    if (!window.tryAcquire()) {
      return false;
    }
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    var _ = answer.whenComplete(done);
    send(call, body -> true, answer);
    return true;
  }

  private <T> void send(MethodCall call, Decoder<T> decoder, CompletableFuture<T> answer) {
    int serial = serials.incrementAndGet();
    pending.put(Integer.toUnsignedLong(serial), new Pending<>(call, decoder, answer));
    outgoing.add(Marshaller.marshal(call, serial, onBus));
    if (isEnded()) {
      failPending();
    }
  }

  private void write() {
    List<ByteBuffer> batch = new ArrayList<>(MOST_BUFFERS);
    try {
      while (!isEnded()) {
        batch.clear();
        batch.add(outgoing.take());
        outgoing.drainTo(batch, MOST_BUFFERS - 1);
        ByteBuffer[] buffers = batch.toArray(ByteBuffer[]::new);
        while (buffers[buffers.length - 1].hasRemaining()) {
          channel.write(buffers);
        }
      }
    } catch (IOException e) {
      end(e.toString());
    } catch (InterruptedException e) {
      end("closed");
    }
  }

  /**
   * Reads until the connection ends, and hands out answers and signals in the order they come in.
   *
   * @return why it ended
   */
  String read(SignalHandler handler) {
    FrameReader frames = new FrameReader(channel);
    try {
      while (!isEnded()) {
        dispatch(frames.next(), handler);
        if (!frames.isReady()) {
          handler.caughtUp(this);
        }
      }
    } catch (IOException e) {
      end(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      end("what came in is not D-Bus: " + e);
    }
    failPending();
    return end;
  }

  private void dispatch(Frame frame, SignalHandler handler) throws IOException {
    switch (frame.type()) {
      case Frame.SIGNAL -> signal(frame, handler);
      case Frame.METHOD_RETURN, Frame.ERROR -> {
        Pending<?> waiting = pending.remove(frame.replySerial());
        if (waiting != null) {
          window.release();
          waiting.answer(frame);
        }
      }
      default -> {
        // Calls to this side: there is no object here that anybody could know of.
      }
    }
  }

  private static void signal(Frame frame, SignalHandler handler) throws IOException {
    try {
      handler.signal(frame);
    } catch (ProtocolException | RuntimeException e) {
      log.warn("the signal {} of {} was not understood", frame.member(), frame.path(), e);
    }
  }

  boolean isEnded() {
    return !end.isEmpty();
  }

  /** Ends the connection, for the first reason that is given. */
  void end(String why) {
    synchronized (this) {
      if (isEnded()) {
        return;
      }
      end = why;
    }
    writer.interrupt();
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("closing the socket failed", e);
    }
  }

  private void failPending() {
    for (Long serial : List.copyOf(pending.keySet())) {
      Pending<?> waiting = pending.remove(serial);
      if (waiting != null) {
        window.release();
        waiting.answer.completeExceptionally(CallFailure.lost(waiting.call, end));
      }
    }
  }

  @Override
  public void close() {
    end("closed");
  }

  /** Hears of signals, on the reading thread. A frame is only good within the call. */
  interface SignalHandler {

    void signal(Frame frame) throws IOException;

    /** All that has come in so far by this link was handed out. */
    void caughtUp(BusConnection link);
  }

  private record Pending<T>(MethodCall call, Decoder<T> decoder, CompletableFuture<T> answer) {

    void answer(Frame frame) {
      if (frame.type() == Frame.ERROR) {
        answer.completeExceptionally(CallFailure.of(call, frame));
        return;
      }
      try {
        answer.complete(decoder.decode(frame.body()));
      } catch (IOException | RuntimeException e) {
        answer.completeExceptionally(
            new SystemdException("", "cannot " + call.purpose() + ": " + e.getMessage(), e));
      }
    }
  }
}
