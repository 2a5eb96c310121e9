package fleet.agent.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.question.RefusedAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands that people run on this machine. Their number is bounded. Safe for use by many
 * threads.
 */
public final class ExecSessions implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ExecSessions.class);

  /** How many commands run at once. */
  private static final int MOST = 32;

  /** A request for input is answered within this time, even if the command does not read. */
  private static final long INPUT_MILLIS = 5000;

  private final boolean allowed;
  private final boolean userManager;
  private final Map<String, ExecSession> sessions = new HashMap<>();
  private boolean closed;

  /**
   * Runs nothing yet.
   *
   * @param allowed whether the configuration of this machine lets people run commands
   * @param userManager whether units run under the user's manager
   */
  public ExecSessions(boolean allowed, boolean userManager) {
    this.allowed = allowed;
    this.userManager = userManager;
  }

  /** Stops commands that an earlier fleetd of this machine left behind when it was killed. */
  public void stopLeftovers() {
    Programs.run(new TransientUnit(TransientUnit.ALL, userManager).stop());
  }

  /** Runs a command; its answer is refused if that cannot be. */
  public Answer begin(Question.Exec exec) {
    try {
      return started(exec);
    } catch (IOException e) {
      return new RefusedAnswer(String.valueOf(e.getMessage()));
    }
  }

  private synchronized Answer started(Question.Exec exec) throws IOException {
    if (!allowed) {
      throw new IOException(
          "commands are switched off on this machine: enable_exec=false in its fleet.conf");
    }
    if (closed || sessions.size() >= MOST) {
      throw new IOException(
          closed
              ? "fleetd is stopping"
              : "%d commands run on this machine already".formatted(MOST));
    }
    if (sessions.containsKey(exec.session())) {
      throw new IOException("there is such a session already");
    }
    TransientUnit unit =
        TransientUnit.of(UUID.randomUUID().toString().substring(0, 8), userManager);
    LOG.info("{}: running {}", unit.name(), exec.command());
    ExecSession session = new ExecSession(unit, process(unit, exec), exec.terminal().isPresent());
    sessions.put(exec.session(), session);
    return session;
  }

  private Process process(TransientUnit unit, Question.Exec exec) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(unit.run(exec));
    // Otherwise systemd-run would use a terminal of fleetd for the command.
    builder.environment().remove("TERM");
    exec.terminal()
        .ifPresent(terminal -> {
          builder.environment().put("LINES", Integer.toString(terminal.window().rows()));
          builder.environment().put("COLUMNS", Integer.toString(terminal.window().columns()));
        });
    try {
      Process process = builder.start();
      Thread.ofVirtual().name("exec-end").start(() -> awaitEnd(process, exec.session(), unit));
      return process;
    } catch (IOException e) {
      throw new IOException("cannot run systemd-run: " + e.getMessage(), e);
    }
  }

  private void awaitEnd(Process process, String session, TransientUnit unit) {
    try {
      int _ = process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ended(session, unit);
  }

  private void ended(String session, TransientUnit unit) {
    synchronized (this) {
      sessions.remove(session);
    }
    // systemd-run may also be killed, or left by its own keys (three times Ctrl-]).
    Programs.run(unit.stop());
    LOG.info("{}: ended", unit.name());
  }

  /** Gives input to a command; says how much it has been given in total. */
  public Answer input(Question.ExecInput input) {
    try {
      long taken = session(input.session()).input().take(input, INPUT_MILLIS);
      return new WholeAnswer(Long.toString(taken));
    } catch (IOException e) {
      return new RefusedAnswer(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new RefusedAnswer("interrupted");
    }
  }

  /** Gives the terminal of a command another size. */
  public Answer resize(Question.ExecWindow resized) {
    try {
      TransientUnit unit = session(resized.session()).unit();
      String terminal =
          Programs.run(unit.terminal())
              .filter(path -> !path.isEmpty())
              .orElseThrow(() -> new IOException("the command has no terminal"));
      Programs.run(
          List.of(
              "stty",
              "-F",
              terminal,
              "rows",
              Integer.toString(resized.window().rows()),
              "columns",
              Integer.toString(resized.window().columns())));
      return new WholeAnswer("");
    } catch (IOException e) {
      return new RefusedAnswer(String.valueOf(e.getMessage()));
    }
  }

  private synchronized ExecSession session(String id) throws IOException {
    return Optional.ofNullable(sessions.get(id))
        .orElseThrow(() -> new IOException("no such command runs on this machine: it has ended"));
  }

  @Override
  public void close() {
    List<ExecSession> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(sessions.values());
    }
    // fleetd may be gone before the other thread has come to it.
    left.forEach(ExecSession::stopOnce);
    left.forEach(ExecSession::close);
  }

  private record WholeAnswer(String text) implements Answer {
    @Override
    public InputStream body() {
      return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Override
    public int exitStatus() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
