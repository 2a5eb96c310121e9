package fleet.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SystemCallFaultTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "finishConnect(..) failed with error(-111): Connection refused | Connection refused",
        "finishConnect(..) failed with error(-111): Connection refused: /10.0.0.1:2379"
            + " | Connection refused: /10.0.0.1:2379",
        "recvAddress(..) failed with error(-104): Connection reset by peer"
            + " | Connection reset by peer",
        "Connection refused: /10.0.0.1:2379 | Connection refused: /10.0.0.1:2379",
        "f(..) failed with error( | f(..) failed with error(",
        "f(x): failed | f(x): failed",
      })
  void saysWhyAndNotWhichCall(String message, String plain) {
    assertThat(SystemCallFault.plain(message)).isEqualTo(plain);
  }
}
