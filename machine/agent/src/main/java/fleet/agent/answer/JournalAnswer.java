package fleet.agent.answer;

import fleet.coordination.PieceInput;
import fleet.core.question.Answer;
import fleet.core.question.JournalFilter;
import fleet.core.question.Question.JournalEntries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The existing entries, by one run of journalctl; if they are followed, then an empty line and a
 * second run for those to come. Nothing runs ahead of the reader by more than a pipe holds.
 */
final class JournalAnswer implements Answer {

  private static final int REASON = 4 << 10;

  private final Journalctl journalctl;
  private final boolean follow;
  private final Body body = new Body();
  private @Nullable Run run;
  private boolean closed;

  /** One program, whose standard error is taken beside its output. */
  private record Run(Process process, InputStream output, CompletableFuture<String> problem) {

    static Run of(Journalctl.Command command) throws IOException {
      Process process = new ProcessBuilder(command.words()).start();
      process.getOutputStream().close();
      var problem = new CompletableFuture<String>();
      Thread.ofVirtual()
          .name("journalctl-problems")
          .start(() -> problem.complete(drained(process.getErrorStream())));
      InputStream output = process.getInputStream();
      if (!command.behind().isEmpty()) {
        output = new BehindCursor(output, command.behind());
      } else if (command.newest() < JournalEntries.ALL) {
        output = new PieceInput(new NewestLines(output, command.newest()), () -> {});
      }
      return new Run(process, output, problem);
    }

    private static String drained(InputStream stream) {
      try (stream) {
        String text = new String(stream.readNBytes(REASON), StandardCharsets.UTF_8);
        stream.skip(Long.MAX_VALUE);
        return text.strip();
      } catch (IOException ended) {
        return "";
      }
    }

    /** Whether journalctl succeeded. It also fails, without a word, if there is no entry. */
    void expectSuccess() throws IOException, InterruptedException {
      int status = process.waitFor();
      try {
        if (status != 0 && !problem.get().isEmpty()) {
          throw new IOException("journalctl: " + problem.get().lines().findFirst().orElse(""));
        }
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      }
    }
  }

  /**
   * @param selection as {@link Journalctl} takes it
   */
  JournalAnswer(JournalEntries question, JournalFilter filter, List<String> selection) {
    this.journalctl = new Journalctl(question, filter, selection);
    this.follow = question.follow();
  }

  @Override
  public InputStream body() {
    return body;
  }

  /** A program that fails is a fault of the body. */
  @Override
  public int exitStatus() {
    return 0;
  }

  private synchronized Run start(Journalctl.Command command) throws IOException {
    if (closed) {
      throw new IOException("the answer has been closed");
    }
    run = Run.of(command);
    return run;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (run != null) {
      run.process().destroy();
    }
  }

  /** The two runs, one after the other. */
  private final class Body extends InputStream {

    private enum Part {
      NOT_BEGUN,
      PAST,
      FUTURE,
      OVER
    }

    private final CursorFilter filter = new CursorFilter();
    private Part part = Part.NOT_BEGUN;
    private Instant begun = Instant.EPOCH;
    private @Nullable Run reading;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = 0;
      while (count == 0 && length > 0) {
        count =
            switch (part) {
              case NOT_BEGUN -> begin();
              case PAST -> past(target, offset, length);
              case FUTURE -> future(target, offset, length);
              case OVER -> -1;
            };
      }
      return count;
    }

    private int begin() throws IOException {
      begun = Instant.now();
      reading = start(journalctl.past());
      part = Part.PAST;
      return 0;
    }

    private int past(byte[] target, int offset, int length) throws IOException {
      int count = output().read(target, offset, length);
      if (count >= 0) {
        return filter.filter(target, offset, count);
      }
      ended();
      if (!follow) {
        part = Part.OVER;
        return -1;
      }
      reading = start(journalctl.future(filter.cursor(), begun));
      part = Part.FUTURE;
      target[offset] = '\n';
      return 1;
    }

    private int future(byte[] target, int offset, int length) throws IOException {
      int count = output().read(target, offset, length);
      if (count < 0) {
        ended();
        throw new IOException("journalctl ended though it was to follow");
      }
      return count;
    }

    private InputStream output() throws IOException {
      Run current = reading;
      if (current == null) {
        throw new IOException("nothing runs");
      }
      return current.output();
    }

    private void ended() throws IOException {
      Run current = reading;
      try {
        if (current != null) {
          current.expectSuccess();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public void close() {
      JournalAnswer.this.close();
    }
  }
}
