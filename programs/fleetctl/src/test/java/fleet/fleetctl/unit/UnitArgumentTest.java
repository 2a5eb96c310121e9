package fleet.fleetctl.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitArgumentTest {
  @ParameterizedTest
  @CsvSource({
    "foo, foo.service, /here/foo.service",
    "foo.1, foo.1.service, /here/foo.1.service",
    "foo.socket, foo.socket, /here/foo.socket",
    "x.target, x.target, /here/x.target",
    "batch.slice, batch.slice, /here/batch.slice",
    "web@1, web@1.service, /here/web@1.service",
    "units/web, web.service, /here/units/web.service",
    "/etc/units/a.timer, a.timer, /etc/units/a.timer",
    "../a.d/web, web.service, /here/../a.d/web.service"
  })
  void readsNameAndFile(String given, String name, String path) {
    UnitArgument argument = UnitArgument.of(given, Path.of("/here"));

    assertThat(argument.name()).isEqualTo(name);
    assertThat(argument.path()).isEqualTo(Path.of(path));
  }
}
