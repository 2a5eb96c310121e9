package fleet.fleetctl.exec;

import fleet.core.question.ExecFrame;
import fleet.core.question.TerminalWindow;
import fleet.entities.ExecEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.ExecClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A command that runs on a machine: what it writes comes over one connection, and what is typed
 * goes over another. Closing it stops the command. Its window may change by any thread; for all
 * else, one.
 */
public final class RemoteCommand implements AutoCloseable {

  private static final int PIECE = 32 << 10;

  private final ExecClient client;
  private final String machine;
  private final HttpAnswer answer;
  private final String session;

  /** Why the input broke off, if it did. */
  private volatile String lost = "";

  private RemoteCommand(ExecClient client, String machine, HttpAnswer answer, String session) {
    this.client = client;
    this.machine = machine;
    this.answer = answer;
    this.session = session;
  }

  /** Runs a command; returns when the machine has begun with it. */
  public static RemoteCommand run(ExecClient client, String machine, ExecEntity command)
      throws FleetException {
    ExecClient.Begun begun = client.run(machine, command);
    return new RemoteCommand(client, machine, begun.answer(), begun.session());
  }

  /** Sends input from now on, on a thread of its own, until it ends. */
  public void sendInput(InputStream in) {
    Thread.ofPlatform().daemon().name("input").start(() -> send(in));
  }

  private void send(InputStream in) {
    byte[] buffer = new byte[PIECE];
    long sent = 0;
    try {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        send(sent, Arrays.copyOf(buffer, n), false);
        sent += n;
      }
      send(sent, new byte[0], true);
    } catch (IOException | FleetException e) {
      if (!hasEnded(e)) {
        lost = "the input broke off: " + e.getMessage();
        close();
      }
    }
  }

  /** Whether there is no command for the input any more: then its output tells of its end. */
  private static boolean hasEnded(Exception e) {
    return e instanceof ApiException refused && refused.isConflict();
  }

  /** The command may take its input in smaller pieces, or wait before it reads. */
  private void send(long offset, byte[] data, boolean last) throws FleetException {
    long end = offset + data.length;
    long taken = offset;
    do {
      byte[] rest = Arrays.copyOfRange(data, (int) (taken - offset), data.length);
      taken = client.input(machine, session, taken, rest, last);
    } while (taken < end);
  }

  /** Tells the command another size of its terminal. */
  public void resize(TerminalWindow window) {
    try {
      client.resize(machine, session, window);
    } catch (FleetException e) {
      // The next size comes with the next change, and the connection is judged by the output.
      return;
    }
  }

  /**
   * Copies what the command writes, until it ends.
   *
   * @return its exit status
   * @throws IOException if that is not known: the connection broke off
   */
  public int copyTo(Output output) throws IOException {
    try {
      InputStream in = answer.stream();
      for (var frame = ExecFrame.read(in); frame.isPresent(); frame = ExecFrame.read(in)) {
        switch (frame.get().kind()) {
          case OUTPUT -> output.bytes(frame.get().data());
          case ERRORS -> output.errorBytes(frame.get().data());
          case BEGUN, KEEPALIVE -> {}
        }
      }
      return answer
          .exitStatus()
          .orElseThrow(() -> new IOException("the answer came without an exit status"));
    } catch (IOException e) {
      throw lost.isEmpty() ? e : new IOException(lost, e);
    }
  }

  @Override
  public void close() {
    try {
      answer.close();
    } catch (IOException gone) {
      return;
    }
  }
}
