package fleet.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import fleet.core.question.TerminalWindow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecMessagesTest {

  private static final String SESSION = "0b5c1d3a-7e0f-4a55-9d0e-111213141516";

  private static Question sent(Question question) throws MalformedMessageException {
    return QuestionMessages.question(QuestionMessages.message(question));
  }

  @Test
  void commandsAndWindowsArriveAsTheyWereSent() throws MalformedMessageException {
    TerminalWindow window = new TerminalWindow(40, 132);
    for (Question question :
        List.of(
            new Question.Exec(SESSION, List.of("ls", "", "a  b"), Optional.empty()),
            new Question.Exec(
                SESSION, List.of("top"), Optional.of(new ExecTerminal("xterm-256color", window))),
            new Question.ExecWindow(SESSION, window))) {
      assertThat(sent(question)).isEqualTo(question);
    }
  }

  @Test
  void inputArrivesAsItWasSent() throws MalformedMessageException {
    var input =
        (Question.ExecInput)
            sent(new Question.ExecInput(SESSION, 1L << 40, new byte[] {0, -1}, true));
    assertThat(input.session()).isEqualTo(SESSION);
    assertThat(input.offset()).isEqualTo(1L << 40);
    assertThat(input.data()).containsExactly(0, -1);
    assertThat(input.last()).isTrue();
  }

  @Test
  void whatNoCommandIsIsRefused() {
    var nothing = fleet.rpc.v1.Question.Exec.newBuilder().setSession(SESSION);
    assertThatThrownBy(() ->
            QuestionMessages.question(fleet.rpc.v1.Question.newBuilder().setExec(nothing).build()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("expected a program to run");
  }
}
