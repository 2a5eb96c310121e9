package fleet.fleetctl.output;

import fleet.core.text.SingleLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The two output streams. On a terminal a status line stays below the output, and control
 * characters are escaped, since text may come from units and machines. Files and pipes get it as it
 * is. Messages on standard error are for people, so times in them are local ones. Safe for use by
 * many threads.
 */
public final class Output {

  /** Clears the line; without wrapping, so that a long one stays one line. */
  private static final String STATUS_START = "\r\033[?7l";

  private static final String STATUS_END = "\033[K\033[?7h";
  private static final String CLEAR = "\r\033[K";
  private static final long PATIENCE_MILLIS = 1000;
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final OutputStream out;
  private final OutputStream err;
  private final boolean outTerminal;
  private final boolean errTerminal;
  private final Duration grace;
  private boolean statusShown;
  private boolean ended;

  /**
   * Takes the streams, which should be buffered.
   *
   * @param outTerminal whether standard output is a terminal
   * @param errTerminal whether standard error is one
   */
  public Output(OutputStream out, OutputStream err, boolean outTerminal, boolean errTerminal) {
    this(out, err, outTerminal, errTerminal, GRACE);
  }

  /**
   * The same, with another grace.
   *
   * @param grace how long a wait lasts before its progress is shown
   */
  public Output(
      OutputStream out,
      OutputStream err,
      boolean outTerminal,
      boolean errTerminal,
      Duration grace) {
    this.out = out;
    this.err = err;
    this.outTerminal = outTerminal;
    this.errTerminal = errTerminal;
    this.grace = grace;
  }

  /** How long a wait lasts before its progress is shown. */
  public Duration grace() {
    return grace;
  }

  public boolean isTerminal() {
    return outTerminal;
  }

  /** Whether a status line can be shown. */
  public boolean hasStatusLine() {
    return errTerminal;
  }

  /**
   * An output for what scripts of fleet 1.0 do not expect: the same one on a terminal, otherwise
   * one that writes all to standard error.
   */
  public Output aside() {
    return outTerminal ? this : new Output(err, err, errTerminal, errTerminal);
  }

  /** Writes a line to standard output, buffered. */
  public synchronized void line(String line) {
    text(line + "\n");
  }

  /** Writes to standard output, buffered. */
  public synchronized void text(String text) {
    screen(outTerminal ? TerminalFilter.plain(text) : text);
  }

  /** Writes a line that may set colours. */
  public synchronized void colouredLine(String line) {
    screen((outTerminal ? TerminalFilter.coloured(line) : line) + "\n");
  }

  /** Writes without escapes, for what fleetctl draws itself. */
  public synchronized void screen(String text) {
    clearStatus();
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a line to standard error, at once, after what standard output had before. */
  public synchronized void problem(String line) {
    clearStatus();
    flush(out);
    lastWords(line);
  }

  /** Writes a question to standard error; the cursor stays behind it. */
  public synchronized void question(String text) {
    clearStatus();
    flush(out);
    write(err, (errTerminal ? TerminalFilter.plain(text) : text).getBytes(StandardCharsets.UTF_8));
    flush(err);
  }

  /** Writes a line to standard error though standard output may be broken. */
  public synchronized void lastWords(String line) {
    String local = LocalTimes.in(line);
    String shown = errTerminal ? TerminalFilter.plain(local) : local;
    write(err, (shown + "\n").getBytes(StandardCharsets.UTF_8));
    flush(err);
  }

  /** Shows a status line in place of the one before; nothing if there is no terminal. */
  public synchronized void status(String line) {
    if (!errTerminal) {
      return;
    }
    flush(out);
    String shown = STATUS_START + SingleLine.of(LocalTimes.in(line)) + STATUS_END;
    write(err, shown.getBytes(StandardCharsets.UTF_8));
    flush(err);
    statusShown = true;
  }

  /** Takes the status line away. */
  public synchronized void clearStatus() {
    if (statusShown) {
      statusShown = false;
      write(err, CLEAR.getBytes(StandardCharsets.UTF_8));
      flush(err);
    }
  }

  /** Copies bytes to standard output as they come; what reading throws comes out unchanged. */
  public void copy(InputStream in) throws IOException {
    copy(in, false);
  }

  /** The same for what may set colours. */
  public void copyColoured(InputStream in) throws IOException {
    copy(in, true);
  }

  private void copy(InputStream in, boolean colours) throws IOException {
    if (outTerminal) {
      TerminalFilter.copy(in, colours, this::show);
    } else {
      copyAsItIs(in);
    }
  }

  private synchronized void show(String text) {
    write(out, text.getBytes(StandardCharsets.UTF_8));
    flush(out);
  }

  private void copyAsItIs(InputStream in) throws IOException {
    byte[] buffer = new byte[8192];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      synchronized (this) {
        try {
          out.write(buffer, 0, count);
        } catch (IOException e) {
          throw failure(e);
        }
        flush(out);
      }
    }
  }

  public synchronized void flush() {
    flush(out);
    flush(err);
  }

  /**
   * Sees to it that a program ended by Ctrl-C in the middle of its output ends it with a whole
   * line. A terminal that takes nothing is not waited for.
   */
  public ExitHook endingCleanly() {
    return new ExitHook("clean-end", this::endSoon);
  }

  private void endSoon() {
    try {
      Thread.ofPlatform().daemon().start(this::end).join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what was held back, and nothing from then on. */
  synchronized void end() {
    try {
      flush();
    } catch (UncheckedIOException nobodyReads) {
      // Nobody reads an error message either.
    }
    ended = true;
  }

  /** Writes bytes to standard output as they are, at once: a program writes them, not fleetctl. */
  public synchronized void bytes(byte[] bytes) {
    clearStatus();
    write(out, bytes);
    flush(out);
  }

  /** The same to standard error. */
  public synchronized void errorBytes(byte[] bytes) {
    clearStatus();
    write(err, bytes);
    flush(err);
  }

  private void write(OutputStream stream, byte[] bytes) {
    try {
      if (!ended) {
        stream.write(bytes);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static void flush(OutputStream stream) {
    try {
      stream.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static UncheckedIOException failure(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("Broken pipe")
        ? new OutputClosedException(e)
        : new UncheckedIOException(e.getMessage(), e);
  }
}
