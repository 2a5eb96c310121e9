package fleet.rpc.message;

import com.google.protobuf.ByteString;
import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import fleet.core.question.TerminalWindow;
import java.util.Optional;

/** Commands that people run on machines, and their input, as messages. */
final class ExecMessages {

  private ExecMessages() {}

  static fleet.rpc.v1.Question.Exec message(Question.Exec exec) {
    fleet.rpc.v1.Question.Exec.Builder message =
        fleet.rpc.v1.Question.Exec.newBuilder()
            .setSession(exec.session())
            .addAllCommand(exec.command());
    exec.terminal()
        .ifPresent(terminal ->
            message.setTerminal(
                fleet.rpc.v1.Question.Terminal.newBuilder()
                    .setType(terminal.type())
                    .setWindow(message(terminal.window()))));
    return message.build();
  }

  private static fleet.rpc.v1.Question.Window message(TerminalWindow window) {
    return fleet.rpc.v1.Question.Window.newBuilder()
        .setRows(window.rows())
        .setColumns(window.columns())
        .build();
  }

  static fleet.rpc.v1.Question.ExecInput message(Question.ExecInput input) {
    return fleet.rpc.v1.Question.ExecInput.newBuilder()
        .setSession(input.session())
        .setOffset(input.offset())
        .setData(ByteString.copyFrom(input.data()))
        .setLast(input.last())
        .build();
  }

  static fleet.rpc.v1.Question.ExecWindow message(Question.ExecWindow resized) {
    return fleet.rpc.v1.Question.ExecWindow.newBuilder()
        .setSession(resized.session())
        .setWindow(message(resized.window()))
        .build();
  }

  static Question.Exec exec(fleet.rpc.v1.Question.Exec message) {
    return new Question.Exec(
        message.getSession(),
        message.getCommandList(),
        message.hasTerminal()
            ? Optional.of(
                new ExecTerminal(
                    message.getTerminal().getType(), window(message.getTerminal().getWindow())))
            : Optional.empty());
  }

  private static TerminalWindow window(fleet.rpc.v1.Question.Window message) {
    return new TerminalWindow(message.getRows(), message.getColumns());
  }

  static Question.ExecInput input(fleet.rpc.v1.Question.ExecInput message) {
    return new Question.ExecInput(
        message.getSession(),
        message.getOffset(),
        message.getData().toByteArray(),
        message.getLast());
  }

  static Question.ExecWindow window(fleet.rpc.v1.Question.ExecWindow message) {
    return new Question.ExecWindow(message.getSession(), window(message.getWindow()));
  }
}
