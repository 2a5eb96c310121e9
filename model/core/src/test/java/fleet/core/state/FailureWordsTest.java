package fleet.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureWordsTest {

  @ParameterizedTest
  @CsvSource({
    "exit-code, 1, 0, exit code 1",
    "exit-code, 203, 0, exit code 203: its program cannot be executed",
    "exit-code, 0, 0, its process exited with an error",
    "signal, 0, 9, killed by SIGKILL",
    "signal, 0, 40, killed by signal 40",
    "signal, 0, 0, killed by a signal",
    "core-dump, 0, 11, dumped core (SIGSEGV)",
    "core-dump, 0, 0, dumped core",
    "oom-kill, 0, 9, killed: out of memory",
    "start-limit-hit, 1, 0, started too often",
    "protocol, 0, 0, protocol",
    "success, 0, 0, ''",
    "'', 0, 0, ''"
  })
  void aResultIsSaidInWords(String result, int code, int signal, String words) {
    assertThat(FailureWords.of(result, code, signal)).isEqualTo(words);
  }
}
