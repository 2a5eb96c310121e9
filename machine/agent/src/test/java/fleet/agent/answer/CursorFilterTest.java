package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorFilterTest {

  private static final String ENTRIES = "{\"MESSAGE\":\"-- cursor: x\"}\n{\"a\":\"-\"}\n";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void entriesPassAndTheCursorIsKept(int pieceSize) {
    byte[] all = (ENTRIES + "-- cursor: s=1;i=2\n").getBytes(UTF_8);
    var filter = new CursorFilter();
    var passed = new StringBuilder();
    for (int begin = 0; begin < all.length; begin += pieceSize) {
      byte[] target = new byte[pieceSize + 2];
      int length = Math.min(pieceSize, all.length - begin);
      System.arraycopy(all, begin, target, 2, length);
      int kept = filter.filter(target, 2, length);
      passed.append(new String(target, 2, kept, UTF_8));
    }
    assertThat(passed).hasToString(ENTRIES);
    assertThat(filter.cursor()).isEqualTo("s=1;i=2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ENTRIES})
  void thereNeedNotBeOne(String output) {
    byte[] bytes = output.getBytes(UTF_8);
    var filter = new CursorFilter();
    assertThat(filter.filter(bytes, 0, bytes.length)).isEqualTo(bytes.length);
    assertThat(filter.cursor()).isEmpty();
  }
}
