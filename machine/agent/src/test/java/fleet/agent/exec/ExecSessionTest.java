package fleet.agent.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.question.Answer;
import fleet.core.question.ExecFrame;
import fleet.core.question.Question;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExecSessionTest {

  private static final TransientUnit UNIT = TransientUnit.of("00000000", false);

  /** A process in place of systemd-run, which hands on all that it is given. */
  private static ExecSession running(String script, boolean terminal) throws IOException {
    return new ExecSession(UNIT, new ProcessBuilder("sh", "-c", script).start(), terminal);
  }

  private static ExecSession running(String script) throws IOException {
    return running(script, false);
  }

  private static void type(ExecSession session, String text) throws Exception {
    session
        .input()
        .take(
            new Question.ExecInput(UUID.randomUUID().toString(), 0, text.getBytes(UTF_8), true), 0);
  }

  /** Without those of a command that a busy machine has keep silent for long. */
  private static Map<ExecFrame.Kind, String> frames(InputStream in) throws IOException {
    Map<ExecFrame.Kind, String> all = new EnumMap<>(ExecFrame.Kind.class);
    for (var frame = ExecFrame.read(in); frame.isPresent(); frame = ExecFrame.read(in)) {
      all.merge(frame.get().kind(), new String(frame.get().data(), UTF_8), String::concat);
    }
    all.remove(ExecFrame.Kind.KEEPALIVE);
    return all;
  }

  @Test
  void outputAndErrorsAreKeptApartAndTheStatusFollows() throws Exception {
    try (ExecSession session = running("cat; echo wrong >&2; exit 7")) {
      type(session, "typed\n");
      assertThat(frames(session.body()))
          .isEqualTo(
              Map.of(
                  ExecFrame.Kind.BEGUN, UNIT.name(),
                  ExecFrame.Kind.OUTPUT, "typed\n",
                  ExecFrame.Kind.ERRORS, "wrong\n"));
      assertThat(session.exitStatus()).isEqualTo(7);
    }
  }

  @Test
  void whatIsTypedAtATerminalFollowsTheMarkOfItsBeginning() throws Exception {
    try (ExecSession session = running("printf 'set up, \\0'; cat; printf '\\0'", true)) {
      type(session, "typed\n");
      assertThat(frames(session.body())).containsEntry(ExecFrame.Kind.OUTPUT, "set up, typed\n\0");
    }
  }

  @Test
  void allOfALargeOutputComes() throws Exception {
    try (ExecSession session = running("head -c 3000000 /dev/zero")) {
      assertThat(frames(session.body()).get(ExecFrame.Kind.OUTPUT)).hasSize(3_000_000);
    }
  }

  @Test
  void aClosedSessionSaysNothingMore() throws Exception {
    ExecSession session = running("echo one; exec cat");
    assertThat(ExecFrame.read(session.body()).orElseThrow().kind()).isEqualTo(ExecFrame.Kind.BEGUN);
    session.close();
    assertThatThrownBy(() -> session.body().readAllBytes())
        .isInstanceOf(IOException.class)
        .hasMessage("the command has been stopped");
  }

  @Test
  void aMachineThatAllowsNoCommandsSaysHowItCan() {
    try (ExecSessions off = new ExecSessions(false, false);
        Answer answer =
            off.begin(
                new Question.Exec(UUID.randomUUID().toString(), List.of("id"), Optional.empty()))) {
      assertThatThrownBy(() -> answer.body().readAllBytes())
          .hasMessageContaining("enable_exec=false");
    }
  }

  @Test
  void inputForACommandThatHasEndedIsRefused() {
    try (ExecSessions none = new ExecSessions(true, false);
        Answer answer =
            none.input(
                new Question.ExecInput(UUID.randomUUID().toString(), 0, new byte[1], false))) {
      assertThatThrownBy(() -> answer.body().readAllBytes()).hasMessageContaining("it has ended");
    }
  }
}
