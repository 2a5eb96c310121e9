package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

final class DurationConverterTest {

  @Test
  void allOptionsThatTakeATimeReadItAlike() {
    List<String> found = new ArrayList<>();
    for (String name : CommandNames.ALL) {
      for (OptionSpec option : CommandNames.specOf(name).options()) {
        ITypeConverter<?>[] converters = option.converters();
        if (option.type() == java.time.Duration.class) {
          found.add(option.longestName());
          assertThat(converters).hasExactlyElementsOfTypes(DurationConverter.class);
        }
        assertThat(option.paramLabel()).isNotEqualTo("SECONDS");
      }
    }
    assertThat(found).contains("--request-timeout", "--healthy", "--interval", "--ttl");
  }
}
