package fleet.fleetctl.ssh;

import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.NotConnectedException;
import fleet.fleetctl.http.SshConnector;
import fleet.fleetctl.http.Transport;
import fleet.fleetctl.output.ExitHook;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections through ssh, a process each; what ssh says is seen at once, on standard error. The
 * first one asks all questions before others begin. None is left when fleetctl ends. Safe for use
 * by many threads.
 */
public final class SshTransports implements SshConnector {

  private static final int NO_SUCH_PROGRAM = 127;

  /** Finds fleetctl for users whose PATH is that of ssh alone. */
  private static final String FORWARD =
      "sh -c 'PATH=\"$PATH:/usr/local/bin:/opt/fleet/bin\"; exec fleetctl fd-forward \"$1\"' sh ";

  private final SshProgram program;
  private final Optional<Endpoint.Ssh> tunnel;
  private final Set<Endpoint.Ssh> reached = new HashSet<>();
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  /**
   * Starts nothing yet.
   *
   * @param tunnel the host that reaches ports; empty if only sockets are asked for
   */
  public SshTransports(SshProgram program, Optional<Endpoint.Ssh> tunnel) {
    this.program = program;
    this.tunnel = tunnel;
    ExitHook _ = new ExitHook("ssh-end", () -> running.forEach(Process::destroy));
  }

  @Override
  public Transport toSocket(Endpoint.Ssh socket) throws IOException {
    return open(socket, List.of("-T"), List.of(FORWARD + SshProgram.shellWord(socket.socket())));
  }

  @Override
  public Transport toPort(String name, int port) throws IOException {
    Endpoint.Ssh host =
        tunnel.orElseThrow(() -> new NotConnectedException("no tunnel to port " + port));
    return open(
        host,
        List.of("-W", (name.contains(":") ? "[" + name + "]" : name) + ":" + port),
        List.of());
  }

  private Transport open(Endpoint.Ssh host, List<String> flags, List<String> words)
      throws IOException {
    try {
      connect(host);
      Process process =
          new ProcessBuilder(program.line(Optional.empty(), host, flags, words))
              .redirectError(Redirect.INHERIT)
              .start();
      running.add(process);
      Answers in = new Answers(process, host);
      return new Transport(in, new Requests(in), in::end);
    } catch (NotConnectedException e) {
      throw e;
    } catch (IOException e) {
      throw new NotConnectedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens the connection that all others share, if they can. */
  private synchronized void connect(Endpoint.Ssh host) throws IOException {
    if (reached.contains(host) || !program.isShared(host)) {
      return;
    }
    if (run(host, Redirect.DISCARD, "-O", "check") != 0) {
      int code = run(host, Redirect.INHERIT, "-f", "-N");
      if (code != 0) {
        throw new NotConnectedException(problem(host, code));
      }
    }
    reached.add(host);
  }

  private int run(Endpoint.Ssh host, Redirect problems, String... flags) throws IOException {
    return ended(
        new ProcessBuilder(program.line(Optional.empty(), host, List.of(flags), List.of()))
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(problems)
            .start());
  }

  private static int ended(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private String problem(Endpoint.Ssh host, int code) {
    String place = host.place();
    return switch (code) {
      case SshProgram.FAILED ->
          ("ssh cannot connect to "
                  + place
                  + ", and says why above. "
                  + program.options().agentHint())
              .strip();
      case NO_SUCH_PROGRAM ->
          place
              + " has no fleetctl on its PATH or in /opt/fleet/bin: install fleet there, or name"
              + " another machine";
      default -> "fleetctl fd-forward on " + place + " ended with exit code " + code;
    };
  }

  /** Bytes from the other side; tells a connection that never was from one that ended. */
  private final class Answers extends FilterInputStream {
    private final Process process;
    private final Endpoint.Ssh host;
    private volatile boolean any;

    Answers(Process process, Endpoint.Ssh host) {
      super(process.getInputStream());
      this.process = process;
      this.host = host;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      any |= count > 0;
      if (count < 0) {
        expectConnected();
      }
      return count;
    }

    /** Fails if the process has ended before the first byte, and not well. */
    void expectConnected() throws IOException {
      if (any) {
        return;
      }
      int code = ended(process);
      boolean closed = !running.contains(process);
      if (code != 0 && !closed) {
        throw new NotConnectedException(problem(host, code));
      }
    }

    void end() {
      running.remove(process);
      process.destroy();
    }
  }

  /** Bytes to the other side. */
  private static final class Requests extends FilterOutputStream {
    private final Answers answers;

    Requests(Answers answers) {
      super(answers.process.getOutputStream());
      this.answers = answers;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      flush();
    }

    @Override
    public void flush() throws IOException {
      try {
        super.flush();
      } catch (IOException e) {
        answers.expectConnected();
        throw e;
      }
    }
  }
}
