package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.IncomingAnswer;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.records.AnswerRecord;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An answer's pieces, as a watch may bring them. */
class AnswerPiecesTest {

  private final List<Long> taken = new ArrayList<>();
  private final IncomingAnswer answer = new IncomingAnswer("m1", taken::add, () -> {});
  private final AnswerPieces pieces = new AnswerPieces("m1", "q", answer);

  private static Change written(long piece, AnswerRecord record) {
    return new Change.Written(new Entry(Keys.answer("q", piece), record.json(), piece, piece));
  }

  private static Change data(long piece) {
    return written(piece, new AnswerRecord.Data(new byte[] {(byte) piece}));
  }

  @Test
  void piecesThatWereListedAgainComeInTheirOwnOrder() throws Exception {
    List<Change> changes = new ArrayList<>();
    changes.add(written(0, new AnswerRecord.Begun()));
    for (int i = 1; i <= 20; i++) {
      changes.add(data(i));
    }
    changes.add(written(21, new AnswerRecord.Ended(5, "")));
    changes.sort(Comparator.comparing(Change::key));

    pieces.changed(new Delta(30, changes));

    byte[] body = answer.body().readAllBytes();
    assertThat(body).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(body[i]).isEqualTo((byte) (i + 1));
    }
    assertThat(answer.exitStatus()).isEqualTo(5);
    assertThat(taken).hasSize(10).endsWith(20L);
  }

  @Test
  void aPieceThatIsWrittenTwiceIsReadOnce() throws Exception {
    pieces.changed(new Delta(5, List.of(written(0, new AnswerRecord.Begun()), data(1), data(2))));
    pieces.changed(new Delta(6, List.of(data(2))));
    pieces.changed(new Delta(7, List.of(written(3, new AnswerRecord.Ended(0, "")))));

    assertThat(answer.body().readAllBytes()).containsExactly(1, 2);
  }

  @Test
  void whatCameBeforeAFaultIsReadBeforeIt() throws Exception {
    pieces.changed(new Delta(5, List.of(written(0, new AnswerRecord.Begun()), data(1))));
    pieces.changed(new Delta(6, List.of(new Change.Deleted(Keys.answer("q", 0)))));

    assertThat(answer.body().read()).isEqualTo(1);
    assertThatThrownBy(() -> answer.body().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("m1");
    assertThatThrownBy(answer::exitStatus).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void aProblemOfTheMachineEndsTheBody() {
    pieces.changed(
        new Delta(
            5,
            List.of(
                written(0, new AnswerRecord.Begun()),
                written(1, new AnswerRecord.Ended(127, "no journalctl here")))));

    assertThatThrownBy(() -> answer.body().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no journalctl here");
  }
}
