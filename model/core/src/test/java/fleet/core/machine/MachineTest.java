package fleet.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineTest {

  @Test
  void aDescriptionThatCanBeShownIsTaken() {
    assertThat(machine("10.0.0.1", Map.of("region", "eu", "Größe", "groß")).objection()).isEmpty();
  }

  /** An address that sets the terminal's title, and metadata that forges a row of a list. */
  @Test
  void controlCharactersAreAnObjection() {
    assertThat(machine("6.6.6.6\033]0;owned\007", Map.of()).objection())
        .contains("it describes itself with control characters: \"6.6.6.6\\x1b]0;owned\\x07\"");
    assertThat(machine("", Map.of("role", "web\n9.9.9.9  forged")).objection())
        .contains("it describes itself with control characters: \"web\\x0a9.9.9.9  forged\"");
    assertThat(machine("", Map.of("ro\rle", "web")).objection()).isPresent();
    Machine plain = machine("", Map.of());
    assertThat(plain.withHost("node1", "x86_64").objection()).isEmpty();
    assertThat(plain.withHost("node1\n6.6.6.6", "x86_64").objection()).isPresent();
    assertThat(plain.withHost("node1", "x86\033[2J").objection()).isPresent();
  }

  @Test
  void soIsADescriptionWithoutEnd() {
    assertThat(machine("", Map.of("a", "x".repeat(64 * 1024))).objection())
        .contains("it describes itself with 65549 characters, and 65536 are the most");
  }

  @Test
  void whatIsAddedToADescriptionLeavesTheNameOfTheHost() {
    Machine named = machine("", Map.of()).withHost("node1", "aarch64");
    assertThat(named.withMetadata(Map.of("a", "b")).withIsolation(Isolation.STOP).hostname())
        .isEqualTo("node1");
  }

  private static Machine machine(String address, Map<String, String> metadata) {
    return new Machine("m1", "boot-1", address, metadata, "test");
  }
}
