package fleet.fleetctl.command;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Takes global flags that were not given from {@code FLEETCTL_*}. */
final class EnvironmentDefaults implements IDefaultValueProvider {

  private final Map<String, String> environment;

  EnvironmentDefaults(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isGlobal(option)) {
      return null;
    }
    for (String name : option.names()) {
      if (name.startsWith("--")) {
        String value = environment.get(variable(name));
        if (value != null && !value.isEmpty()) {
          return value;
        }
      }
    }
    return null;
  }

  static boolean isGlobal(OptionSpec option) {
    return option.userObject() instanceof GlobalOptions;
  }

  /** {@code FLEETCTL_CA_FILE} for {@code --ca-file}. */
  static String variable(String option) {
    return "FLEETCTL_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
