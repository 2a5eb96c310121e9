package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tokens tell who may still be the leader. */
class HighestTokenTest {

  private final HighestToken tokens = new HighestToken();

  @Test
  void whoSpeaksWithTheHighestOrAHigherOneMayBe() {
    assertThat(tokens.of("s")).isZero();
    assertThat(tokens.admits("s", 7)).isTrue();
    assertThat(tokens.admits("s", 7)).isTrue();
    assertThat(tokens.admits("s", 9)).isTrue();
    assertThat(tokens.of("s")).isEqualTo(9);
  }

  @Test
  void whoSpeaksWithALowerOneIsNotAndChangesNothing() {
    tokens.admits("s", 9);
    assertThat(tokens.admits("s", 8)).isFalse();
    assertThat(tokens.of("s")).isEqualTo(9);
    assertThat(tokens.admits("s", 9)).isTrue();
  }

  @Test
  void anotherStoreMakesItForgetWhatItHasHeard() {
    tokens.admits("s", 9);
    assertThat(tokens.of("another")).isZero();
    assertThat(tokens.admits("another", 1)).isTrue();
    assertThat(tokens.of("s")).isZero();
    assertThat(tokens.of("another")).isEqualTo(1);
  }
}
