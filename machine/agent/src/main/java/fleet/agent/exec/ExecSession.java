package fleet.agent.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.coordination.PieceInput;
import fleet.core.question.Answer;
import fleet.core.question.ExecFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that runs in its unit. Its output is read at the pace of the reader. Closing this stops
 * the unit, and tries again until it is gone.
 */
final class ExecSession implements Answer {

  private static final Logger LOG = LoggerFactory.getLogger(ExecSession.class);

  private static final int FRAMES_AHEAD = 4;
  private static final int PIECE = 8 << 10;
  private static final long KEEPALIVE_SECONDS = 15;

  /** Longer than the unit's own time to stop. */
  private static final int STOPS = 10;

  private static final int STREAMS = 2;
  private static final byte[] END = {};

  private final TransientUnit unit;
  private final Process process;
  private final CommandInput input = new CommandInput();
  private final BlockingQueue<byte[]> frames = new ArrayBlockingQueue<>(FRAMES_AHEAD);
  private final InputStream body = new PieceInput(this::next, this::close);
  private final AtomicBoolean closed = new AtomicBoolean();
  private int ended;
  private boolean begun;

  /**
   * Begins to read and write.
   *
   * @param process of systemd-run, which waits for the unit
   * @param terminal whether the command has a terminal
   */
  ExecSession(TransientUnit unit, Process process, boolean terminal) {
    this.unit = unit;
    this.process = process;
    InputStream output = process.getInputStream();
    beside("exec-input", () -> input.copyTo(process.getOutputStream()));
    beside(
        "exec-output",
        () -> copy(terminal ? fromItsBeginning(output) : output, ExecFrame.Kind.OUTPUT));
    beside("exec-errors", () -> copy(process.getErrorStream(), ExecFrame.Kind.ERRORS));
    if (!terminal) {
      input.begin();
    }
  }

  /** systemd drops what is typed at a terminal that it has not set up yet. */
  private InputStream fromItsBeginning(InputStream output) {
    return new MarkedOutput(output, TransientUnit.BEGINNING, input::begin);
  }

  private static void beside(String name, Runnable work) {
    Thread.ofVirtual().name(name).start(work);
  }

  TransientUnit unit() {
    return unit;
  }

  CommandInput input() {
    return input;
  }

  private void copy(InputStream from, ExecFrame.Kind kind) {
    byte[] buffer = new byte[PIECE];
    try (from) {
      for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
        put(new ExecFrame(kind, Arrays.copyOf(buffer, n)).bytes());
      }
    } catch (IOException e) {
      LOG.debug("{}: {}", unit.name(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After the end the rest is dropped, so that the command does not wait for a reader. */
  private void put(byte[] frame) throws InterruptedException {
    while (!closed.get() && !frames.offer(frame, 1, TimeUnit.SECONDS)) {
      LOG.trace("{}: the reader is slow", unit.name());
    }
  }

  private byte[] next() throws IOException {
    if (!begun) {
      begun = true;
      return new ExecFrame(ExecFrame.Kind.BEGUN, unit.name().getBytes(UTF_8)).bytes();
    }
    try {
      while (ended < STREAMS) {
        byte[] frame = frames.poll(KEEPALIVE_SECONDS, TimeUnit.SECONDS);
        if (closed.get()) {
          throw new IOException("the command has been stopped");
        }
        if (frame == null) {
          return new ExecFrame(ExecFrame.Kind.KEEPALIVE, END).bytes();
        }
        if (frame.length > 0) {
          return frame;
        }
        ended++;
      }
      return END;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a command runs");
    }
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public int exitStatus() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      input.close();
      frames.clear();
      boolean _ = frames.offer(END);
      if (process.isAlive()) {
        beside("exec-stop", this::stop);
      }
    }
  }

  /** The unit may not have begun when it is stopped first. */
  private void stop() {
    try {
      for (int i = 0; i < STOPS && process.isAlive(); i++) {
        stopOnce();
        boolean _ = process.waitFor(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Tells systemd to stop the unit. */
  void stopOnce() {
    Programs.run(unit.stop());
  }
}
