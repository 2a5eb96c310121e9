package fleet.core.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupSealTest {

  private static final String HEADER =
      new BackupHeader("abc", 12, Instant.parse("2026-11-27T08:00:00Z")).line();

  private static List<String> backup() {
    BackupSeal seal = new BackupSeal();
    List<String> lines = new ArrayList<>(List.of(HEADER, "unit/a\t{}", "unit/b\t{}"));
    lines.forEach(seal::add);
    lines.add(seal.line());
    return lines;
  }

  private static long entries(List<String> lines) throws InvalidBackupException {
    BackupSeal seal = new BackupSeal();
    long entries = 0;
    for (String line : lines) {
      entries += seal.read(line) ? 1 : 0;
    }
    seal.expectWhole();
    return entries;
  }

  @Test
  void aWholeBackupIsRead() throws InvalidBackupException {
    assertThat(entries(backup())).isEqualTo(2);
    assertThat(BackupHeader.of(HEADER))
        .isEqualTo(new BackupHeader("abc", 12, Instant.parse("2026-11-27T08:00:00Z")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cut|its end is missing",
        "shorter|its sum is another",
        "changed|its sum is another",
        "longer|it goes on behind its end",
        "headless|it is no backup of fleet",
        "newer|it is of a newer fleet",
        "empty|it is empty",
      })
  void aDamagedOneIsRefused(String kind, String why) {
    List<String> lines = backup();
    switch (kind) {
      case "cut" -> lines.removeLast();
      case "shorter" -> lines.remove(1);
      case "changed" -> lines.set(1, "unit/a\t{\"x\":1}");
      case "longer" -> lines.add("unit/c\t{}");
      case "headless" -> lines.removeFirst();
      case "newer" -> lines.set(0, HEADER.replace("backup 1", "backup 2"));
      default -> lines.clear();
    }
    assertThatThrownBy(() -> entries(lines))
        .isInstanceOf(InvalidBackupException.class)
        .hasMessageContaining(why);
  }
}
