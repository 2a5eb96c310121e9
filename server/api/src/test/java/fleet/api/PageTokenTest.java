package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokenTest {

  @Test
  void aTokenIsWrittenAsFleet10WroteIt() {
    assertThat(PageToken.first(100).next().encode()).isEqualTo("ZAACAA==");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsWrittenIsReadBack(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      PageToken token =
          new PageToken(1 + random.nextInt(PageToken.MAX), 1 + random.nextInt(PageToken.MAX));
      assertThat(PageToken.parse(token.encode(), token.limit())).isEqualTo(token);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyOtherTextIsRefusedAndNeverWorse(long seed) {
    Random random = new Random(seed);
    String characters = "AQgw09-_=+/% \u00e4\n";
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(characters.charAt(random.nextInt(characters.length())));
      }
      try {
        assertThat(PageToken.parse(text.toString(), 100).limit()).isEqualTo(100);
      } catch (RefusedException e) {
        assertThat(e.status()).isEqualTo(400);
        assertThat(e.text()).isNotEmpty();
      }
    }
  }
}
