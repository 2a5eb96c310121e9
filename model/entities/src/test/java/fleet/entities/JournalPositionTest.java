package fleet.entities;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalPositionTest {

  @ParameterizedTest
  @CsvSource({
    // Within one sequence the number counts, whatever the clock was set to.
    "s=a1;i=10;b=b;m=5;t=1;x=f, s=a1;i=f;b=b;m=5;t=2;x=f, true",
    "s=a1;i=f;b=b;m=5;t=2;x=f, s=a1;i=10;b=b;m=5;t=1;x=f, false",
    "s=a1;i=f;b=b;m=5;t=2;x=f, s=a1;i=f;b=b;m=5;t=2;x=f, false",
    // Between two sequences, the time.
    "s=b2;i=1;b=b;m=5;t=62a;x=f, s=a1;i=f;b=b;m=5;t=3;x=f, true",
    "s=b2;i=f;b=b;m=5;t=3;x=f, s=a1;i=1;b=b;m=5;t=62a;x=f, false",
    "not of journald, s=a1;i=f;b=b;m=5;t=2;x=f, false",
    "s=a1;i=f;b=b;m=5;t=2;x=f, not of journald, false"
  })
  void positionsAreOrderedAsTheirMachineWroteThem(String one, String other, boolean after) {
    assertThat(new JournalPosition(one).isAfter(new JournalPosition(other))).isEqualTo(after);
  }
}
